//! Columns as bytes, to be kept in a file.
//!
//! Numbers are written seven bits at a time, low ones first; codes are shifted so that the three that
//! are no grids are the smallest. What was not written here reads as nothing.

use arcloom_value::Grid;

use super::{Column, GridCode};

/// First byte: the form. Changes with everything below.
const FORM: u8 = 1;
/// Codes that are no grids.
const SPECIAL: u32 = 3;

impl Column {
    /// The column as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORM];
        write(&mut bytes, self.codes.len() as u32);
        self.codes.iter().for_each(|code| write(&mut bytes, code.0.wrapping_add(SPECIAL)));
        write(&mut bytes, self.grids.len() as u32);
        for grid in &self.grids {
            write(&mut bytes, grid.height() as u32);
            write(&mut bytes, grid.width() as u32);
            bytes.extend(grid.cells().iter().map(|cell| cell.cast_unsigned()));
        }
        bytes
    }

    /// The column of these bytes, of a batt with so many nodes; `None` for any other bytes.
    pub fn from_bytes(bytes: &[u8], nodes: usize) -> Option<Column> {
        let (&form, mut rest) = bytes.split_first()?;
        if form != FORM || read(&mut rest)? as usize != nodes || nodes > rest.len() {
            return None;
        }
        let codes: Vec<GridCode> = (0..nodes)
            .map(|_| read(&mut rest).map(|code| GridCode(code.wrapping_sub(SPECIAL))))
            .collect::<Option<_>>()?;
        let count = read(&mut rest)? as usize;
        if count > rest.len() || codes.iter().filter_map(|code| code.grid()).any(|n| n >= count) {
            return None;
        }
        let mut grids = Vec::with_capacity(count);
        for _ in 0..count {
            let (height, width) = (read(&mut rest)? as usize, read(&mut rest)? as usize);
            let cells;
            (cells, rest) = rest.split_at_checked(height.checked_mul(width)?)?;
            let cells: Vec<i8> = cells.iter().map(|cell| cell.cast_signed()).collect();
            grids.push(Grid::new(height, width, &cells)?);
        }
        rest.is_empty().then_some(Column { codes, grids, marks: Vec::new() })
    }
}

fn write(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for place in 0..5 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return u32::try_from(number).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_nothing_else() {
        let grid = |rows: &[&[i8]]| Grid::from_rows(rows).unwrap();
        // Lists of pairs are grids too, and long.
        let long = vec![[7, -7]; 20_000];
        let grids = vec![grid(&[&[1, -1, 0]]), Grid::from_rows(&long).unwrap()];
        let codes = [0, 1, 0].map(GridCode).into_iter();
        let codes = codes.chain([GridCode::FAILED, GridCode::STOPPED, GridCode::OTHER]).collect();
        let column = Column { codes, grids, marks: Vec::new() };
        let bytes = column.to_bytes();
        assert_eq!(Column::from_bytes(&bytes, 6), Some(column));
        assert_eq!(Column::from_bytes(&bytes, 5), None);
        for end in (0..30).chain(bytes.len() - 5..bytes.len()) {
            assert_eq!(Column::from_bytes(&bytes[..end], 6), None, "{end}");
        }
        for place in 0..30 {
            let mut wrong = bytes.clone();
            wrong[place] ^= 0x55;
            // Other cells are another column; whatever it is, reading it is no accident.
            let _ = Column::from_bytes(&wrong, 6);
        }
    }
}
