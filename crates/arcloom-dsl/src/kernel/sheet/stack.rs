//! One sheet on another: laying and masking. The result has the frame of the first.

use crate::kernel::sheet::{Made, Sheet, canvas};

/// `over` laid on `under`, each where it lies; what sticks out is cut off.
pub fn lay(under: &Sheet, over: &Sheet, out: &mut Sheet) -> Made {
    out.copy_from(under);
    canvas::lay(over, out, false);
    Some(())
}

/// The cells of `s` on which `mask` shows something; the others become see-through.
pub fn mask(s: &Sheet, mask: &Sheet, out: &mut Sheet) -> Made {
    masked(s, mask, true, out)
}

/// The cells of `s` on which `mask` shows nothing; the others become see-through.
pub fn mask_out(s: &Sheet, mask: &Sheet, out: &mut Sheet) -> Made {
    masked(s, mask, false, out)
}

fn masked(s: &Sheet, mask: &Sheet, within: bool, out: &mut Sheet) -> Made {
    out.copy_from(s);
    let (di, dj) = (s.top - mask.top, s.left - mask.left);
    for (at, cell) in out.cells.iter_mut().enumerate() {
        let (i, j) = ((at / s.width) as i32, (at % s.width) as i32);
        if (mask.get(i + di, j + dj) != 0) != within {
            *cell = 0;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn what_is_not_covered_stays_or_goes() {
        let under = sheet(&["111", "111"]);
        let mut over = sheet(&["2.", "22"]);
        (over.top, over.left) = (1, 1);
        let mut out = Sheet::default();
        lay(&under, &over, &mut out).expect("made");
        assert_eq!(out, sheet(&["111", "121"]));
        mask(&under, &over, &mut out).expect("made");
        assert_eq!(out, sheet(&["...", ".1."]));
        mask_out(&under, &over, &mut out).expect("made");
        assert_eq!(out, sheet(&["111", "1.1"]));
    }
}
