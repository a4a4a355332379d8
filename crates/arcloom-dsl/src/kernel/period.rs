//! Periods of patterns.
//!
//! A pattern has period `p` when every cell at `p` or beyond finds its like `p` before it. Cells that
//! are missing never object, so the farthest cell alone leaves few periods to try: the distances to
//! its likes in the same line.

use arcloom_value::Patch;

use super::mask::window;

/// The smallest horizontal period of an object below its width.
pub fn horizontal(object: &Patch) -> Option<usize> {
    let frame = object.frame();
    let stride = frame.stride();
    let last = frame.width as usize - 1;
    let rows = object.words().chunks_exact(stride);
    let farthest = rows.clone().find(|row| bit(row, last))?;
    (1..=last).filter(|&p| bit(farthest, last - p)).find(|&p| {
        rows.clone().all(|row| (0..stride).all(|w| window(row, (w * 64 + p) as i64) & !row[w] == 0))
    })
}

/// The smallest vertical period of an object below its height.
pub fn vertical(object: &Patch) -> Option<usize> {
    let frame = object.frame();
    let stride = frame.stride();
    let last = frame.height as usize - 1;
    let layers = object.words().chunks_exact(frame.layer_words());
    let farthest = layers.clone().find_map(|layer| {
        let column = (0..frame.width as usize).find(|&j| bit(&layer[last * stride..], j))?;
        Some((layer, column))
    });
    let (farthest, column) = farthest?;
    (1..=last).filter(|&p| bit(&farthest[(last - p) * stride..], column)).find(|&p| {
        layers.clone().all(|layer| {
            layer[p * stride..].iter().zip(layer).all(|(below, above)| below & !above == 0)
        })
    })
}

#[inline]
fn bit(row: &[u64], at: usize) -> bool {
    row[at / 64] >> (at % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mask::tests::Random;
    use arcloom_value::PatchBuf;

    /// The definition, cell by cell.
    fn naive(object: &Patch, vertical: bool) -> Option<usize> {
        let frame = object.frame();
        let side = if vertical { frame.height } else { frame.width } as i32;
        let period = (1..side).find(|&p| {
            object.cells().all(|(c, i, j)| {
                let (i, j) = if vertical { (i - p, j) } else { (i, j - p) };
                i < frame.top || j < frame.left || object.has_cell(c, i.into(), j.into())
            })
        });
        period.map(|p| p as usize)
    }

    #[test]
    fn periods_match_their_definition() {
        let mut random = Random(11);
        let mut found = 0;
        for round in 0..4000 {
            let height = 1 + random.below(9);
            let width = if round % 4 == 0 { 50 + random.below(100) } else { 1 + random.below(12) };
            let (down, right) = (1 + random.below(5), 1 + random.below(7));
            let holes = random.below(3);
            let seed = random.next();
            let mut buf = PatchBuf::object(-5, 3, height, width);
            for i in 0..height {
                for j in 0..width {
                    let kind = seed >> ((i % down * 7 + j % right) % 60) & 3;
                    if kind < 3 && random.below(40) >= holes {
                        buf.set_cell(kind as i8, i, j);
                    }
                }
            }
            let Some(object) = buf.finish() else { continue };
            assert_eq!(horizontal(&object), naive(&object, false), "{object:?}");
            assert_eq!(vertical(&object), naive(&object, true), "{object:?}");
            found += usize::from(horizontal(&object).is_some());
        }
        assert!(found > 500, "{found}");
    }
}
