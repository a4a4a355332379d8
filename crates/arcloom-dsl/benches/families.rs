//! One group per family: its hot primitives on a 10x10 and a 30x30 grid.
//!
//! `cargo bench -p arcloom-dsl` takes about three minutes; `-- lines` runs the groups with that in
//! their name, and `-- --save-baseline NAME` / `-- --baseline NAME` compare two states of the code.
//! The measuring times are short, so differences below a tenth need `-- --measurement-time 5`.
//!
//! Every benchmark is one call through [`Caller::call_prim`], the entry that programs use, making its
//! result and dropping it. The grids are seeded: rectangles, lines and single cells on black.

use std::hint::black_box;
use std::time::Duration;

use arcloom_dsl::{Caller, Registry};
use arcloom_value::{PrimId, Value};
use criterion::{Criterion, criterion_group, criterion_main};

/// The allocator of the command, so that both are timed alike.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A benchmark: its name and the call.
struct Case {
    name: String,
    prim: PrimId,
    args: Vec<Value>,
}

/// A call named after its primitive.
fn case(prim: &str, args: &[&Value]) -> Case {
    variant(prim, "", args)
}

/// A call named after its primitive and what is special about the arguments.
fn variant(prim: &str, what: &str, args: &[&Value]) -> Case {
    let name = if what.is_empty() { prim.to_owned() } else { format!("{prim}({what})") };
    let id = Registry::get().find(prim).expect(prim);
    Case { name, prim: id, args: args.iter().map(|v| (*v).clone()).collect() }
}

/// The value of a call, to build arguments with.
fn call(prim: &str, args: &[&Value]) -> Value {
    let id = Registry::get().find(prim).expect(prim);
    Caller::default().call_prim(id, args).expect(prim)
}

fn prim(name: &str) -> Value {
    Value::Prim(Registry::get().find(name).expect(name))
}

const fn int(n: i64) -> Value {
    Value::Int(n)
}

const fn pair(i: i32, j: i32) -> Value {
    Value::Pair(i, j)
}

const F: Value = int(0);
const T: Value = int(1);
const TWO: Value = int(2);
const THREE: Value = int(3);
const FIVE: Value = int(5);
const ORIGIN: Value = pair(0, 0);
const UNITY: Value = pair(1, 1);

/// What the calls of one grid size are made on.
struct Scene {
    side: usize,
    /// Rectangles, lines and single cells of eight colours on black.
    grid: Value,
    /// The same size, other content.
    other: Value,
    /// A tile repeated, so that periods and occurrences are found late.
    tiled: Value,
    /// The grid's objects: one colour each, diagonals apart, without background.
    objects: Value,
    /// The largest and the smallest of them.
    large: Value,
    small: Value,
    /// All cells of the grid, and of the tiled one.
    cells: Value,
    tiled_cells: Value,
    /// The positions of two colours.
    twos: Value,
    threes: Value,
    /// A 3x3 piece of the tiled grid as an object.
    piece: Value,
    /// Numbers from 0 to the side.
    numbers: Value,
    /// Three demo pairs.
    samples: Value,
}

impl Scene {
    fn new(side: usize) -> Scene {
        let grid = drawn(side, 1);
        let other = drawn(side, 2);
        let tiled = grid_of(side, |i, j| [[1, 2, 3], [4, 2, 5], [3, 3, 0]][i % 3][j % 3]);
        let objects = call("objects", &[&grid, &T, &F, &T]);
        let size = prim("size");
        let corner = call("crop", &[&tiled, &ORIGIN, &pair(3, 3)]);
        let samples = (3..6).map(|seed| {
            let input = drawn(side, seed);
            let output = call("vmirror", &[&input]);
            Value::tuple([input, output])
        });
        Scene {
            large: call("argmax", &[&objects, &size]),
            small: call("argmin", &[&objects, &size]),
            cells: call("asobject", &[&grid]),
            tiled_cells: call("asobject", &[&tiled]),
            twos: call("ofcolor", &[&grid, &TWO]),
            threes: call("ofcolor", &[&grid, &THREE]),
            piece: call("asobject", &[&corner]),
            numbers: call("interval", &[&F, &int(side as i64), &T]),
            samples: Value::tuple(samples.collect::<Vec<_>>()),
            side,
            grid,
            other,
            tiled,
            objects,
        }
    }
}

