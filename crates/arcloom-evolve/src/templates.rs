//! Expressions that derive a colour, a number, an angle or a pair from the demo pairs or the input.
//!
//! They are written as programs are; a test reads them all and compares their types.

use std::sync::LazyLock;

use arcloom_lang::{Program, load_snippet};
use arcloom_value::Role;

use crate::kind::ConstantKind;

/// An expression that a constant can be exchanged for.
pub(crate) struct Template {
    pub(crate) kind: ConstantKind,
    pub(crate) program: Program,
}

/// All templates, in the order below.
pub(crate) fn all() -> &'static [Template] {
    static ALL: LazyLock<Vec<Template>> = LazyLock::new(|| {
        let lists = [
            (ConstantKind::Int(Role::Color), COLORS),
            (ConstantKind::Int(Role::Number), NUMBERS),
            (ConstantKind::Int(Role::Angle), ANGLES),
            (ConstantKind::Pair, PAIRS),
        ];
        let each = lists.iter().flat_map(|(kind, texts)| texts.iter().map(move |t| (*kind, *t)));
        // A text that does not load is found by the test below.
        let load = |(kind, text)| Some(Template { kind, program: load_snippet(text).ok()?.0 });
        each.filter_map(load).collect()
    });
    &ALL
}

const COLORS: &[&str] = &[
    // Colours that come or go.
    "get_nth_t(c_iz(S, p_g), F0)",
    "get_nth_t(c_zo(S, p_g), F0)",
    "get_nth_t(c_iz(S, p_g), L1)",
    "get_nth_t(c_zo(S, p_g), L1)",
    "get_nth_t(c_iz(S, p_g), F1)",
    "get_nth_t(c_zo(S, p_g), F1)",
    "c_iz_n(S, p_g, maximum)",
    "c_zo_n(S, p_g, minimum)",
    // Colours of all outputs and of all inputs.
    "get_common_rank(merge(apply(p_g, apply(first, S))), F0)",
    "get_common_rank(merge(apply(p_g, apply(last, S))), F0)",
    "get_common_rank(merge(apply(p_g, apply(first, S))), F1)",
    "get_common_rank(merge(apply(p_g, apply(last, S))), F1)",
    "mostcolor(merge(apply(first, S)))",
    "mostcolor(merge(apply(last, S)))",
    "leastcolor(merge(apply(first, S)))",
    "leastcolor(merge(apply(last, S)))",
    // Colours of this input.
    "mostcolor(I)",
    "leastcolor(I)",
    "get_color_rank_t(I, F1)",
    "get_color_rank_t(I, F2)",
    "get_color_rank_t(I, L2)",
    "index(I, ORIGIN)",
    "color(argmax(objects(I, T, F, T), size))",
    "color(argmin(objects(I, T, F, T), size))",
    "mostcolor(argmax(objects(I, F, T, T), size))",
    "leastcolor(argmax(objects(I, F, T, T), size))",
    "color(argmin(objects(I, T, T, T), leftmost))",
    "color(argmin(objects(I, T, T, T), uppermost))",
    "mostcommon(totuple(apply(color, objects(I, T, T, T))))",
    "leastcommon(totuple(apply(color, objects(I, T, T, T))))",
];

const NUMBERS: &[&str] = &[
    // Ratios of shapes in the first demo pair.
    "divide(height(last(first(S))), height(first(first(S))))",
    "divide(width(last(first(S))), width(first(first(S))))",
    "divide(height(first(first(S))), height(last(first(S))))",
    "divide(width(first(first(S))), width(last(first(S))))",
    "height(last(first(S)))",
    "width(last(first(S)))",
    // Sides and colours of this input.
    "height(I)",
    "width(I)",
    "halve(height(I))",
    "halve(width(I))",
    "numcolors(I)",
    "decrement(numcolors(I))",
    // Objects of this input.
    "size(objects(I, T, F, T))",
    "size(objects(I, T, T, T))",
    "size(objects(I, F, F, T))",
    "size(objects(I, F, T, T))",
    "size(fgpartition(I))",
    "size(frontiers(I))",
    "colorcount(I, leastcolor(I))",
    "colorcount(I, get_color_rank_t(I, F1))",
    "valmax(objects(I, T, F, T), size)",
    "valmin(objects(I, T, F, T), size)",
    "valmax(objects(I, T, F, T), height)",
    "valmax(objects(I, T, F, T), width)",
    "hperiod(asobject(I))",
    "vperiod(asobject(I))",
];

const ANGLES: &[&str] = &["a_mr(S)"];

const PAIRS: &[&str] = &[
    "shape(I)",
    "shape(last(first(S)))",
    "shape(first(first(S)))",
    "double(shape(I))",
    "halve(shape(I))",
    "shape(argmax(objects(I, T, F, T), size))",
    "shape(argmax(objects(I, F, T, T), size))",
    "ulcorner(argmax(objects(I, F, T, T), size))",
    "astuple(height(I), height(I))",
    "astuple(width(I), height(I))",
    "divide(shape(last(first(S))), shape(first(first(S))))",
];

#[cfg(test)]
mod tests {
    use arcloom_lang::infer;
    use arcloom_value::Ty;

    use super::*;
    use crate::parent::Parent;
    use crate::typing;

    #[test]
    fn every_text_loads_and_gives_its_kind() {
        assert_eq!(all().len(), COLORS.len() + NUMBERS.len() + ANGLES.len() + PAIRS.len());
        for template in all() {
            let types = infer::types(&template.program);
            let found = types.last().unwrap();
            let text = arcloom_lang::text::print(&template.program, arcloom_lang::Form::Inline);
            assert_eq!(Parent::new(template.program.clone()).doubts(), 0, "{text}");
            assert!(infer::warnings(&template.program).is_empty(), "{text}");
            assert!(
                typing::fits(&template.kind.ty(), found) || *found == Ty::INT,
                "{text} gives {found}"
            );
        }
    }
}
