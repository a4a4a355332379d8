//! What an integer or a pair stands for at a place, and other values of that kind.
//!
//! Programs write colours, ranks and counts alike as integers, so the value says nothing: the
//! parameter it is used for does.

use arcloom_value::{Role, Ty, Value};

use crate::facts::TaskFacts;
use crate::making::Draw;

/// What a constant stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConstantKind {
    /// An integer in this role.
    Int(Role),
    /// A direction, an offset or a shape.
    Pair,
}

impl ConstantKind {
    /// The kind of values of this type, where there is one.
    pub fn of(ty: &Ty) -> Option<ConstantKind> {
        match ty {
            Ty::Int(role) => Some(ConstantKind::Int(*role)),
            Ty::Pair => Some(ConstantKind::Pair),
            _ => None,
        }
    }

    /// The type of values of this kind.
    pub fn ty(self) -> Ty {
        match self {
            ConstantKind::Int(role) => Ty::Int(role),
            ConstantKind::Pair => Ty::Pair,
        }
    }
}

/// True when an integer in this role can have this value.
pub(crate) fn in_range(role: Role, n: i64) -> bool {
    match role {
        Role::Number => true,
        Role::Bool => (0..2).contains(&n),
        Role::Color => (0..10).contains(&n),
        Role::Rank => (-10..10).contains(&n),
        Role::Angle | Role::Notion => (0..8).contains(&n),
        Role::Corner => (0..4).contains(&n),
    }
}

/// The eight directions.
const DIRECTIONS: [(i64, i64); 8] =
    [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A value of this kind, likelier one that the task suggests.
pub(crate) fn any(kind: ConstantKind, facts: &TaskFacts, draw: &mut Draw<'_>) -> Value {
    match kind {
        ConstantKind::Pair => match draw.below(3) {
            0 => draw.pick(&facts.shapes).map_or(Value::pair(2, 2), |&(h, w)| Value::pair(h, w)),
            _ => draw.pick(&DIRECTIONS).map_or(Value::pair(0, 1), |&(i, j)| Value::pair(i, j)),
        },
        ConstantKind::Int(role) => Value::Int(match role {
            Role::Bool => draw.below(2) as i64,
            Role::Color => color(facts, draw),
            Role::Rank => draw.below(7) as i64 - 3,
            Role::Angle | Role::Notion => draw.below(8) as i64,
            Role::Corner => draw.below(4) as i64,
            Role::Number => match draw.below(3) {
                0 => draw.pick(&facts.numbers).copied().unwrap_or(2),
                _ => 1 + draw.below(4) as i64,
            },
        }),
    }
}

/// A colour of the demo pairs, now and then another one.
pub(crate) fn color(facts: &TaskFacts, draw: &mut Draw<'_>) -> i64 {
    let colors = &facts.colors;
    let mask = match draw.below(8) {
        0..3 => colors.outputs,
        3..5 => colors.inputs,
        5 => colors.added,
        6 => colors.removed,
        _ => 0,
    };
    let members: u32 = mask.count_ones();
    match draw.below(members as usize) {
        _ if members == 0 => draw.below(10) as i64,
        nth => (0..10).filter(|c| mask & (1 << c) != 0).nth(nth).unwrap_or(0),
    }
}

/// Another value of this kind, likelier one near the old one.
pub(crate) fn other(
    kind: ConstantKind,
    old: &Value,
    facts: &TaskFacts,
    draw: &mut Draw<'_>,
) -> Option<Value> {
    // A few draws always meet a different value: every kind has at least two.
    (0..16).map(|_| near(kind, old, facts, draw)).find(|new| new != old)
}

fn near(kind: ConstantKind, old: &Value, facts: &TaskFacts, draw: &mut Draw<'_>) -> Value {
    let fresh = any(kind, facts, draw);
    if draw.one_in(3) {
        return fresh;
    }
    match (kind, old.as_int(), old.as_pair()) {
        (ConstantKind::Int(Role::Bool), Some(n), _) => Value::Int(i64::from(n == 0)),
        (ConstantKind::Int(Role::Notion), Some(n), _) => {
            // One of the three questions that make a notion is answered the other way.
            Value::Int((n & 7) ^ (1 << draw.below(3)))
        }
        (ConstantKind::Int(role @ (Role::Rank | Role::Number)), Some(n), _) => {
            let stepped = match draw.below(5) {
                0 | 1 => n.saturating_add(1),
                2 | 3 => n.saturating_sub(1),
                _ if role == Role::Rank => !n,
                _ => n.saturating_mul(2),
            };
            if in_range(role, stepped) { Value::Int(stepped) } else { fresh }
        }
        (ConstantKind::Pair, _, Some((i, j))) => {
            let (i, j) = match draw.below(6) {
                0 => (i.saturating_neg(), j.saturating_neg()),
                1 => (j, i),
                2 => (i.saturating_neg(), j),
                3 => (i.saturating_add(1), j.saturating_add(1)),
                4 => (i, j.saturating_sub(1)),
                _ => (i.saturating_mul(2), j.saturating_mul(2)),
            };
            Value::pair(i, j)
        }
        _ => fresh,
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn another_value_is_of_the_kind_and_different() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut draw = Draw(&mut rng);
        let facts = TaskFacts::unknown();
        let roles = [Role::Bool, Role::Color, Role::Rank, Role::Angle, Role::Notion, Role::Corner];
        for role in roles {
            for _ in 0..500 {
                let old = any(ConstantKind::Int(role), &facts, &mut draw);
                let new = other(ConstantKind::Int(role), &old, &facts, &mut draw).unwrap();
                assert_ne!(old, new);
                assert!(in_range(role, new.as_int().unwrap()), "{role:?} {new:?}");
            }
        }
        let up = Value::pair(-1, 0);
        let others: std::collections::BTreeSet<Value> =
            (0..500).filter_map(|_| other(ConstantKind::Pair, &up, &facts, &mut draw)).collect();
        assert!(others.contains(&Value::pair(1, 0)) && others.contains(&Value::pair(0, -1)));
    }
}