fn grid_of(side: usize, cell: impl Fn(usize, usize) -> i8) -> Value {
    let cells: Vec<i8> = (0..side * side).map(|n| cell(n / side, n % side)).collect();
    Value::grid(side, side, &cells)
}

/// A grid as in many tasks: some filled and some hollow rectangles, two lines, single cells.
fn drawn(side: usize, seed: u64) -> Value {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut below = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut cells = vec![0i8; side * side];
    for n in 0..side / 2 {
        let (top, left) = (below(side - 2), below(side - 2));
        let (height, width) = match n {
            0 => (1, side - left),
            1 => (side - top, 1),
            _ => (2 + below(side / 4), 2 + below(side / 4)),
        };
        let (color, hollow) = (1 + below(8) as i8, below(3) == 0);
        let (bottom, right) = ((top + height).min(side), (left + width).min(side));
        for i in top..bottom {
            for j in left..right {
                let edge = i == top || i + 1 == bottom || j == left || j + 1 == right;
                if edge || !hollow {
                    cells[i * side + j] = color;
                }
            }
        }
    }
    for _ in 0..side {
        cells[below(side * side)] = 1 + below(8) as i8;
    }
    // The colours that the cases ask for are there.
    cells[..4].copy_from_slice(&[0, 2, 0, 3]);
    Value::grid(side, side, &cells)
}

fn arithmetic(_: &Scene) -> Vec<Case> {
    vec![
        variant("add", "integers", &[&TWO, &THREE]),
        variant("add", "pairs", &[&UNITY, &pair(3, 4)]),
        case("multiply", &[&pair(3, 4), &TWO]),
        case("halve", &[&pair(7, 4)]),
        case("crement", &[&pair(7, -4)]),
        case("greater", &[&TWO, &THREE]),
    ]
}

fn logic(s: &Scene) -> Vec<Case> {
    let copy = grid_of(s.side, |i, j| [[1, 2, 3], [4, 2, 5], [3, 3, 0]][i % 3][j % 3]);
    vec![
        variant("equality", "equal grids", &[&s.tiled, &copy]),
        variant("contained", "position", &[&pair(0, 3), &s.threes]),
        variant("contained", "object", &[&s.large, &s.objects]),
        case("branch", &[&T, &s.grid, &s.other]),
    ]
}

fn container(s: &Scene) -> Vec<Case> {
    let background = call("ofcolor", &[&s.grid, &F]);
    vec![
        variant("combine", "indices", &[&s.twos, &s.threes]),
        variant("difference", "indices", &[&background, &s.twos]),
        variant("difference", "objects", &[&s.objects, &call("initset", &[&s.large])]),
        variant("intersection", "indices", &[&background, &s.twos]),
        variant("merge", "objects", &[&s.objects]),
        variant("first", "objects", &[&s.objects]),
        variant("remove", "object", &[&s.large, &s.objects]),
        variant("totuple", "objects", &[&s.objects]),
        variant("mostcommon", "rows", &[&s.tiled]),
        variant("maximum", "numbers", &[&s.numbers]),
        variant("product", "numbers", &[&s.numbers, &s.numbers]),
        variant("sizefilter", "objects", &[&s.objects, &T]),
        variant("size", "objects", &[&s.objects]),
    ]
}

