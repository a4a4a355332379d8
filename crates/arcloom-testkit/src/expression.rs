//! Random expressions as text, by what they should give.
//!
//! Unlike [`crate::random_program`], which aims at breadth, these keep to the few kinds that rewrite
//! rules are about, and now and then put something else in the place of one: rules must leave alone
//! what they are not exact for.

use arcloom_dsl::Registry;

use crate::choice::Chooser;

/// Makes expressions of the input `I`.
pub struct Expression<'c, C> {
    choice: &'c mut C,
    /// One expression in this many is of another kind than asked for.
    odd: usize,
}

impl<'c, C: Chooser> Expression<'c, C> {
    /// Expressions after the decisions of `choice`.
    pub fn new(choice: &'c mut C) -> Expression<'c, C> {
        Expression { choice, odd: 12 }
    }

    /// One of some words.
    pub fn word(&mut self, words: &str) -> String {
        let words: Vec<&str> = words.split_whitespace().collect();
        self.choice.pick(&words).copied().unwrap_or_default().to_string()
    }

    /// A mirror or rotation.
    pub fn turn(&mut self) -> String {
        self.word("rot90 rot180 rot270 hmirror vmirror dmirror cmirror")
    }

    /// A grid, nearly always.
    pub fn grid(&mut self, depth: usize) -> String {
        if depth == 0 || self.choice.once_in(3) {
            return "I".to_string();
        }
        if self.choice.once_in(self.odd) {
            return self.any(depth - 1);
        }
        let grid = self.grid(depth - 1);
        match self.choice.below(12) {
            0..=2 => format!("{}({grid})", self.turn()),
            3 => format!("replace({grid}, {}, {})", self.int(depth - 1), self.int(depth - 1)),
            4 => format!("switch({grid}, {}, {})", self.int(depth - 1), self.int(depth - 1)),
            5 => format!("fill({grid}, {}, {})", self.int(depth - 1), self.set(depth - 1)),
            6 => format!("paint({grid}, asobject({}))", self.grid(depth - 1)),
            7 => format!("hconcat({grid}, {})", self.grid(depth - 1)),
            8 => format!("cover({grid}, {})", self.set(depth - 1)),
            9 => format!("branch({}, {grid}, I)", self.int(depth - 1)),
            10 => format!("tophalf({grid})"),
            _ => format!("canvas({}, {})", self.int(depth - 1), self.pair(depth - 1)),
        }
    }

    /// An integer, nearly always.
    pub fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.choice.once_in(3) {
            return (self.choice.below(13) as i64 - 2).to_string();
        }
        if self.choice.once_in(self.odd) {
            return self.any(depth - 1);
        }
        match self.choice.below(11) {
            0 => format!("{}({})", self.word("height width"), self.grid(depth - 1)),
            1 => format!("size({})", self.set(depth - 1)),
            2 => format!("colorcount({}, {})", self.grid(depth - 1), self.int(depth - 1)),
            3 => format!("{}({})", self.word("mostcolor leastcolor"), self.grid(depth - 1)),
            4 | 5 => {
                let step = self.word("increment decrement double halve invert");
                format!("{step}({})", self.int(depth - 1))
            }
            6 => {
                let name = self.word("add subtract multiply divide");
                format!("{name}({}, {})", self.int(depth - 1), self.int(depth - 1))
            }
            7 => format!("equality({}, {})", self.any(depth - 1), self.any(depth - 1)),
            8 => format!("{}({})", self.word("first last"), self.pair(depth - 1)),
            9 => format!("first({})", self.set(depth - 1)),
            _ => format!("{}({})", self.word("positive even flip"), self.int(depth - 1)),
        }
    }

    /// A pair of integers, nearly always.
    pub fn pair(&mut self, depth: usize) -> String {
        if depth == 0 || self.choice.once_in(3) {
            return format!("({}, {})", self.choice.below(6), self.choice.below(6));
        }
        if self.choice.once_in(self.odd) {
            return self.any(depth - 1);
        }
        match self.choice.below(5) {
            0 => format!("shape({})", self.grid(depth - 1)),
            1 => format!("astuple({}, {})", self.int(depth - 1), self.int(depth - 1)),
            2 => format!("{}({})", self.word("increment decrement"), self.pair(depth - 1)),
            3 => format!("add({}, {})", self.pair(depth - 1), self.pair(depth - 1)),
            _ => format!("ulcorner({})", self.set(depth - 1)),
        }
    }

    /// A set, nearly always.
    pub fn set(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.word("palette(I) asindices(I) asobject(I) objects(I,T,F,T)");
        }
        if self.choice.once_in(self.odd) {
            return self.any(depth - 1);
        }
        match self.choice.below(8) {
            0 => format!("ofcolor({}, {})", self.grid(depth - 1), self.int(depth - 1)),
            1 => {
                let name = self.word("palette asindices asobject partition fgpartition frontiers");
                format!("{name}({})", self.grid(depth - 1))
            }
            2 => format!("objects({}, T, {}, F)", self.grid(depth - 1), self.int(depth - 1)),
            3 => format!("remove({}, {})", self.any(depth - 1), self.set(depth - 1)),
            4 => format!("difference({}, {})", self.set(depth - 1), self.set(depth - 1)),
            5 => format!("sizefilter({}, {})", self.set(depth - 1), self.int(depth - 1)),
            6 => format!("colorfilter({}, {})", self.set(depth - 1), self.int(depth - 1)),
            _ => format!("sfilter({}, {})", self.set(depth - 1), self.word("flip even size")),
        }
    }

    /// Anything, failing expressions included.
    pub fn any(&mut self, depth: usize) -> String {
        match self.choice.below(11) {
            0 | 1 => self.grid(depth),
            2 | 3 => self.int(depth),
            4 | 5 => self.pair(depth),
            6 => self.set(depth),
            7 => {
                self.word("rot90 I T frozenset() interval(0,3,1) index(I,(0,9)) first(frozenset())")
            }
            8 if depth > 0 => format!("totuple({})", self.set(depth - 1)),
            9 if depth > 0 => {
                format!("astuple({}, {})", self.any(depth - 1), self.any(depth - 1))
            }
            _ => self.word("divide(1,0) 9223372036854775807 ((1,2),(3,)) asobject(I) 3 (1,2,3)"),
        }
    }

    /// A call of any primitive with constants for arguments.
    pub fn constant_call(&mut self) -> String {
        let names: Vec<(&str, usize)> =
            Registry::get().all().map(|(_, prim)| (prim.name, prim.arity())).collect();
        let &(name, arity) = self.choice.pick(&names).unwrap_or(&("identity", 1));
        let args: Vec<String> = (0..arity).map(|_| self.constant()).collect();
        format!("{name}({})", args.join(", "))
    }

    fn constant(&mut self) -> String {
        let n = self.choice.below(8) as i64 - 2;
        match self.choice.below(5) {
            0 | 1 => n.to_string(),
            2 => format!("({n}, {})", self.choice.below(4)),
            3 => format!("(({n}, 1), (0, {n}))"),
            _ => self.word("() (1,2,3) ((1,),) 9223372036854775807 T"),
        }
    }
}
