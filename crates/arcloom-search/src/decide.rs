//! Cell by cell: the smallest tree of questions about the colours near a cell that explains all demos.
//!
//! A question is whether some picture has some colour so many rows and columns away. The tree is grown
//! greedily, the question that parts the cells best first, until every leaf is one colour or the colour that
//! the first picture has there. A tree that can be learned from all demos but one and then explains that
//! one too is trusted more.

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::decide::{CellQuestion, OUTSIDE, Tree, decide, near};

use crate::grow::ChainGrowth;
use crate::pieces::Pieces;

/// A tree that explains every cell of every demo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Numbers of the pieces that the tree speaks of.
    pub pieces: Vec<u32>,
    pub tree: Tree,
    pub cost: u16,
}

/// Pieces that may be what most cells stay as: the cheapest, and those that are right in most cells.
const CHEAPEST: usize = 2;
const NEAREST: usize = 2;
/// Pieces that are looked at in the cell itself.
const OTHERS: usize = 120;
/// Questions at most.
const MOST_QUESTIONS: usize = 12;
/// What a question costs, and a demo that is not explained by what the others teach.
const PER_QUESTION: u16 = 8;
const PER_DEMO: u16 = 30;
/// Cells that speak for a leaf, on average, at the least.
const SUPPORT: usize = 8;
/// More expensive trees are hardly ever right on a training task.
const DEAREST: u16 = 100;

/// Something that can be asked about a cell: the colour of a piece so far away.
#[derive(Clone, Copy)]
struct Feature {
    piece: usize,
    by: (i8, i8),
}

/// The cells of the demos: what they are to be, and what every feature sees there.
struct Table {
    features: Vec<Feature>,
    columns: Vec<Vec<u8>>,
    target: Vec<u8>,
    base: Vec<u8>,
    demo: Vec<u8>,
}

/// Trees over neighbours, over pieces, and over both.
pub fn decisions(
    growth: &ChainGrowth,
    pieces: &Pieces,
    targets: &[Sheet],
    work: &mut u64,
) -> Vec<Decision> {
    let count = pieces.pieces.len().min(OTHERS);
    let pictures: Vec<Option<Vec<Sheet>>> =
        (0..count).map(|n| pieces.everywhere(growth, n)).collect();
    let usable: Vec<usize> = (0..count).filter(|&n| pictures[n].is_some()).collect();
    let sheets = |n: usize| pictures[n].as_deref().unwrap_or_default();
    let mut found: Vec<Decision> = Vec::new();
    for base in bases(pieces, &usable) {
        let window = |reach: i8| {
            let side = move || -reach..=reach;
            side().flat_map(move |i| side().map(move |j| Feature { piece: base, by: (i, j) }))
        };
        let here = usable.iter().map(|&piece| Feature { piece, by: (0, 0) });
        let kinds: [Vec<Feature>; 4] = [
            window(1).collect(),
            window(2).collect(),
            here.clone().collect(),
            window(1).chain(here).collect(),
        ];
        for features in kinds {
            let table = Table::new(features, &sheets, base, targets);
            *work += (table.columns.len() * table.target.len()) as u64;
            let Some(tree) = table.tree(None) else { continue };
            let missed = (0..targets.len()).filter(|&demo| {
                let without = table.tree(Some(demo));
                !without.is_some_and(|tree| {
                    let (numbers, tree) = table.named(&tree, base);
                    let on: Vec<Sheet> =
                        numbers.iter().map(|&n| sheets(n as usize)[demo].clone()).collect();
                    let mut out = Sheet::default();
                    decide(&on, &tree, &mut out).is_some() && out.cells() == targets[demo].cells()
                })
            });
            let missed = missed.count() as u16;
            *work += (table.columns.len() * table.target.len() * targets.len()) as u64;
            let (numbers, tree) = table.named(&tree, base);
            let own: u16 = numbers.iter().map(|&n| pieces.pieces[n as usize].cost).sum();
            let cost = 10 + own + PER_QUESTION * questions(&tree) + PER_DEMO * missed;
            let asked = usize::from(questions(&tree));
            if asked > 0 && cost <= DEAREST && (asked + 1) * SUPPORT <= table.target.len() {
                found.push(Decision { pieces: numbers, tree, cost });
            }
        }
    }
    found
}

/// The cheapest pieces, and those that disagree with the demos in the fewest cells.
fn bases(pieces: &Pieces, usable: &[usize]) -> Vec<usize> {
    let nearest = usable.iter().skip(CHEAPEST).copied();
    let mut nearest: Vec<usize> = nearest.filter(|n| pieces.wrong_cells(*n) > 0).collect();
    nearest.sort_by_key(|n| (pieces.wrong_cells(*n), *n));
    usable.iter().take(CHEAPEST).copied().chain(nearest.into_iter().take(NEAREST)).collect()
}

/// The output on one input.
pub fn paint(
    growth: &ChainGrowth,
    pieces: &Pieces,
    found: &Decision,
    input: usize,
) -> Option<Sheet> {
    let sheets = pieces.sheets(growth, &found.pieces, input)?;
    let mut out = Sheet::default();
    decide(&sheets, &found.tree, &mut out)?;
    Some(out)
}