fn higher_order(s: &Scene) -> Vec<Case> {
    let [size, neighbors, toindices, color] = ["size", "neighbors", "toindices", "color"].map(prim);
    let has_color = call("matcher", &[&color, &TWO]);
    let is_even_row = call("compose", &[&prim("even"), &prim("first")]);
    let in_twos = call("rbind", &[&prim("contained"), &s.twos]);
    let to_edge = call("rbind", &[&prim("shoot"), &UNITY]);
    let shift_by = call("lbind", &[&prim("shift"), &s.small]);
    let density = call("fork", &[&prim("multiply"), &prim("height"), &prim("width")]);
    let cell_is_two = call("matcher", &[&prim("first"), &TWO]);
    let background = call("ofcolor", &[&s.grid, &F]);
    vec![
        variant("argmax", "objects, size", &[&s.objects, &size]),
        variant("argmax", "objects, fork", &[&s.objects, &density]),
        variant("order", "objects, size", &[&s.objects, &size]),
        variant("valmax", "objects, size", &[&s.objects, &size]),
        variant("sfilter", "objects, matcher", &[&s.objects, &has_color]),
        variant("sfilter", "indices, compose", &[&background, &is_even_row]),
        variant("sfilter", "indices, contained", &[&background, &in_twos]),
        variant("sfilter", "cells, matcher", &[&s.cells, &cell_is_two]),
        variant("mfilter", "objects, matcher", &[&s.objects, &has_color]),
        variant(
            "extract",
            "objects, matcher",
            &[&s.objects, &call("matcher", &[&size, &call("size", &[&s.large])])],
        ),
        variant("apply", "toindices, objects", &[&toindices, &s.objects]),
        variant(
            "apply",
            "compose, numbers",
            &[&call("compose", &[&prim("double"), &prim("increment")]), &s.numbers],
        ),
        variant("mapply", "neighbors, indices", &[&neighbors, &s.twos]),
        variant("mapply", "neighbors, background", &[&neighbors, &background]),
        variant("mapply", "shoot, indices", &[&to_edge, &s.twos]),
        variant("mapply", "shift, indices", &[&shift_by, &s.twos]),
        variant("mapply", "delta, objects", &[&prim("delta"), &s.objects]),
        variant("prapply", "connect, indices", &[&prim("connect"), &s.twos, &s.twos]),
        variant("papply", "pair, numbers", &[&prim("astuple"), &s.numbers, &s.numbers]),
        variant("rapply", "mirrors", &[&Value::tuple([prim("hmirror"), prim("vmirror")]), &s.grid]),
        case("fork", &[&prim("multiply"), &prim("height"), &prim("width")]),
    ]
}

fn color(s: &Scene) -> Vec<Case> {
    vec![
        case("ofcolor", &[&s.grid, &TWO]),
        variant("mostcolor", "grid", &[&s.grid]),
        variant("leastcolor", "object", &[&s.cells]),
        variant("colorcount", "grid", &[&s.grid, &TWO]),
        case("colorfilter", &[&s.objects, &TWO]),
        variant("palette", "grid", &[&s.grid]),
        variant("palette", "object", &[&s.cells]),
        variant("numcolors", "grid", &[&s.grid]),
        variant("color", "object", &[&s.large]),
        variant("recolor", "object", &[&FIVE, &s.large]),
        variant("recolor", "indices", &[&FIVE, &s.twos]),
        case("replace", &[&s.grid, &TWO, &FIVE]),
        case("switch", &[&s.grid, &TWO, &FIVE]),
    ]
}

fn measure(s: &Scene) -> Vec<Case> {
    vec![
        variant("height", "object", &[&s.large]),
        variant("shape", "grid", &[&s.grid]),
        variant("portrait", "object", &[&s.large]),
        variant("square", "object", &[&s.large]),
        variant("vline", "object", &[&s.large]),
    ]
}

