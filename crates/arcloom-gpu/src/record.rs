//! What comes back from a device for a node on an input: 12 bytes.

use arcloom_value::{Grid, Value};

/// Bytes of a record.
pub const BYTES: usize = 12;
/// Words of a record.
pub const WORDS: usize = 3;

/// What a node came to on an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// It failed.
    Failed,
    /// It left what the device can hold: the CPU is to do it again.
    Over,
    /// A value that is not a grid, with a hash of it.
    Other(u64),
    /// A grid.
    Grid(Seen),
}

/// What is known of a grid that stayed on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// A hash of size and cells: equal grids have equal ones.
    pub print: u64,
    /// Cells that are as in the expected grid; `None` when that has another size or there is none.
    pub right: Option<u32>,
    /// True when it may be an answer: sides up to 64, colours from 0 to 15.
    pub plain: bool,
}

impl Record {
    /// Reads a record as the kernel writes it.
    pub fn new([low, high, info]: [u32; WORDS]) -> Record {
        match info & 3 {
            0 => Record::Failed,
            1 => Record::Over,
            2 => Record::Other(join(low, high)),
            _ => Record::Grid(Seen {
                print: join(low, high),
                right: (info & 4 != 0).then_some(info >> 4),
                plain: info & 8 != 0,
            }),
        }
    }
}

/// The hash that the kernel gives a grid.
pub fn print_of(grid: &Grid) -> u64 {
    let (mut low, mut high) = (0u32, 0u32);
    for (n, &cell) in (0u32..).zip(grid.cells()) {
        let color = (i32::from(cell) + 129).cast_unsigned();
        let hash = scramble(n.wrapping_mul(0x9e37_79b1).wrapping_add(color));
        low = low.wrapping_add(hash);
        high = high.wrapping_add(scramble(hash ^ 0x68bc_21eb));
    }
    let shape = (grid.height() as u32).wrapping_mul(1024).wrapping_add(grid.width() as u32);
    low = low.wrapping_add(scramble(shape));
    high = high.wrapping_add(scramble(shape ^ 0x2545_f491));
    join(low, high)
}

/// The hash that the kernel gives a value that is no grid; elements of elements do not count.
pub fn print_of_other(value: &Value) -> u64 {
    let print = |seed: u32| {
        let hash = leaf(value, seed);
        match value {
            Value::Tuple(seq) | Value::Set(seq) => seq
                .items()
                .iter()
                .fold(hash, |hash, item| fold(hash, leaf(item, seed).cast_signed())),
            _ => hash,
        }
    };
    join(print(1), print(2))
}

/// The hash of a value without what its elements are; its kinds are those of the kernel text.
fn leaf(value: &Value, seed: u32) -> u32 {
    let begin = |kind: u32| scramble(seed.wrapping_add(kind * 77));
    let all = |hash: u32, parts: &[i32]| parts.iter().fold(hash, |hash, &part| fold(hash, part));
    match value {
        Value::Int(n) => all(begin(3), &[*n as i32]),
        Value::Pair(a, b) => all(begin(4), &[*a, *b]),
        Value::Cell(c, a, b) => all(begin(5), &[(*c).into(), *a, *b]),
        Value::Grid(grid) => {
            let hash = all(begin(6), &[grid.height() as i32, grid.width() as i32]);
            grid.cells().iter().fold(hash, |hash, &cell| fold(hash, cell.into()))
        }
        Value::Patch(patch) => {
            let frame = patch.frame();
            let (height, width) = (frame.height as usize, frame.width as usize);
            let kind = if patch.is_object() { 9 } else { 8 };
            let parts = [frame.top, frame.left, height as i32, width as i32];
            let mut cells = vec![-128; height * width];
            for (color, i, j) in patch.cells() {
                let place = (i - frame.top) as usize * width + (j - frame.left) as usize;
                cells[place] = if patch.is_object() { i32::from(color) } else { 0 };
            }
            all(all(begin(kind), &parts), &cells)
        }
        Value::Tuple(seq) => all(begin(7), &[seq.items().len() as i32]),
        Value::Set(seq) => all(begin(10), &[seq.items().len() as i32]),
        Value::None | Value::Prim(_) | Value::Closure(_) => begin(2),
    }
}

fn fold(hash: u32, part: i32) -> u32 {
    let part = part.cast_unsigned().wrapping_add(0x9e37);
    scramble(hash.wrapping_mul(31).wrapping_add(part))
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn scramble(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}