fn questions(tree: &Tree) -> u16 {
    match tree {
        Tree::Ask(_, yes, no) => 1 + questions(yes) + questions(no),
        _ => 0,
    }
}

impl Table {
    fn new<'a>(
        features: Vec<Feature>,
        sheets: &dyn Fn(usize) -> &'a [Sheet],
        base: usize,
        targets: &[Sheet],
    ) -> Table {
        let mut columns = vec![Vec::new(); features.len()];
        let (mut target, mut stays, mut demo) = (Vec::new(), Vec::new(), Vec::new());
        for (k, wanted) in targets.iter().enumerate() {
            target.extend_from_slice(wanted.cells());
            stays.extend_from_slice(sheets(base)[k].cells());
            demo.resize(target.len(), k as u8);
            for (column, feature) in columns.iter_mut().zip(&features) {
                let sheet = &sheets(feature.piece)[k];
                if feature.by == (0, 0) {
                    column.extend_from_slice(sheet.cells());
                    continue;
                }
                for i in 0..sheet.height() as i32 {
                    let row = (0..sheet.width() as i32).map(|j| near(sheet, i, j, feature.by));
                    column.extend(row);
                }
            }
        }
        Table { features, columns, target, base: stays, demo }
    }

    /// The tree of all demos, or of all but one.
    fn tree(&self, without: Option<usize>) -> Option<Tree> {
        let kept = |cell: &u32| without.is_none_or(|d| usize::from(self.demo[*cell as usize]) != d);
        let cells: Vec<u32> = (0..self.target.len() as u32).filter(kept).collect();
        if cells.is_empty() {
            return None;
        }
        let mut left = MOST_QUESTIONS;
        self.grow(cells, &mut left)
    }

    /// What becomes of a cell: a colour, or that it stays as it is.
    #[inline]
    fn class(&self, cell: u32) -> usize {
        let (now, then) = (self.base[cell as usize], self.target[cell as usize]);
        if now == then { STAYS } else { usize::from(then) }
    }

    fn grow(&self, cells: Vec<u32>, left: &mut usize) -> Option<Tree> {
        if cells.iter().all(|&c| self.class(c) == STAYS) {
            return Some(Tree::Same(0));
        }
        let color = self.target[cells[0] as usize];
        if cells.iter().all(|&c| self.target[c as usize] == color) {
            return Some(Tree::Color(color));
        }
        *left = left.checked_sub(1)?;
        let (column, value) = self.best(&cells)?;
        let (yes, no): (Vec<u32>, Vec<u32>) =
            cells.into_iter().partition(|&c| self.columns[column][c as usize] == value);
        let question = CellQuestion { sheet: column, by: self.features[column].by, color: value };
        let (yes, no) = (self.grow(yes, left)?, self.grow(no, left)?);
        Some(Tree::Ask(question, Box::new(yes), Box::new(no)))
    }

    /// The feature and colour that part the cells best.
    fn best(&self, cells: &[u32]) -> Option<(usize, u8)> {
        let mut whole = [0u64; CLASSES];
        cells.iter().for_each(|&c| whole[self.class(c)] += 1);
        let total = cells.len() as u64;
        let mut best: Option<(f64, usize, u8)> = None;
        for (number, column) in self.columns.iter().enumerate() {
            let mut counts = [[0u64; CLASSES]; OUTSIDE as usize + 1];
            for &c in cells {
                counts[usize::from(column[c as usize])][self.class(c)] += 1;
            }
            for (value, of) in counts.iter().enumerate() {
                let n: u64 = of.iter().sum();
                if n == 0 || n == total {
                    continue;
                }
                let (mut yes, mut no) = (0, 0);
                for (class, &k) in of.iter().enumerate() {
                    yes += k * k;
                    no += (whole[class] - k) * (whole[class] - k);
                }
                let purity = yes as f64 / n as f64 + no as f64 / (total - n) as f64;
                if best.is_none_or(|(p, _, _)| purity > p) {
                    best = Some((purity, number, value as u8));
                }
            }
        }
        best.map(|(_, column, value)| (column, value))
    }

    /// The pieces of a tree, what stays first, and the tree that speaks of them by their place.
    fn named(&self, tree: &Tree, base: usize) -> (Vec<u32>, Tree) {
        let mut numbers = vec![base as u32];
        let tree = self.rename(tree, &mut numbers);
        (numbers, tree)
    }

    fn rename(&self, tree: &Tree, numbers: &mut Vec<u32>) -> Tree {
        match tree {
            Tree::Ask(question, yes, no) => {
                let piece = self.features[question.sheet].piece as u32;
                let known = numbers.iter().position(|&n| n == piece);
                let sheet = known.unwrap_or_else(|| {
                    numbers.push(piece);
                    numbers.len() - 1
                });
                let (yes, no) = (self.rename(yes, numbers), self.rename(no, numbers));
                Tree::Ask(CellQuestion { sheet, ..*question }, Box::new(yes), Box::new(no))
            }
            leaf => leaf.clone(),
        }
    }
}

/// The class of cells that stay as they are, after those of the ten colours.
const STAYS: usize = 10;
const CLASSES: usize = 11;
