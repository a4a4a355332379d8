//! Constants as the device has them: headers, and words that they refer to.

use arcloom_value::{FixedMap, Value};

use super::Reason;

/// Words before the constants in a group's part of the heap: `CONSTS_AT` of the kernel text.
const BASE: usize = 24;
/// Words of a header.
const HEADER: usize = 8;
/// Largest area and side of a grid or box: as in the kernel text.
const MAX_AREA: usize = 4096;
const MAX_SIDE: usize = 512;
/// The byte of a box where there is nothing.
const ABSENT: i8 = -128;

/// Kinds of values: as in the kernel text.
mod kind {
    pub(super) const NONE: i32 = 2;
    pub(super) const INT: i32 = 3;
    pub(super) const PAIR: i32 = 4;
    pub(super) const CELL: i32 = 5;
    pub(super) const GRID: i32 = 6;
    pub(super) const TUPLE: i32 = 7;
    pub(super) const POS: i32 = 8;
    pub(super) const OBJ: i32 = 9;
    pub(super) const SET: i32 = 10;
}

/// Constants, each once.
#[derive(Debug, Default)]
pub(super) struct Pool {
    values: Vec<Value>,
    places: FixedMap<Value, u32>,
}

impl Pool {
    /// The place of a constant.
    pub(super) fn add(&mut self, value: &Value) -> Result<u32, Reason> {
        if let Some(&place) = self.places.get(value) {
            return Ok(place);
        }
        check(value, 0)?;
        let place = self.values.len() as u32;
        self.values.push(value.clone());
        self.places.insert(value.clone(), place);
        Ok(place)
    }

    /// Headers in the order of their places, then what they refer to.
    pub(super) fn into_words(self) -> Vec<i32> {
        let mut words = vec![0; self.values.len() * HEADER];
        for (n, value) in self.values.iter().enumerate() {
            let header = header(value, &mut words);
            words[n * HEADER..(n + 1) * HEADER].copy_from_slice(&header);
        }
        words.resize(words.len().next_multiple_of(HEADER), 0);
        words
    }
}

/// Whether the device can hold a value.
fn check(value: &Value, depth: usize) -> Result<(), Reason> {
    let fits = match value {
        Value::None | Value::Pair(..) | Value::Cell(..) => true,
        Value::Int(n) => i32::try_from(*n).is_ok_and(|n| n != i32::MIN),
        Value::Grid(grid) => {
            grid.cells().len() <= MAX_AREA
                && grid.height().max(grid.width()) <= MAX_SIDE
                && !grid.cells().contains(&ABSENT)
        }
        Value::Patch(patch) => {
            let frame = patch.frame();
            let (height, width) = (frame.height as usize, frame.width as usize);
            // One colour for each place.
            let plain = patch.places().len() == patch.len();
            plain && height.max(width) <= MAX_SIDE && height * width <= MAX_AREA
        }
        Value::Tuple(seq) | Value::Set(seq) => {
            for item in seq.items() {
                check(item, depth + 1)?;
            }
            depth < 3 && seq.items().len() <= MAX_AREA
        }
        Value::Prim(_) | Value::Closure(_) => return Err(Reason::Function),
    };
    if fits { Ok(()) } else { Err(Reason::Constant) }
}

/// The header of a value that passed [`check`]; what it refers to is appended to `words`.
fn header(value: &Value, words: &mut Vec<i32>) -> [i32; HEADER] {
    let [k, a, b, h, w, n, off] = match value {
        Value::Int(n) => [kind::INT, *n as i32, 0, 0, 0, 0, 0],
        Value::Pair(a, b) => [kind::PAIR, *a, *b, 0, 0, 0, 0],
        Value::Cell(c, a, b) => [kind::CELL, *a, *b, i32::from(*c), 0, 0, 0],
        Value::Grid(grid) => {
            let off = add_bytes(grid.cells(), words);
            [kind::GRID, 0, 0, grid.height() as i32, grid.width() as i32, 0, off]
        }
        Value::Patch(patch) => {
            let frame = patch.frame();
            let (height, width) = (frame.height as usize, frame.width as usize);
            let mut cells = vec![ABSENT; height * width];
            for (color, i, j) in patch.cells() {
                let place = (i - frame.top) as usize * width + (j - frame.left) as usize;
                cells[place] = if patch.is_object() { color } else { 0 };
            }
            let off = add_bytes(&cells, words);
            let kind = if patch.is_object() { kind::OBJ } else { kind::POS };
            let count = patch.len() as i32;
            [kind, frame.top, frame.left, height as i32, width as i32, count, off]
        }
        Value::Tuple(seq) | Value::Set(seq) => {
            let items: Vec<[i32; HEADER]> =
                seq.items().iter().map(|item| header(item, words)).collect();
            words.resize(words.len().next_multiple_of(HEADER), 0);
            let off = (BASE + words.len()) as i32;
            words.extend(items.iter().flatten());
            let kind = if value.is_set() { kind::SET } else { kind::TUPLE };
            [kind, 0, 0, 0, 0, items.len() as i32, off]
        }
        Value::None | Value::Prim(_) | Value::Closure(_) => [kind::NONE, 0, 0, 0, 0, 0, 0],
    };
    [k, a, b, h, w, n, off, 0]
}

fn add_bytes(cells: &[i8], words: &mut Vec<i32>) -> i32 {
    let off = (BASE + words.len()) as i32;
    words.extend(cells.chunks(4).map(|chunk| {
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(chunk).for_each(|(byte, cell)| *byte = cell.cast_unsigned());
        i32::from_ne_bytes(bytes)
    }));
    off
}