fn geometry(s: &Scene) -> Vec<Case> {
    vec![
        case("rot90", &[&s.grid]),
        case("rot180", &[&s.grid]),
        variant("hmirror", "grid", &[&s.grid]),
        variant("vmirror", "grid", &[&s.grid]),
        variant("vmirror", "object", &[&s.cells]),
        variant("dmirror", "grid", &[&s.grid]),
        variant("dmirror", "object", &[&s.cells]),
        variant("cmirror", "grid", &[&s.grid]),
    ]
}

fn scale(s: &Scene) -> Vec<Case> {
    let wide = call("upscale", &[&s.grid, &TWO]);
    vec![
        variant("upscale", "grid by 3", &[&s.grid, &THREE]),
        variant("upscale", "object by 3", &[&s.large, &THREE]),
        variant("hupscale", "grid by 3", &[&s.grid, &THREE]),
        variant("vupscale", "grid by 3", &[&s.grid, &THREE]),
        variant("downscale", "grid by 2", &[&wide, &TWO]),
    ]
}

fn layout(s: &Scene) -> Vec<Case> {
    let half = pair(s.side as i32 / 2, s.side as i32 / 2);
    vec![
        case("canvas", &[&FIVE, &call("shape", &[&s.grid])]),
        case("crop", &[&s.grid, &UNITY, &half]),
        case("subgrid", &[&s.large, &s.grid]),
        case("trim", &[&s.grid]),
        case("tophalf", &[&s.grid]),
        case("lefthalf", &[&s.grid]),
        case("hsplit", &[&s.grid, &TWO]),
        case("hconcat", &[&s.grid, &s.other]),
        case("vconcat", &[&s.grid, &s.other]),
        case("cellwise", &[&s.grid, &s.other, &F]),
        case("compress", &[&s.grid]),
    ]
}

fn objects(s: &Scene) -> Vec<Case> {
    let mut cases = Vec::new();
    for bits in 0..8u8 {
        let flag = |bit: u8| if bits >> bit & 1 == 1 { T } else { F };
        let (univalued, diagonal, without_bg) = (flag(2), flag(1), flag(0));
        let text: String =
            (0..3).rev().map(|bit| if bits >> bit & 1 == 1 { 'T' } else { 'F' }).collect();
        cases.push(variant("objects", &text, &[&s.grid, &univalued, &diagonal, &without_bg]));
    }
    cases.push(case("partition", &[&s.grid]));
    cases.push(case("fgpartition", &[&s.grid]));
    cases.push(case("frontiers", &[&s.grid]));
    cases
}

fn position(s: &Scene) -> Vec<Case> {
    let away = call("shift", &[&s.small, &pair(s.side as i32, 3)]);
    vec![
        case("ulcorner", &[&s.large]),
        case("lrcorner", &[&s.large]),
        case("corners", &[&s.large]),
        case("center", &[&s.large]),
        case("centerofmass", &[&s.large]),
        case("position", &[&s.large, &away]),
        case("index", &[&s.grid, &UNITY]),
        case("asindices", &[&s.grid]),
        case("toindices", &[&s.cells]),
        variant("shift", "object", &[&s.large, &pair(2, -3)]),
        variant("shift", "all cells", &[&s.cells, &pair(2, -3)]),
        variant("normalize", "object", &[&s.large]),
        case("manhattan", &[&s.large, &away]),
        case("adjacent", &[&s.large, &away]),
        case("bordering", &[&s.large, &s.grid]),
        case("gravitate", &[&away, &s.large]),
        case("hmatching", &[&s.large, &away]),
    ]
}

fn lines(s: &Scene) -> Vec<Case> {
    let far = pair(s.side as i32 - 1, s.side as i32 - 1);
    vec![
        case("neighbors", &[&UNITY]),
        variant("connect", "row", &[&ORIGIN, &pair(0, s.side as i32 - 1)]),
        variant("connect", "diagonal", &[&ORIGIN, &far]),
        case("shoot", &[&UNITY, &pair(1, -1)]),
        case("vfrontier", &[&UNITY]),
        case("hfrontier", &[&UNITY]),
        case("backdrop", &[&s.large]),
        case("delta", &[&s.large]),
        case("inbox", &[&s.cells]),
        case("outbox", &[&s.large]),
        case("box", &[&s.large]),
    ]
}

