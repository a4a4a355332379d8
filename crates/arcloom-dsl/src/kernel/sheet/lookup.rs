//! Cell by cell: a table from the colours of several sheets to one colour.

use crate::kernel::sheet::{Made, Sheet};

/// The sheet that has in every cell what the table has for the colours of all sheets there, where the
/// first of them lies. `None` when there are no sheets, they differ in size, or the table lacks a case.
/// Of entries with the same key the first counts.
pub fn lookup(sheets: &[Sheet], table: &[(Vec<u8>, u8)], out: &mut Sheet) -> Made {
    let first = sheets.first()?;
    if sheets.iter().any(|s| s.size() != first.size()) {
        return None;
    }
    out.blank_like(first);
    for (at, cell) in out.cells.iter_mut().enumerate() {
        let colors = || sheets.iter().map(|s| s.cells[at]);
        *cell = table.iter().find(|(key, _)| key.iter().copied().eq(colors()))?.1;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sheet::sheet;

    #[test]
    fn cases_are_looked_up_and_must_be_known() {
        let sheets = [sheet(&["12"]), sheet(&[".3"])];
        let table = [(vec![1, 0], 7), (vec![2, 3], 0), (vec![1, 0], 8)];
        let mut out = Sheet::default();
        lookup(&sheets, &table, &mut out).expect("made");
        assert_eq!(out, sheet(&["7."]));
        assert_eq!(lookup(&sheets, &table[..1], &mut out), None);
        assert_eq!(lookup(&[sheet(&["12"]), sheet(&["."])], &table, &mut out), None);
        assert_eq!(lookup(&[], &table, &mut out), None);
    }
}
