//! Task files as nearly all of them are, read from the bytes straight into grids.
//!
//! Whatever else a file holds, an unknown key, an answer of `null`, an escaped id or a mistake, is left to
//! the tree ([`crate::json`], [`crate::shape`]), which knows more forms and says what is wrong and where.
//! So this gives what the tree gives, or nothing.

use arcloom_value::Grid;

use crate::shape::Document;
use crate::task::{GridLimits, Pair, Task, TestPair};

/// What a task file holds; `None` where the tree is to read it.
pub(crate) fn document(bytes: &[u8], limits: &GridLimits) -> Option<Document> {
    let mut reader = Reader { bytes, at: 0, cells: Vec::new(), limits };
    // Some editors write a byte order mark.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        reader.at = 3;
    }
    let document = reader.document()?;
    (reader.peek().is_none() && reader.at == bytes.len()).then_some(document)
}

/// The next thing is read by each method, which gives `None` where it is something else.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The cells of the grid that is being read.
    cells: Vec<i8>,
    limits: &'a GridLimits,
}

impl<'a> Reader<'a> {
    /// The next byte that is not white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// True where a list or object goes on, false where it ends with `end`.
    #[inline]
    fn goes_on(&mut self, end: u8) -> Option<bool> {
        match self.next()? {
            b',' => Some(true),
            byte if byte == end => Some(false),
            _ => None,
        }
    }

