//! Remembering what a function gave in an earlier loop of the same step.
//!
//! In a loop inside a loop, the inner condition is often a function of the outer element applied to
//! a costly function of the inner one, `compose(rbind(equality, o), nearest)`. The costly part gives
//! the same for every outer element; it is called in the first round only.

use arcloom_value::{Closure, Patch, Value};

use crate::call::{Caller, Outcome};

/// What a function gave for the elements of a patch, in order, and the work of each call.
pub(crate) struct Memo {
    function: Value,
    over: Patch,
    /// How deep in closures the calls were made, which decides whether one nests too deeply.
    calls: u32,
    given: Vec<(Value, usize)>,
}

/// Calls of `compose(outer, inner)` on the elements of a patch, one after the other.
pub(crate) struct Recalled<'f> {
    outer: &'f Value,
    memo: Memo,
    next: usize,
}

impl<'f> Recalled<'f> {
    /// For a function composed of two closures.
    pub(crate) fn new(cx: &mut Caller, function: &'f Value, over: &Patch) -> Option<Recalled<'f>> {
        let Value::Closure(composed) = function else { return None };
        let Closure::Compose(outer @ Value::Closure(_), inner @ Value::Closure(f)) =
            composed.closure()
        else {
            return None;
        };
        let calls = cx.room().calls;
        let same = |memo: &Memo| {
            matches!(&memo.function, Value::Closure(g) if std::ptr::eq(f.closure(), g.closure()))
                && memo.over.same_block(over)
                && memo.calls == calls
        };
        let memo = cx.memo.take().filter(same).unwrap_or_else(|| Memo {
            function: inner.clone(),
            over: over.clone(),
            calls,
            given: Vec::new(),
        });
        Some(Recalled { outer, memo, next: 0 })
    }

    /// What the function gives for the next element.
    pub(crate) fn call(&mut self, cx: &mut Caller, item: &Value) -> Outcome {
        cx.charge(1)?;
        cx.within(|cx| {
            let given = self.inner(cx, item)?;
            cx.call1(self.outer, &given)
        })
    }

    fn inner(&mut self, cx: &mut Caller, item: &Value) -> Outcome {
        let n = self.next;
        self.next += 1;
        if let Some((value, work)) = self.memo.given.get(n)
            && cx.affords(*work)
        {
            cx.charge(*work)?;
            return Ok(value.clone());
        }
        let before = cx.spent();
        let value = cx.call1(&self.memo.function, item)?;
        if n == self.memo.given.len() {
            self.memo.given.push((value.clone(), (cx.spent() - before) as usize));
        }
        Ok(value)
    }

    /// Ends the loop and keeps what was given.
    pub(crate) fn end(self, cx: &mut Caller) {
        cx.memo = Some(self.memo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn prim(name: &str) -> Value {
        Value::Prim(Registry::get().find(name).unwrap())
    }

    /// For each of some places: the places of a patch whose nearest of them it is. The general caller
    /// remembers nothing.
    #[test]
    fn remembered_calls_give_and_cost_the_same() {
        let id = |name| Registry::get().find(name).unwrap();
        let places =
            |n: i64| Value::indices(&(0..n).map(|k| (k * 7 % 5, k * k % 6)).collect::<Vec<_>>());
        let (few, over) = (places(4), places(15));
        let bind = |f: &Value, x: &Value| Value::closure(Closure::LBind(f.clone(), x.clone(), 1));
        let rbind = |f: &Value, x: &Value| Value::closure(Closure::RBind(f.clone(), x.clone(), 1));
        let compose = |f: Value, g: Value| Value::closure(Closure::Compose(f, g));
        // p -> argmin(few, q -> manhattan({p}, {q}))
        let apart = bind(&prim("lbind"), &prim("manhattan"));
        let to = Value::closure(Closure::Chain(
            rbind(&prim("compose"), &prim("initset")),
            apart,
            prim("initset"),
        ));
        let nearest = compose(bind(&prim("argmin"), &few), to);
        let equal = bind(&prim("rbind"), &prim("equality"));
        let condition = compose(rbind(&prim("compose"), &nearest), equal);
        let cells = compose(bind(&prim("sfilter"), &over), condition);
        let run = |cx: &mut Caller| {
            cx.reset();
            cx.call_prim(id("apply"), &[&cells, &few]).map(|v| v.canonical())
        };
        let (mut fast, mut plain) = (Caller::default(), Caller::general(Caller::DEFAULT_BUDGET));
        let value = run(&mut fast).unwrap();
        assert!(fast.memo.is_some());
        assert_eq!(value, run(&mut plain).unwrap());
        assert_eq!(fast.spent(), plain.spent());
        for budget in (0..fast.spent()).step_by(37) {
            assert_eq!(run(&mut Caller::new(budget)), run(&mut Caller::general(budget)));
        }
    }
}
