//! The way that a program takes through its steps: what the values of each step are like on the demos.

use arcloom_lang::{NodeId, Program, infer};
use arcloom_value::{Role, Ty, Value};

use smallvec::SmallVec;

use super::range::{Freedom, Range};
use super::recast::Recast;

/// Numbers of one value.
const LEN: usize = 9;

/// What a value is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sign {
    form: ValueForm,
    numbers: [i32; LEN],
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueForm {
    /// `None`, functions: nothing is asked.
    Other,
    Int,
    Pair,
    Cell,
    Grid,
    Patch,
    Tuple,
    Set,
}

impl ValueForm {
    /// The freedom of the numbers of such a value.
    fn freedoms(self, ty: &Ty) -> [Freedom; LEN] {
        use Freedom::{Any, Range, Wide};
        match self {
            ValueForm::Int if *ty == Ty::Int(Role::Bool) => [Any; LEN],
            ValueForm::Int => [Wide, Any, Any, Any, Any, Any, Any, Any, Any],
            ValueForm::Pair => [Wide, Wide, Any, Any, Any, Any, Any, Any, Any],
            ValueForm::Cell => [Wide, Wide, Any, Any, Any, Any, Any, Any, Any],
            ValueForm::Grid => [Range, Range, Range, Any, Any, Any, Any, Any, Any],
            ValueForm::Patch => [Wide, Wide, Wide, Range, Any, Any, Wide, Any, Any],
            ValueForm::Tuple | ValueForm::Set => [Wide, Wide, Wide, Any, Any, Any, Any, Any, Any],
            ValueForm::Other => [Any; LEN],
        }
    }
}

fn sign(value: &Value) -> Sign {
    let of = |form: ValueForm, some: &[i32]| {
        let mut numbers = [0; LEN];
        numbers.iter_mut().zip(some).for_each(|(number, n)| *number = *n);
        Sign { form, numbers }
    };
    match value {
        Value::Int(n) => of(ValueForm::Int, &[(*n).clamp(-9999, 9999) as i32]),
        Value::Pair(i, j) => of(ValueForm::Pair, &[*i, *j, (*i).signum(), (*j).signum()]),
        Value::Cell(_, i, j) => of(ValueForm::Cell, &[*i, *j]),
        Value::Grid(grid) => {
            let bits = grid.cells().iter().fold(0u16, |bits, cell| bits | 1 << (cell & 15));
            let (height, width) = (grid.height() as i32, grid.width() as i32);
            of(ValueForm::Grid, &[height, width, bits.count_ones() as i32])
        }
        Value::Patch(patch) => {
            let frame = patch.frame();
            let (height, width) = (frame.height as i32, frame.width as i32);
            let is_full = i32::from(frame.count as i32 == height.saturating_mul(width));
            let (count, layers) = (frame.count as i32, i32::from(frame.layers));
            let square = i32::from(height == width);
            let (narrow, odd) = (height.min(width), [height % 2, width % 2]);
            let odd = [odd[0].max(odd[1]), odd[0].min(odd[1])];
            let numbers = [count, height, width, layers, is_full, square, narrow, odd[0], odd[1]];
            of(ValueForm::Patch, &numbers)
        }
        Value::Tuple(_) | Value::Set(_) => {
            let form = if value.is_set() { ValueForm::Set } else { ValueForm::Tuple };
            of(form, &list(value))
        }
        Value::None | Value::Prim(_) | Value::Closure(_) => of(ValueForm::Other, &[]),
    }
}

/// Number of elements; size of the smallest and the largest; whether several are the smallest, or the
/// largest; whether all have one size, or each its own.
fn list(value: &Value) -> [i32; 7] {
    let len = value.len().unwrap_or(0);
    let (mut least, mut most, mut least_count, mut most_count) = (i32::MAX, 0, 0, 0);
    let mut sizes: SmallVec<[i32; 16]> = SmallVec::new();
    // What is longer than any list of objects is not looked through.
    if len <= 128 {
        for item in value.iter().into_iter().flatten() {
            let size = match &item {
                Value::Patch(patch) => patch.len() as i32,
                Value::Grid(grid) => grid.cells().len() as i32,
                Value::Tuple(_) | Value::Set(_) => item.len().unwrap_or(0) as i32,
                _ => 1,
            };
            sizes.push(size);
            if size < least {
                (least, least_count) = (size, 0);
            }
            if size > most {
                (most, most_count) = (size, 0);
            }
            least_count += i32::from(size == least);
            most_count += i32::from(size == most);
        }
    }
    let least = if len == 0 { 0 } else { least };
    sizes.sort_unstable();
    let all_differ = sizes.windows(2).all(|two| two[0] != two[1]);
    [
        len as i32,
        least,
        most,
        i32::from(least_count > 1),
        i32::from(most_count > 1),
        i32::from(least == most),
        i32::from(all_differ),
    ]
}

/// What the values of one step are like on the demos.
#[derive(Debug, Clone)]
enum Values {
    /// Not reached yet.
    Unseen,
    /// Of one form.
    Like(ValueForm, [Range; LEN]),
    /// Of several.
    Mixed,
}

/// What the values of all steps are like on the demos.
#[derive(Debug, Clone)]
pub(super) struct Way {
    types: Vec<Ty>,
    values: Vec<Values>,
}

impl Way {
    pub(super) fn new(program: &Program) -> Way {
        let types = infer::types(program);
        Way { values: vec![Values::Unseen; types.len()], types }
    }

    /// Takes in the value of a step on a demo.
    pub(super) fn see(&mut self, node: NodeId, value: &Value) {
        let sign = sign(value);
        let values = &mut self.values[node.index()];
        if matches!(values, Values::Unseen) {
            let freedoms = sign.form.freedoms(&self.types[node.index()]);
            *values = Values::Like(sign.form, freedoms.map(Range::new));
        }
        match values {
            Values::Like(form, ranges) if *form == sign.form => {
                ranges.iter_mut().zip(sign.numbers).for_each(|(range, n)| range.see(n));
            }
            _ => *values = Values::Mixed,
        }
    }

    /// True when the value of a step is like those on the demos.
    pub(super) fn admits(&self, node: NodeId, value: &Value) -> bool {
        match &self.values[node.index()] {
            Values::Mixed => true,
            Values::Unseen => false,
            Values::Like(ValueForm::Other, _) => true,
            Values::Like(form, ranges) => {
                let sign = sign(value);
                let color = self.is_color(node) && *form == ValueForm::Int;
                let mut ranges = ranges.iter().zip(sign.numbers);
                *form == sign.form && (color || ranges.all(|(range, n)| range.admits(n)))
            }
        }
    }

    /// True when the step gives a colour.
    pub(super) fn is_color(&self, node: NodeId) -> bool {
        self.types[node.index()] == Ty::COLOR
    }
}

/// The colours that the steps of a program came to on an input, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Colors(Vec<i8>);

impl Colors {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes the next colour; false when another one is known to be there.
    pub(super) fn note(&mut self, value: &Value, known: Option<(&Colors, &Recast)>) -> bool {
        let color = value.as_int().map_or(-1, |n| n.clamp(-1, 99) as i8);
        let place = self.0.len();
        self.0.push(color);
        known.is_none_or(|(known, recast)| {
            known.0.get(place).is_none_or(|known| recast.color(*known) == color)
        })
    }
}
