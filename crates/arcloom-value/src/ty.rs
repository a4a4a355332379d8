//! Types of values and signatures of primitives, with the small text form they are declared in.
//!
//! A type says which values may turn up, not which form they have: a `Patch` is any set of positions
//! or cells. Integers carry a [`Role`] (colour, rank, angle ...) that search uses to replace like by
//! like; roles never make two types incompatible.
//!
//! ```text
//! (Grid, Color) -> Indices
//! (a: Piece) -> a                       a variable with a bound: the result is of the same type
//! (Fn(a) -> b, Container<a>) -> Container<b>
//! ```

use std::fmt;

/// What an integer stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Just a number.
    Number,
    /// True or false.
    Bool,
    /// A cell's colour.
    Color,
    /// A position in a ranking: 0, 1, ... from the front, -1, -2, ... from the back.
    Rank,
    /// One of the eight mirrorings and rotations.
    Angle,
    /// One of the eight notions of what an object is.
    Notion,
    /// One of the four corners or sides.
    Corner,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ty {
    /// Nothing is known.
    Any,
    /// A type variable of a signature.
    Var(u8),
    /// An integer.
    Int(Role),
    /// A pair of integers: position, offset or shape.
    Pair,
    /// An integer or a pair of integers.
    Num,
    /// A coloured cell.
    Cell,
    /// A grid.
    Grid,
    /// A set of positions.
    Indices,
    /// A set of coloured cells.
    Object,
    /// Positions or an object.
    Patch,
    /// A grid or a patch.
    Piece,
    /// A grid or an object.
    Element,
    /// A sheet: a grid and the position of its top left cell.
    Sheet,
    /// A tuple with elements of one type.
    Tuple(Box<Ty>),
    /// A set with elements of one type.
    Set(Box<Ty>),
    /// A tuple or a set with elements of one type.
    Container(Box<Ty>),
    /// A function.
    Fn(Vec<Ty>, Box<Ty>),
}

/// Shapes a type allows, as a bit set; two types without a common shape cannot share a value.
mod shape {
    pub(super) const NONE: u8 = 1;
    pub(super) const INT: u8 = 2;
    pub(super) const TUPLE: u8 = 4;
    pub(super) const SET: u8 = 8;
    pub(super) const FN: u8 = 16;
    pub(super) const ALL: u8 = 31;
}

impl Ty {
    /// The type of a plain integer.
    pub const INT: Ty = Ty::Int(Role::Number);
    /// The type of a boolean.
    pub const BOOL: Ty = Ty::Int(Role::Bool);
    /// The type of a colour.
    pub const COLOR: Ty = Ty::Int(Role::Color);

    /// A set of objects.
    pub fn objects() -> Ty {
        Ty::Set(Box::new(Ty::Object))
    }

    /// The task's demo pairs: a tuple of (input, output) tuples.
    pub fn samples() -> Ty {
        Ty::Tuple(Box::new(Ty::Tuple(Box::new(Ty::Grid))))
    }

    fn shapes(&self) -> u8 {
        match self {
            Ty::Any | Ty::Var(_) => shape::ALL,
            Ty::Int(_) => shape::INT,
            Ty::Pair | Ty::Cell | Ty::Grid | Ty::Sheet | Ty::Tuple(_) => shape::TUPLE,
            Ty::Num => shape::INT | shape::TUPLE,
            Ty::Indices | Ty::Object | Ty::Patch | Ty::Set(_) => shape::SET,
            Ty::Piece | Ty::Element | Ty::Container(_) => shape::TUPLE | shape::SET,
            Ty::Fn(..) => shape::FN,
        }
    }

    /// Shapes that a parameter of this type takes: a patch may be given as a tuple of its elements.
    fn accepted_shapes(&self) -> u8 {
        match self {
            Ty::Indices | Ty::Object | Ty::Patch | Ty::Set(_) => shape::TUPLE | shape::SET,
            other => other.shapes(),
        }
    }

    /// The type of the elements, where the type has one.
    pub fn element(&self) -> Ty {
        match self {
            Ty::Tuple(item) | Ty::Set(item) | Ty::Container(item) => (**item).clone(),
            Ty::Pair => Ty::INT,
            Ty::Grid => Ty::Tuple(Box::new(Ty::COLOR)),
            Ty::Indices => Ty::Pair,
            Ty::Object => Ty::Cell,
            _ => Ty::Any,
        }
    }

