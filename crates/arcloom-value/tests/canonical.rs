//! The form of a value depends on the value alone; equality, order and hash agree with that.

use std::hash::BuildHasher;

use arcloom_value::{FixedHasher, Value};
use proptest::prelude::*;

fn hash(value: &Value) -> u64 {
    FixedHasher.hash_one(value)
}

/// Small nested values that hit every form: integers, pairs, cells, grids, patches, mixtures.
fn values() -> impl Strategy<Value = Value> {
    let int = prop_oneof![-2..12i64, -200..200i64, any::<i64>()];
    let leaf = prop_oneof![
        4 => int.prop_map(Value::Int),
        1 => Just(Value::None),
        3 => (-90..90i64, -90..90i64).prop_map(|(i, j)| Value::pair(i, j)),
        3 => (0..10i64, -9..40i64, -9..40i64).prop_map(|(c, i, j)| Value::cell(c, i, j)),
        2 => (1..4usize, 1..4usize, prop::collection::vec(-1..10i8, 9))
            .prop_map(|(h, w, cells)| Value::grid(h, w, &cells[..h * w])),
    ];
    leaf.prop_recursive(3, 40, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::tuple),
            prop::collection::vec(inner, 0..8).prop_map(Value::set),
            prop::collection::vec((-90..90i64, -90..90i64), 1..20).prop_map(|p| Value::indices(&p)),
            prop::collection::vec((0..10i64, 0..90i64, 0..90i64), 1..20)
                .prop_map(|c| Value::object(&c)),
        ]
    })
}

proptest! {
    #[test]
    fn the_general_twin_is_equal_and_comes_back(value in values()) {
        let general = value.to_general();
        prop_assert_eq!(&general, &value);
        prop_assert_eq!(format!("{:?}", general.canonical()), format!("{:?}", value));
        prop_assert_eq!(hash(&general.canonical()), hash(&value));
    }

    #[test]
    fn order_is_total_and_form_independent(a in values(), b in values()) {
        let order = a.cmp(&b);
        prop_assert_eq!(order.reverse(), b.cmp(&a));
        prop_assert_eq!(order, a.to_general().cmp(&b.to_general()));
        prop_assert_eq!(order, a.cmp(&b.to_general()));
        prop_assert_eq!(order.is_eq(), a == b);
        if a == b {
            prop_assert_eq!(hash(&a), hash(&b));
        }
    }

    #[test]
    fn sets_are_ascending_and_without_repeats(items in prop::collection::vec(values(), 0..12)) {
        let set = Value::set(items.clone());
        let walked: Vec<Value> = set.iter().into_iter().flatten().collect();
        prop_assert!(walked.windows(2).all(|w| w[0] < w[1]));
        prop_assert!(items.iter().all(|item| walked.contains(item)));
        let mut reversed = items;
        reversed.reverse();
        prop_assert_eq!(format!("{:?}", Value::set(reversed)), format!("{set:?}"));
    }
}

#[test]
fn a_value_is_two_words() {
    assert_eq!(size_of::<Value>(), 16);
    assert_eq!(size_of::<Result<Value, u32>>(), 16);
}

#[test]
fn there_is_one_empty_tuple_and_one_empty_set() {
    assert_eq!(Value::grid(0, 3, &[]), Value::empty_tuple());
    assert_eq!(Value::indices(&[]), Value::object(&[]));
    assert_ne!(Value::empty_tuple(), Value::empty_set());
    assert_ne!(Value::grid(3, 0, &[]), Value::empty_tuple());
}

#[test]
fn booleans_are_integers() {
    assert_eq!(Value::bool(true), Value::Int(1));
    let set = Value::set(vec![Value::bool(true), Value::Int(1)]);
    assert_eq!(set.iter().unwrap().collect::<Vec<_>>(), [Value::Int(1)]);
}

#[test]
fn far_apart_positions_stay_in_general_form() {
    let far = Value::indices(&[(0, 0), (1_000_000, 1_000_000)]);
    assert!(matches!(far, Value::Set(_)));
    assert!(matches!(Value::indices(&[(-150, 3), (190, 170)]), Value::Patch(_)));
    assert!(matches!(Value::pair(i64::MIN, 0), Value::Tuple(_)));
}
