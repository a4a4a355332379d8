//! Which primitives the device has, by name, and the call in the kernel text that does each.
//!
//! The names are those of the registry; a test rejects others. Arguments are `a`, `b`, `c`, `e`, the
//! result is `d`. Functions of functions are not here: `lower/` turns them into loops.

/// A primitive that the device has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// Its name in the registry.
    pub name: &'static str,
    /// Number of arguments.
    pub arity: usize,
    /// The statement that does it, in the kernel text.
    pub code: &'static str,
}

const fn k(name: &'static str, arity: usize, code: &'static str) -> Kernel {
    Kernel { name, arity, code }
}

/// All of them. The position is the operation's number, counted from [`FIRST`].
pub static KERNELS: &[Kernel] = &[
    // arithmetic
    k("add", 2, "part2(d, a, b, 0)"),
    k("subtract", 2, "part2(d, a, b, 1)"),
    k("multiply", 2, "part2(d, a, b, 2)"),
    k("divide", 2, "part2(d, a, b, 3)"),
    k("invert", 1, "part1(d, a, 0)"),
    k("double", 1, "part1(d, a, 1)"),
    k("halve", 1, "part1(d, a, 2)"),
    k("increment", 1, "part1(d, a, 3)"),
    k("decrement", 1, "part1(d, a, 4)"),
    k("crement", 1, "part1(d, a, 5)"),
    k("sign", 1, "part1(d, a, 6)"),
    k("even", 1, "if (a->k == K_INT) give_bool(d, a->a % 2 == 0); else over(d)"),
    k("positive", 1, "if (a->k == K_INT) give_bool(d, a->a > 0); else over(d)"),
    k("greater", 2, "op_greater(d, a, b)"),
    k("toivec", 1, "if (a->k == K_INT) give_pair(d, a->a, 0); else over(d)"),
    k("tojvec", 1, "if (a->k == K_INT) give_pair(d, 0, a->a); else over(d)"),
    // logic
    k("flip", 1, "give_bool(d, !truth(a))"),
    k("equality", 2, "give_bool(d, eq(m, *a, *b))"),
    k("contained", 2, "op_contained(m, d, a, b)"),
    k("both", 2, "if (truth(a)) set_val(d, *b); else set_val(d, *a)"),
    k("either", 2, "if (truth(a)) set_val(d, *a); else set_val(d, *b)"),
    k("branch", 3, "if (truth(a)) set_val(d, *b); else set_val(d, *c)"),
    k("identity", 1, "set_val(d, *a)"),
    // container
    k("combine", 2, "op_combine(m, d, a, b)"),
    k("intersection", 2, "op_intersection(m, d, a, b)"),
    k("difference", 2, "op_difference(m, d, a, b)"),
    k("dedupe", 1, "op_dedupe(m, d, a)"),
    k("repeat", 2, "op_repeat(m, d, a, b)"),
    k("size", 1, "op_size(d, a)"),
    k("merge", 1, "op_merge(m, d, a)"),
    k("maximum", 1, "op_extreme(m, d, a, 1)"),
    k("minimum", 1, "op_extreme(m, d, a, 0)"),
    k("mostcommon", 1, "op_by_count(m, d, a, 1)"),
    k("leastcommon", 1, "op_by_count(m, d, a, 0)"),
    k("initset", 1, "op_initset(m, d, a)"),
    k("totuple", 1, "op_totuple(m, d, a)"),
    k("first", 1, "op_first(m, d, a, 0)"),
    k("last", 1, "op_first(m, d, a, 1)"),
    k("insert", 2, "op_insert(m, d, a, b)"),
    k("remove", 2, "op_remove(m, d, a, b)"),
    k("other", 2, "op_other(m, d, a, b)"),
    k("interval", 3, "op_interval(m, d, a, b, c)"),
    k("astuple", 2, "op_astuple(m, d, a, b)"),
    k("product", 2, "op_product(m, d, a, b)"),
    k("pair", 2, "op_pair(m, d, a, b)"),
    k("sizefilter", 2, "op_sizefilter(m, d, a, b)"),
    // color
    k("mostcolor", 1, "op_extreme_color(m, d, a, 1)"),
    k("leastcolor", 1, "op_extreme_color(m, d, a, 0)"),
    k("colorcount", 2, "op_colorcount(m, d, a, b)"),
    k("colorfilter", 2, "op_colorfilter(m, d, a, b)"),
    k("palette", 1, "op_palette(m, d, a, 0)"),
    k("numcolors", 1, "op_palette(m, d, a, 1)"),
    k("color", 1, "op_color(m, d, a)"),
    k("ofcolor", 2, "op_ofcolor(m, d, a, b)"),
    k("recolor", 2, "op_recolor(m, d, a, b)"),
    k("replace", 3, "op_swap(m, d, a, b, c, 0)"),
    k("switch", 3, "op_swap(m, d, a, b, c, 1)"),
    // measure
    k("height", 1, "op_shape(d, a, 0)"),
    k("width", 1, "op_shape(d, a, 1)"),
    k("shape", 1, "op_shape(d, a, 2)"),
    k("portrait", 1, "op_shape(d, a, 3)"),
    k("square", 1, "op_square(d, a)"),
    k("vline", 1, "op_line(d, a, 1)"),
    k("hline", 1, "op_line(d, a, 0)"),
    // geometry
    k("hmirror", 1, "op_turn(m, d, a, 0)"),
    k("vmirror", 1, "op_turn(m, d, a, 1)"),
    k("dmirror", 1, "op_turn(m, d, a, 2)"),
    k("cmirror", 1, "op_turn(m, d, a, 3)"),
    k("rot90", 1, "op_turn(m, d, a, 4)"),
    k("rot180", 1, "op_turn(m, d, a, 5)"),
    k("rot270", 1, "op_turn(m, d, a, 6)"),
    // scale
    k("upscale", 2, "op_upscale(m, d, a, b)"),
    k("hupscale", 2, "op_upscale1(m, d, a, b, 0)"),
    k("vupscale", 2, "op_upscale1(m, d, a, b, 1)"),
    k("downscale", 2, "op_downscale(m, d, a, b)"),
    // layout
    k("canvas", 2, "op_canvas(m, d, a, b)"),
    k("crop", 3, "op_crop(m, d, a, b, c)"),
    k("subgrid", 2, "op_subgrid(m, d, a, b)"),
    k("trim", 1, "op_part(m, d, a, 4)"),
    k("tophalf", 1, "op_part(m, d, a, 0)"),
    k("bottomhalf", 1, "op_part(m, d, a, 1)"),
    k("lefthalf", 1, "op_part(m, d, a, 2)"),
    k("righthalf", 1, "op_part(m, d, a, 3)"),
    k("hsplit", 2, "op_split(m, d, a, b, 0)"),
    k("vsplit", 2, "op_split(m, d, a, b, 1)"),
    k("hconcat", 2, "op_concat(m, d, a, b, 0)"),
    k("vconcat", 2, "op_concat(m, d, a, b, 1)"),
    k("cellwise", 3, "op_cellwise(m, d, a, b, c)"),
    k("compress", 1, "op_compress(m, d, a)"),
    // objects
    k("objects", 4, "op_objects(m, d, a, b, c, e)"),
    k("partition", 1, "op_partition(m, d, a, 0)"),
    k("fgpartition", 1, "op_partition(m, d, a, 1)"),
    k("frontiers", 1, "op_frontiers(m, d, a)"),
    // position
    k("ulcorner", 1, "op_corner(d, a, 0)"),
    k("urcorner", 1, "op_corner(d, a, 1)"),
    k("llcorner", 1, "op_corner(d, a, 2)"),
    k("lrcorner", 1, "op_corner(d, a, 3)"),
    k("corners", 1, "op_corners(m, d, a)"),
    k("uppermost", 1, "op_most(d, a, 0)"),
    k("lowermost", 1, "op_most(d, a, 1)"),
    k("leftmost", 1, "op_most(d, a, 2)"),
    k("rightmost", 1, "op_most(d, a, 3)"),
    k("center", 1, "op_center(d, a)"),
    k("centerofmass", 1, "op_centerofmass(m, d, a)"),
    k("position", 2, "op_position(d, a, b)"),
    k("index", 2, "op_index(m, d, a, b)"),
    k("asindices", 1, "op_asindices(m, d, a)"),
    k("toindices", 1, "op_toindices(m, d, a)"),
    k("shift", 2, "op_shift(d, a, b)"),
    k("normalize", 1, "op_normalize(d, a)"),
    k("hmatching", 2, "op_matching(m, d, a, b, 0)"),
    k("vmatching", 2, "op_matching(m, d, a, b, 1)"),
    k("manhattan", 2, "op_distance(m, d, a, b, 0)"),
    k("adjacent", 2, "op_distance(m, d, a, b, 1)"),
    k("bordering", 2, "op_bordering(d, a, b)"),
    k("gravitate", 2, "op_gravitate(m, d, a, b)"),
    // lines
    k("dneighbors", 1, "op_around(m, d, a, 0xaa)"),
    k("ineighbors", 1, "op_around(m, d, a, 0x145)"),
    k("neighbors", 1, "op_around(m, d, a, 0x1ef)"),
    k("connect", 2, "op_connect(m, d, a, b)"),
    k("shoot", 2, "op_shoot(m, d, a, b)"),
    k("vfrontier", 1, "op_frontier(m, d, a, 1)"),
    k("hfrontier", 1, "op_frontier(m, d, a, 0)"),
    k("backdrop", 1, "op_backdrop(m, d, a)"),
    k("delta", 1, "op_delta(m, d, a)"),
    k("inbox", 1, "op_ring(m, d, a, 1)"),
    k("outbox", 1, "op_ring(m, d, a, -1)"),
    k("box", 1, "op_ring(m, d, a, 0)"),
    // paint
    k("fill", 3, "op_fill(m, d, a, b, c, 0)"),
    k("underfill", 3, "op_fill(m, d, a, b, c, 1)"),
    k("paint", 2, "op_paint(m, d, a, b, 0)"),
    k("underpaint", 2, "op_paint(m, d, a, b, 1)"),
    k("cover", 2, "op_cover(m, d, a, b)"),
    k("move", 3, "op_move(m, d, a, b, c)"),
    k("toobject", 2, "op_toobject(m, d, a, b)"),
    k("asobject", 1, "op_asobject(m, d, a)"),
    // pattern
    k("occurrences", 2, "op_occurrences(m, d, a, b)"),
    k("hperiod", 1, "op_period(m, d, a, 0)"),
    k("vperiod", 1, "op_period(m, d, a, 1)"),
];

