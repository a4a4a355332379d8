//! The operators, in one ordered list: an operator's number in reports is its place here.

mod conjugate;
mod constant;
mod derived;
mod function;
mod graft;
mod repair;
mod rewire;
mod step;
mod swap;

use crate::mutate::Operator;

/// All operators. Small changes come first, then larger ones, then those that need findings.
pub static ALL: &[Operator] = &[
    constant::COLOR,
    constant::NUMBER,
    constant::PAIR,
    constant::FLAG,
    constant::RANK,
    constant::NOTION,
    constant::ANGLE,
    derived::DERIVE,
    derived::SETTLE,
    swap::SWAP,
    swap::RANKED,
    rewire::REWIRE,
    rewire::EXCHANGE,
    step::INSERT,
    step::DELETE,
    step::WRAP,
    function::PROPERTY,
    function::SPECIALISE,
    function::GENERALISE,
    graft::GRAFT,
    conjugate::TURNED,
    conjugate::RECOLORED,
    repair::PALETTE,
    repair::SHAPE,
    repair::POSITION,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_documented() {
        for operator in ALL {
            assert_eq!(ALL.iter().filter(|o| o.name == operator.name).count(), 1);
            assert!(operator.doc.ends_with('.'));
            let page = include_str!("../../../docs/operators.md");
            assert!(page.contains(&format!("| `{}` |", operator.name)), "{}", operator.name);
        }
    }
}