    /// A key of plain ASCII, and the colon after it.
    fn key(&mut self) -> Option<&'a str> {
        self.expect(b'"')?;
        let rest = &self.bytes[self.at..];
        let plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        let len = rest.iter().take_while(|byte| plain(byte)).count();
        self.at += len;
        self.expect(b'"')?;
        self.expect(b':')?;
        std::str::from_utf8(&rest[..len]).ok()
    }

    fn document(&mut self) -> Option<Document> {
        let start = self.at;
        self.expect(b'{')?;
        self.key()?;
        if self.peek()? == b'[' {
            self.at = start;
            return self.task("").map(Document::One);
        }
        self.expect(b'{')?;
        self.key()?;
        let is_task = self.peek()? == b'[';
        self.at = start;
        if is_task {
            return self.tasks().map(Document::Many);
        }
        let mut splits: Vec<(String, Vec<Task>)> = Vec::new();
        self.expect(b'{')?;
        loop {
            let name = self.key()?;
            if splits.iter().any(|(other, _)| other == name) {
                return None;
            }
            splits.push((name.to_owned(), self.tasks()?));
            if !self.goes_on(b'}')? {
                return Some(Document::Splits(splits));
            }
        }
    }

    /// Tasks by id, at least one.
    fn tasks(&mut self) -> Option<Vec<Task>> {
        let mut tasks = Vec::new();
        self.expect(b'{')?;
        loop {
            let id = self.key()?;
            tasks.push(self.task(id)?);
            if !self.goes_on(b'}')? {
                break;
            }
        }
        let mut ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        ids.sort_unstable();
        ids.windows(2).all(|two| two[0] != two[1]).then_some(tasks)
    }

    fn task(&mut self, id: &str) -> Option<Task> {
        let (mut demos, mut tests) = (None, None);
        self.expect(b'{')?;
        loop {
            match self.key()? {
                "train" if demos.is_none() => demos = Some(self.list(Reader::pair)?),
                "test" if tests.is_none() => tests = Some(self.list(Reader::test)?),
                _ => return None,
            }
            if !self.goes_on(b'}')? {
                break;
            }
        }
        let demos: Vec<Pair> = demos.filter(|demos: &Vec<Pair>| !demos.is_empty())?;
        Some(Task { id: id.to_owned(), demos, tests: tests? })
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        self.expect(b'[')?;
        if self.peek()? == b']' {
            self.at += 1;
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if !self.goes_on(b']')? {
                return Some(items);
            }
        }
    }

    fn pair(&mut self) -> Option<Pair> {
        let (input, output) = self.grids()?;
        Some(Pair { input, output: output? })
    }

    fn test(&mut self) -> Option<TestPair> {
        let (input, output) = self.grids()?;
        Some(TestPair::new(input, output))
    }

    fn grids(&mut self) -> Option<(Grid, Option<Grid>)> {
        let (mut input, mut output) = (None, None);
        self.expect(b'{')?;
        loop {
            match self.key()? {
                "input" if input.is_none() => input = Some(self.grid()?),
                "output" if output.is_none() => output = Some(self.grid()?),
                _ => return None,
            }
            if !self.goes_on(b'}')? {
                return Some((input?, output));
            }
        }
    }

    fn grid(&mut self) -> Option<Grid> {
        self.cells.clear();
        let (mut height, mut width) = (0, 0);
        self.expect(b'[')?;
        loop {
            let before = self.cells.len();
            self.row()?;
            let cells = self.cells.len() - before;
            if height > 0 && cells != width {
                return None;
            }
            (height, width) = (height + 1, cells);
            if !self.goes_on(b']')? {
                break;
            }
        }
        let max = self.limits.max_side;
        if height > max || width > max {
            return None;
        }
        Grid::new(height, width, &self.cells)
    }

    /// A row of colours, at least one.
    fn row(&mut self) -> Option<()> {
        // A byte holds colours up to 127, so a larger number of colours changes nothing.
        let colors = self.limits.colors.min(i8::MAX as u8);
        self.expect(b'[')?;
        loop {
            // Nearly all cells are one digit and a comma.
            while let Some(&[digit @ b'0'..=b'9', b',']) = self.bytes[self.at..].first_chunk()
                && digit - b'0' < colors
            {
                self.cells.push((digit - b'0') as i8);
                self.at += 2;
            }
            let mut color = self.next()?.wrapping_sub(b'0');
            // A number starts with 0 only where it is 0.
            while (1..colors).contains(&color)
                && let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at)
            {
                color = color.checked_mul(10)?.checked_add(digit - b'0')?;
                self.at += 1;
            }
            if color >= colors {
                return None;
            }
            self.cells.push(color as i8);
            if !self.goes_on(b']')? {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::shape::Reading;
    use crate::{json, shape};

    /// What the tree says of the same bytes.
    fn by_tree(bytes: &[u8], limits: &GridLimits) -> Option<Document> {
        let path = Path::new("file");
        let root = json::parse(bytes, path).ok()?;
        shape::document(&root, path, &Reading::strict(limits)).ok()
    }

    fn check(text: &str, limits: &GridLimits, is_read: bool) {
        let found = document(text.as_bytes(), limits);
        assert_eq!(found.is_some(), is_read, "{text}");
        assert!(found.is_none() || found == by_tree(text.as_bytes(), limits), "{text}");
    }

    const TASK: &str = r#"{"train":[{"input":[[0,1],[2,3]],"output":[[4]]}],"test":[{"input":[[5]],"output":[[6]]}]}"#;

    #[test]
    fn all_forms_are_read_as_the_tree_reads_them() {
        let open = TASK.replace(r#","output":[[6]]"#, "");
        let none = TASK.replace(r#"{"input":[[5]],"output":[[6]]}"#, "");
        let turned = r#"{ "test" : [ {"output":[[1]], "input":[[0]]} ] , "train":[{"output":[[1]],"input":[[0]]}]}"#;
        let spaced = TASK.replace(',', " ,\r\n\t").replace(':', " : ").replace('[', "[ ") + "\n ";
        let marked = format!("\u{feff}{TASK}");
        for text in [TASK, &open, &none, turned, &spaced, &marked] {
            check(text, &GridLimits::ARC, true);
        }
        for text in [TASK, &open, &none, turned, &spaced] {
            check(&format!(r#"{{"b":{text},"a":{text}}}"#), &GridLimits::ARC, true);
            check(&format!(r#"{{"x":{{"b":{text}}},"y":{{"b":{text}}}}}"#), &GridLimits::ARC, true);
        }
        let fifteen = TASK.replace("[[4]]", "[[15]]");
        check(&fifteen, &GridLimits::SIXTEEN, true);
        check(&fifteen, &GridLimits::ARC, false);
    }

    #[test]
    fn what_is_unusual_is_left_to_the_tree() {
        for (part, other) in [
            ("[[4]]", "[[16]]"),
            ("[[4]]", "[[04]]"),
            ("[[4]]", "[[-1]]"),
            ("[[4]]", "[[4.0]]"),
            ("[[4]]", "[[4e0]]"),
            ("[[4]]", "[[10]]"),
            ("[[4]]", "[[256]]"),
            ("[[4]]", "[[99999999999999999999999]]"),
            ("[[4]]", "[[4],]"),
            ("[[4]]", "[[4,]]"),
            ("[[4]]", "[[]]"),
            ("[[4]]", "[]"),
            ("[[4]]", "4"),
            ("[[4]]", "[[4],[4,4]]"),
            ("[[6]]", "null"),
            ("\"test\"", "\"train\""),
            ("\"test\"", "\"name\":[],\"test\""),
            ("\"train\"", "\"tr\\u0061in\""),
            ("]}]}", "]}]}}"),
            ("]}]}", "]}]"),
        ] {
            check(&TASK.replacen(part, other, 1), &GridLimits::ARC, false);
        }
        let twice = format!(r#"{{"a":{TASK},"a":{TASK}}}"#);
        let mixed = format!(r#"{{"a":{TASK},"b":{{"c":{TASK}}}}}"#);
        let long = TASK.replace("[[4]]", &format!("[[{}0]]", "0,".repeat(64)));
        for text in ["", "[]", "{}", r#"{"a":{}}"#, &twice, &mixed, &long] {
            check(text, &GridLimits::ARC, false);
        }
    }

    /// Every byte of a file replaced, left out and doubled: never a task that the tree does not read.
    #[test]
    fn a_changed_byte_is_never_read_as_something_else() {
        let whole = format!(r#"{{"x":{{"a":{TASK}}},"y":{{"b":{TASK}}}}}"#);
        for text in [TASK, &whole] {
            for at in 0..text.len() {
                let (before, after) = (&text[..at], &text[at + 1..]);
                let old = &text[at..=at];
                for new in
                    ["", "0", "1", "9", "[", "]", "{", "}", ",", ":", "\"", " ", "\\", "x", "\0"]
                {
                    for changed in
                        [format!("{before}{new}{after}"), format!("{before}{old}{new}{after}")]
                    {
                        let found = document(changed.as_bytes(), &GridLimits::ARC);
                        let is_same = || found == by_tree(changed.as_bytes(), &GridLimits::ARC);
                        assert!(found.is_none() || is_same(), "{changed}");
                    }
                }
            }
        }
    }
}
