//! Parts of the search that can be left out, to see what each of them brings.

/// A part of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchPart {
    /// More than one layer.
    Stacks,
    /// Tables looked up cell by cell.
    Tables,
    /// Trees of questions about cells.
    Trees,
    /// Decisions about the whole input.
    Cases,
    /// Rules that paint cells until nothing changes.
    Growth,
    /// Rules that recolour, move or choose objects.
    Rules,
    /// Rays that objects send by rule.
    Rays,
    /// Numbers as pictures: charts, copies and sizes by what is counted.
    Numbers,
    /// Fits of some demos only.
    Subsets,
    /// Colours renamed by role.
    Roles,
    /// The most frequent colour as the background.
    Ground,
    /// Rows as columns.
    Transposed,
    /// Costs learned from training tasks.
    Costs,
}

/// All of them, with their names.
const PARTS: [(SearchPart, &str); 13] = [
    (SearchPart::Stacks, "stacks"),
    (SearchPart::Tables, "tables"),
    (SearchPart::Trees, "trees"),
    (SearchPart::Cases, "cases"),
    (SearchPart::Growth, "growth"),
    (SearchPart::Rules, "rules"),
    (SearchPart::Rays, "rays"),
    (SearchPart::Numbers, "numbers"),
    (SearchPart::Subsets, "subsets"),
    (SearchPart::Roles, "roles"),
    (SearchPart::Ground, "ground"),
    (SearchPart::Transposed, "transposed"),
    (SearchPart::Costs, "costs"),
];

impl SearchPart {
    /// All of them.
    pub fn all() -> impl Iterator<Item = SearchPart> {
        PARTS.into_iter().map(|(part, _)| part)
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        PARTS.iter().find(|(part, _)| *part == self).map_or("", |(_, name)| name)
    }
}

/// The parts of a search that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without(u32);

impl Without {
    /// The same without a further part.
    pub fn and(self, part: SearchPart) -> Without {
        Without(self.0 | 1 << part as u32)
    }

    /// Whether a part is left out.
    pub fn leaves_out(self, part: SearchPart) -> bool {
        self.0 >> part as u32 & 1 == 1
    }
}

impl FromIterator<SearchPart> for Without {
    fn from_iter<I: IntoIterator<Item = SearchPart>>(parts: I) -> Without {
        Without(parts.into_iter().fold(0, |bits, part| bits | 1 << part as u32))
    }
}
