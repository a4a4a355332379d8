//! What a program does on a task, as one short hash.

use std::fmt;

use arcloom_value::Grid;

/// What a program does on all inputs of a task. Displays as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Behaviour(pub [u8; 16]);

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Names the form; changing anything below means changing it, because the hashes are stored.
const FORM: &[u8] = b"arcloom behaviour 1\0";

/// The hash of all outputs, each with the input it belongs to, in any order. `None` where there is
/// no grid, whatever the reason: programs that fail differently behave the same.
///
/// The public sets repeat tasks with their pairs in another order, so the order must not count.
pub fn behaviour<'g>(pairs: impl IntoIterator<Item = (&'g Grid, Option<&'g Grid>)>) -> Behaviour {
    let one = |(input, output): (&Grid, Option<&Grid>)| {
        let mut hasher = blake3::Hasher::new();
        update(&mut hasher, input);
        if let Some(grid) = output {
            update(&mut hasher, grid);
        }
        *hasher.finalize().as_bytes()
    };
    let mut hashes: Vec<[u8; 32]> = pairs.into_iter().map(one).collect();
    hashes.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    hasher.update(FORM);
    hashes.iter().for_each(|hash| {
        hasher.update(hash);
    });
    let mut short = [0; 16];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    Behaviour(short)
}

fn update(hasher: &mut blake3::Hasher, grid: &Grid) {
    hasher.update(&(grid.height() as u32).to_le_bytes());
    hasher.update(&(grid.width() as u32).to_le_bytes());
    let cells: Vec<u8> = grid.cells().iter().map(|cell| cell.cast_unsigned()).collect();
    hasher.update(&cells);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_count_and_order_does_not() {
        let grid = |cells: &[i8]| Grid::new(1, cells.len(), cells).unwrap();
        let (a, b, c) = (grid(&[1]), grid(&[2]), grid(&[1, 2]));
        let one = behaviour([(&a, Some(&b)), (&c, None)]);
        assert_eq!(one, behaviour([(&c, None), (&a, Some(&b))]));
        assert_ne!(one, behaviour([(&c, None), (&a, Some(&c))]));
        assert_ne!(one, behaviour([(&c, None), (&a, None)]));
    }
}