    /// True when a parameter of this type could take some value of type `found`. Errs on the side
    /// of yes.
    pub fn accepts(&self, found: &Ty) -> bool {
        let common = self.accepted_shapes() & found.shapes() & !shape::NONE;
        if common == 0 {
            return false;
        }
        // Containers of unlike elements still share the empty one: only the shape decides.
        match (self, found) {
            (Ty::Fn(a, _), Ty::Fn(b, _)) => a.len() == b.len(),
            (Ty::Pair, Ty::Grid) | (Ty::Grid, Ty::Pair) => false,
            (Ty::Pair, Ty::Cell) | (Ty::Cell, Ty::Pair) => false,
            (Ty::Cell, Ty::Grid) | (Ty::Grid, Ty::Cell) => false,
            (Ty::Sheet, Ty::Grid | Ty::Pair | Ty::Cell) => false,
            (Ty::Grid | Ty::Pair | Ty::Cell, Ty::Sheet) => false,
            _ => true,
        }
    }

    /// The narrowest type here that covers both.
    pub fn join(&self, other: &Ty) -> Ty {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Ty::Int(_), Ty::Int(_)) => Ty::INT,
            (Ty::Int(_) | Ty::Pair | Ty::Num, Ty::Int(_) | Ty::Pair | Ty::Num) => Ty::Num,
            (Ty::Indices | Ty::Object | Ty::Patch, Ty::Indices | Ty::Object | Ty::Patch) => {
                Ty::Patch
            }
            (Ty::Grid | Ty::Object | Ty::Element, Ty::Grid | Ty::Object | Ty::Element) => {
                Ty::Element
            }
            (Ty::Set(a), Ty::Set(b)) => Ty::Set(Box::new(a.join(b))),
            (Ty::Tuple(a), Ty::Tuple(b)) => Ty::Tuple(Box::new(a.join(b))),
            _ => Ty::Any,
        }
    }
}

/// True when a value of type `found` is probably what is wanted: unlike [`Ty::accepts`] it tells a colour
/// from a count and a set of positions from a set of objects.
pub fn fits(wanted: &Ty, found: &Ty) -> bool {
    use Ty::*;
    match (wanted, found) {
        (Any | Var(_), _) | (_, Any | Var(_)) => true,
        // A colour as a factor or a count as a colour is usually an accident.
        (Int(a), Int(b)) => a == b || (*a == Role::Number && *b == Role::Rank),
        (Num, Int(_) | Pair | Num) | (Int(_) | Pair, Num) => true,
        (Patch, Indices | Object | Patch) | (Indices | Object, Patch) => true,
        (Piece, Grid | Indices | Object | Patch | Element | Piece) => true,
        (Grid | Indices | Object | Patch | Element, Piece) => true,
        (Element, Grid | Object | Element | Patch) | (Grid | Object | Patch, Element) => true,
        (Set(a), Set(b) | Container(b)) | (Tuple(a), Tuple(b) | Container(b)) => fits(a, b),
        (Container(a), Set(b) | Tuple(b) | Container(b)) => fits(a, b),
        (Container(a) | Set(a), Indices | Object | Patch) => fits(a, &found.element()),
        (Container(a) | Tuple(a), Grid | Pair | Cell) => fits(a, &found.element()),
        (Indices, Set(b) | Tuple(b) | Container(b)) => fits(&Pair, b),
        (Object, Set(b) | Tuple(b) | Container(b)) => fits(&Cell, b),
        (Patch | Piece, Set(b) | Tuple(b) | Container(b)) => fits(&Pair, b) || fits(&Cell, b),
        (Grid | Element, Tuple(b) | Container(b)) => is_row(b),
        (Pair, Tuple(b) | Container(b)) => matches!(**b, Int(_) | Any),
        (Fn(a, r), Fn(b, s)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| fits(b, a)) && fits(r, s)
        }
        (wanted, found) => wanted == found,
    }
}

fn is_row(ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(cell) | Ty::Container(cell) => matches!(**cell, Ty::Int(_) | Ty::Any),
        ty => *ty == Ty::Any,
    }
}

/// The types of a primitive's parameters and result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sig {
    /// Types of the parameters.
    pub params: Vec<Ty>,
    /// Type of the result.
    pub ret: Ty,
    /// Bounds of the type variables `a`, `b`, ...
    pub bounds: Vec<Ty>,
}