/// Operations that are no primitives, in the order of their numbers. Those from [`VALUES`] on give a
/// value.
pub(crate) static CONTROL: &[&str] = &[
    "JUMP",
    "NEXT",
    "UNLESS",
    "YIELD",
    "LEAST",
    "RESULT",
    "RESULT_END",
    "LIST_PUT",
    "CONST",
    "COPY",
    "AFTER",
    "ITER",
    "LOAD",
    "DONE",
    "LIST_NEW",
    "LIST_TUPLE",
    "LIST_SET",
];

/// Number of the first control operation that gives a value.
pub(crate) const VALUES: usize = 8;

/// Number of the first primitive.
pub const FIRST: usize = 32;

/// The number of a control operation.
pub(crate) fn control(name: &str) -> i32 {
    CONTROL.iter().position(|op| *op == name).map_or(-1, |n| n as i32)
}

/// The primitive of this name and its number.
pub fn find(name: &str) -> Option<(i32, &'static Kernel)> {
    let place = KERNELS.iter().position(|kernel| kernel.name == name)?;
    Some(((FIRST + place) as i32, &KERNELS[place]))
}

/// Functions of functions that `lower/` turns into loops, or into nothing at all.
pub static LOWERED: &[&str] = &[
    "compose", "chain", "fork", "matcher", "rbind", "lbind", "power", "apply", "mapply", "rapply",
    "papply", "mpapply", "prapply", "sfilter", "mfilter", "extract", "argmax", "argmin", "valmax",
    "valmin", "order",
];

