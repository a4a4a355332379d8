//! JSON text to a compact tree: lists of integers become rows of bytes while they are read.
//!
//! A general JSON tree spends 30 to 70 bytes on each cell of a grid; this one spends one. It knows
//! nothing of tasks, see [`crate::shape`] for that, and keeps whatever is not a small integer so that
//! the reader can say what it met instead.

use std::fmt;
use std::path::Path;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::error::{CorpusError, quote};

/// Rows are rarely longer, so this saves growing them.
const USUAL_WIDTH: usize = 30;

/// One JSON value.
#[derive(Debug)]
pub(crate) enum Node {
    Int(i64),
    /// A scalar that is not an integer, as text for messages.
    Scalar(String),
    /// A list that starts with a scalar.
    Row(Row),
    /// An empty list, or one that starts with a list or an object.
    List(Vec<Node>),
    /// An object in file order, without repeated keys.
    Object(Vec<(String, Node)>),
}

/// A list of scalars.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// The elements before the first one that is not an integer from -128 to 127.
    pub(crate) cells: Vec<i8>,
    /// That element.
    pub(crate) bad: Option<Box<Node>>,
    /// Number of all elements.
    pub(crate) len: usize,
}

impl Row {
    fn push(&mut self, node: Node) {
        self.len += 1;
        match node {
            _ if self.bad.is_some() => {}
            Node::Int(n) if i8::try_from(n).is_ok() => self.cells.push(n as i8),
            other => self.bad = Some(Box::new(other)),
        }
    }
}

impl Node {
    /// The value under `key`, when this is an object that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Object(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// What this is, in a message's words.
    pub(crate) fn describe(&self) -> String {
        match self {
            Node::Int(n) => n.to_string(),
            Node::Scalar(text) => text.clone(),
            Node::Row(_) => "a list of single values".to_owned(),
            Node::List(items) if items.is_empty() => "an empty list".to_owned(),
            Node::List(_) => "a list".to_owned(),
            Node::Object(_) => "an object".to_owned(),
        }
    }
}

/// Parses the bytes of a file; `path` is only for messages.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Node, CorpusError> {
    let text = match std::str::from_utf8(bytes) {
        // Some editors write a byte order mark, which JSON does not know.
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(e) => {
            let good = String::from_utf8_lossy(&bytes[..e.valid_up_to()]);
            let line = good.matches('\n').count() + 1;
            let column = good.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            return Err(CorpusError::NotUtf8 { path: path.to_path_buf(), line, column });
        }
    };
    let mut de = serde_json::Deserializer::from_str(text);
    Seed.deserialize(&mut de).and_then(|node| de.end().map(|()| node)).map_err(|e| {
        let whole = e.to_string();
        let what = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(what, _)| what);
        let problem = if text.trim().is_empty() {
            "the file is empty; fetch or copy it again".to_owned()
        } else if e.is_eof() {
            "the JSON ends in the middle; the file looks cut off, fetch or copy it again".to_owned()
        } else if e.is_data() {
            format!("{what}; correct the file there")
        } else {
            format!("not valid JSON, {what}; correct the file there")
        };
        CorpusError::Json {
            path: path.to_path_buf(),
            line: e.line().max(1),
            column: e.column().max(1),
            problem,
        }
    })
}

struct Seed;

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Node, D::Error> {
        de.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_i64<E>(self, n: i64) -> Result<Node, E> {
        Ok(Node::Int(n))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Node, E> {
        Ok(i64::try_from(n).map_or_else(|_| Node::Scalar(n.to_string()), Node::Int))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Node, E> {
        Ok(Node::Scalar(format!("{n:?}")))
    }

    fn visit_bool<E>(self, b: bool) -> Result<Node, E> {
        Ok(Node::Scalar(b.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Scalar("null".to_owned()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Scalar(quote(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let Some(first) = seq.next_element_seed(Seed)? else { return Ok(Node::List(Vec::new())) };
        if matches!(first, Node::Int(_) | Node::Scalar(_)) {
            let mut row = Row { cells: Vec::with_capacity(USUAL_WIDTH), ..Row::default() };
            row.push(first);
            while let Some(node) = seq.next_element_seed(Seed)? {
                row.push(node);
            }
            return Ok(Node::Row(row));
        }
        let mut items = vec![first];
        while let Some(node) = seq.next_element_seed(Seed)? {
            items.push(node);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            entries.push((key, map.next_value_seed(Seed)?));
        }
        let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        match keys.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(de::Error::custom(format!(
                "the key {} appears twice in one object",
                quote(pair[0])
            ))),
            None => Ok(Node::Object(entries)),
        }
    }
}