fn paint(s: &Scene) -> Vec<Case> {
    let background = call("ofcolor", &[&s.grid, &F]);
    vec![
        variant("fill", "few", &[&s.grid, &FIVE, &s.twos]),
        variant("fill", "many", &[&s.grid, &FIVE, &background]),
        variant("paint", "object", &[&s.grid, &s.large]),
        variant("paint", "all cells", &[&s.grid, &s.cells]),
        case("underfill", &[&s.grid, &FIVE, &background]),
        case("underpaint", &[&s.grid, &s.large]),
        case("cover", &[&s.grid, &s.large]),
        case("move", &[&s.grid, &s.large, &pair(2, 1)]),
        variant("toobject", "indices", &[&background, &s.grid]),
        case("asobject", &[&s.grid]),
    ]
}

fn pattern(s: &Scene) -> Vec<Case> {
    vec![
        variant("occurrences", "many", &[&s.tiled, &s.piece]),
        variant("occurrences", "few", &[&s.grid, &call("normalize", &[&s.large])]),
        variant("hperiod", "found", &[&s.tiled_cells]),
        variant("hperiod", "none", &[&s.cells]),
        variant("vperiod", "found", &[&s.tiled_cells]),
        variant("vperiod", "none", &[&s.cells]),
    ]
}

fn rank(s: &Scene) -> Vec<Case> {
    let size = prim("size");
    vec![
        case("get_nth_f", &[&s.objects, &T]),
        case("get_nth_by_key_f", &[&s.objects, &T, &size]),
        case("get_color_rank_t", &[&s.grid, &T]),
        case("get_arg_rank", &[&s.objects, &size, &T]),
        case("get_val_rank", &[&s.objects, &size, &T]),
    ]
}

fn selector(s: &Scene) -> Vec<Case> {
    vec![
        case("o_g", &[&s.grid, &FIVE]),
        case("mir_rot_t", &[&s.grid, &TWO]),
        case("p_g", &[&s.grid]),
        case("corner", &[&s.large, &T]),
    ]
}

fn samples(s: &Scene) -> Vec<Case> {
    vec![case("c_iz", &[&s.samples, &prim("p_g")]), case("a_mr", &[&s.samples])]
}

/// The benchmarks of a family on a scene.
type Cases = fn(&Scene) -> Vec<Case>;

/// The families by their source files, in the manual's order.
const FAMILIES: &[(&str, Cases)] = &[
    ("arithmetic", arithmetic),
    ("logic", logic),
    ("container", container),
    ("higher_order", higher_order),
    ("color", color),
    ("measure", measure),
    ("geometry", geometry),
    ("scale", scale),
    ("layout", layout),
    ("objects", objects),
    ("position", position),
    ("lines", lines),
    ("paint", paint),
    ("pattern", pattern),
    ("rank", rank),
    ("selector", selector),
    ("samples", samples),
];

fn families(criterion: &mut Criterion) {
    let scenes = [Scene::new(10), Scene::new(30)];
    for (family, cases) in FAMILIES {
        let mut group = criterion.benchmark_group(*family);
        for scene in &scenes {
            for Case { name, prim, args } in cases(scene) {
                let args: Vec<&Value> = args.iter().collect();
                let mut caller = Caller::default();
                caller.call_prim(prim, &args).expect(&name);
                group.bench_function(format!("{name}/{0}x{0}", scene.side), |bencher| {
                    bencher.iter(|| {
                        caller.reset();
                        caller.call_prim(black_box(prim), black_box(&args))
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(150))
        .measurement_time(Duration::from_millis(400));
    targets = families
}
criterion_main!(benches);