/// Primitives of the device whose results are never grids, whatever they are given.
static NO_GRIDS: &[&str] = &[
    "add",
    "subtract",
    "multiply",
    "divide",
    "invert",
    "double",
    "halve",
    "increment",
    "decrement",
    "crement",
    "sign",
    "even",
    "positive",
    "greater",
    "toivec",
    "tojvec",
    "flip",
    "equality",
    "contained",
    "intersection",
    "size",
    "initset",
    "insert",
    "product",
    "sizefilter",
    "mostcolor",
    "leastcolor",
    "colorcount",
    "colorfilter",
    "palette",
    "numcolors",
    "color",
    "ofcolor",
    "recolor",
    "height",
    "width",
    "shape",
    "portrait",
    "square",
    "vline",
    "hline",
    "objects",
    "partition",
    "fgpartition",
    "frontiers",
    "ulcorner",
    "urcorner",
    "llcorner",
    "lrcorner",
    "corners",
    "uppermost",
    "lowermost",
    "leftmost",
    "rightmost",
    "center",
    "centerofmass",
    "position",
    "index",
    "asindices",
    "toindices",
    "hmatching",
    "vmatching",
    "manhattan",
    "adjacent",
    "bordering",
    "gravitate",
    "dneighbors",
    "ineighbors",
    "neighbors",
    "connect",
    "shoot",
    "vfrontier",
    "hfrontier",
    "backdrop",
    "delta",
    "inbox",
    "outbox",
    "toobject",
    "asobject",
    "occurrences",
    "hperiod",
    "vperiod",
    "prapply",
];

/// True when a call of this primitive, where the device makes it, may give a grid.
pub(crate) fn may_give_grid(name: &str) -> bool {
    !NO_GRIDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use arcloom_dsl::Registry;

    use super::*;

    #[test]
    fn names_and_arities_are_the_registry_s() {
        let registry = Registry::get();
        for kernel in KERNELS {
            let id = registry.find(kernel.name).unwrap_or_else(|| panic!("{}", kernel.name));
            assert_eq!(registry.primitive(id).arity(), kernel.arity, "{}", kernel.name);
        }
        for name in LOWERED.iter().chain(NO_GRIDS) {
            assert!(registry.find(name).is_some(), "{name} is no primitive");
            assert!(find(name).is_some() || LOWERED.contains(name), "{name} is not covered");
        }
        let covered = KERNELS.len() + LOWERED.len();
        let dsl = registry.all().filter(|(_, primitive)| !primitive.extra).count();
        println!("{covered} of arc-dsl's {dsl} primitives are covered");
        assert_eq!(dsl, covered, "every primitive of arc-dsl has a kernel or is lowered");
    }

    #[test]
    fn operations_have_numbers_of_their_own() {
        assert!(CONTROL.len() <= FIRST);
        assert_eq!(CONTROL[VALUES], "CONST");
        let mut names: Vec<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KERNELS.len());
    }
}
