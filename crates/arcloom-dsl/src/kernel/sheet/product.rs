//! Pictures of pictures: every cell of one becomes a copy of the other.

use crate::kernel::sheet::{Made, Sheet};

/// For every visible cell of `large` a copy of `small`, in its own colours or, `dyed`, in the colour of
/// the cell; nothing for the others. At the origin.
pub fn product(large: &Sheet, small: &Sheet, dyed: bool, out: &mut Sheet) -> Made {
    let (h, w) = small.size();
    out.fill((0, 0), (large.height.checked_mul(h)?, large.width.checked_mul(w)?), 0)?;
    let wide = out.width;
    for (at, &color) in large.cells.iter().enumerate().filter(|(_, c)| **c != 0) {
        let (top, left) = (at / large.width * h, at % large.width * w);
        for i in 0..h {
            let start = (top + i) * wide + left;
            for (to, &cell) in out.cells[start..start + w].iter_mut().zip(small.row(i)) {
                *to = if dyed && cell != 0 { color } else { cell };
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn every_cell_is_a_copy() {
        let mut out = Sheet::default();
        product(&sheet(&["1.", ".2"]), &sheet(&["34"]), false, &mut out).expect("made");
        assert_eq!(out, sheet(&["34..", "..34"]));
        product(&sheet(&["1.", ".2"]), &sheet(&["3."]), true, &mut out).expect("made");
        assert_eq!(out, sheet(&["1...", "..2."]));
    }
}