impl Sig {
    /// Reads a signature such as `(Grid, Color) -> Indices`; the error says what was unexpected.
    pub fn parse(text: &str) -> Result<Sig, String> {
        let mut parser = SigParser { rest: text, bounds: Vec::new() };
        let params = parser.params()?;
        parser.expect("->")?;
        let ret = parser.ty()?;
        if !parser.rest.trim().is_empty() {
            return Err(format!("unexpected `{}` after the signature", parser.rest.trim()));
        }
        Ok(Sig { params, ret, bounds: parser.bounds })
    }
}

struct SigParser<'s> {
    rest: &'s str,
    bounds: Vec<Ty>,
}

impl SigParser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(format!("expected `{token}` before `{}`", self.rest))
        }
    }

    fn params(&mut self) -> Result<Vec<Ty>, String> {
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            if !params.is_empty() {
                self.expect(",")?;
            }
            params.push(self.ty()?);
        }
        Ok(params)
    }

    fn ty(&mut self) -> Result<Ty, String> {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let mut of = |wrap: fn(Box<Ty>) -> Ty| -> Result<Ty, String> {
            self.expect("<")?;
            let item = self.ty()?;
            self.expect(">")?;
            Ok(wrap(Box::new(item)))
        };
        Ok(match word {
            "Any" => Ty::Any,
            "Int" => Ty::INT,
            "Bool" => Ty::BOOL,
            "Color" => Ty::COLOR,
            "Rank" => Ty::Int(Role::Rank),
            "Angle" => Ty::Int(Role::Angle),
            "Notion" => Ty::Int(Role::Notion),
            "Corner" => Ty::Int(Role::Corner),
            "Pair" => Ty::Pair,
            "Num" => Ty::Num,
            "Cell" => Ty::Cell,
            "Grid" => Ty::Grid,
            "Indices" => Ty::Indices,
            "Object" => Ty::Object,
            "Objects" => Ty::objects(),
            "Patch" => Ty::Patch,
            "Piece" => Ty::Piece,
            "Element" => Ty::Element,
            "Sheet" => Ty::Sheet,
            "Samples" => Ty::samples(),
            "Tuple" => of(Ty::Tuple)?,
            "Set" => of(Ty::Set)?,
            "Container" => of(Ty::Container)?,
            "Fn" => {
                let params = self.params()?;
                self.expect("->")?;
                Ty::Fn(params, Box::new(self.ty()?))
            }
            var if var.len() == 1 && var.as_bytes()[0].is_ascii_lowercase() => {
                let index = var.as_bytes()[0] - b'a';
                let bound = if self.eat(":") { self.ty()? } else { Ty::Any };
                let index_usize = usize::from(index);
                if self.bounds.len() <= index_usize {
                    self.bounds.resize(index_usize + 1, Ty::Any);
                }
                if bound != Ty::Any {
                    self.bounds[index_usize] = bound;
                }
                Ty::Var(index)
            }
            _ => return Err(format!("unknown type `{word}` before `{}`", self.rest)),
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Var(v) => write!(f, "{}", char::from(b'a' + v)),
            Ty::Int(Role::Number) => f.write_str("Int"),
            Ty::Int(role) => write!(f, "{role:?}"),
            Ty::Tuple(item) => write!(f, "Tuple<{item}>"),
            Ty::Set(item) if **item == Ty::Object => f.write_str("Objects"),
            Ty::Set(item) => write!(f, "Set<{item}>"),
            Ty::Container(item) => write!(f, "Container<{item}>"),
            Ty::Fn(params, ret) => {
                f.write_str("Fn(")?;
                for (n, param) in params.iter().enumerate() {
                    write!(f, "{}{param}", if n == 0 { "" } else { ", " })?;
                }
                write!(f, ") -> {ret}")
            }
            other => write!(f, "{other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_parse() {
        let sig = Sig::parse("(Fn(a) -> b, Container<a>) -> Container<b>").unwrap();
        assert_eq!(sig.params.len(), 2);
        assert_eq!(sig.ret.to_string(), "Container<b>");
        assert_eq!(Sig::parse("(a: Piece) -> a").unwrap().bounds, [Ty::Piece]);
        assert!(Sig::parse("(Gird) -> Grid").unwrap_err().contains("Gird"));
    }

    #[test]
    fn an_integer_is_never_a_grid() {
        assert!(!Ty::Grid.accepts(&Ty::INT));
        assert!(!Ty::Grid.accepts(&Ty::Object));
        assert!(Ty::Object.accepts(&Ty::Tuple(Box::new(Ty::Cell))), "a patch may be a tuple");
        assert!(Ty::Indices.accepts(&Ty::objects()), "both may be empty");
        assert!(Ty::Patch.accepts(&Ty::Object));
    }
}
