//! What a grid looks like, in numbers: a new grid is of the task's kind when its numbers are within those of
//! the demos.

use smallvec::SmallVec;

use super::board::{Board, COLORS, most_frequent};
use super::range::{Freedom, Range};

/// Numbers that hold of the whole grid, with the freedom each of them has.
const WHOLE: [Freedom; 30] = [
    Freedom::Range, // height
    Freedom::Range, // width
    Freedom::Any,   // square
    Freedom::Range, // colours
    Freedom::Range, // objects of one colour, sides touching
    Freedom::Range, // objects of any colour, corners touching
    Freedom::Any,   // symmetries but for one colour: rows, columns, diagonal, half turn
    Freedom::Any,
    Freedom::Any,
    Freedom::Any,
    Freedom::Range, // rows of one colour that is not the background
    Freedom::Range, // columns of one colour that is not the background
    Freedom::Any,   // all objects fill their frames
    Freedom::Any,   // all objects are single cells
    Freedom::Wide,  // cells of the largest object
    Freedom::Range, // cells of the smallest object
    Freedom::Range, // regions of the background
    Freedom::Any,   // some object touches the rim
    Freedom::Any,   // two colours are the most frequent
    Freedom::Any,   // two colours are the least frequent
    Freedom::Wide,  // cells of the most frequent colour
    Freedom::Wide,  // cells of the least frequent colour
    Freedom::Any,   // all objects differ in size
    Freedom::Any,   // all regions of the background fill their frames
    Freedom::Any,   // all regions of the background have one size
    Freedom::Any,   // all objects have one size
    Freedom::Any,   // rows repeat, columns repeat
    Freedom::Any,
    Freedom::Any, // diagonals are of one colour, and the other ones
    Freedom::Any,
];

/// Numbers for each colour that stands for itself.
const OF_COLOR: [Freedom; 8] = [
    Freedom::Wide,  // cells
    Freedom::Range, // objects
    Freedom::Any,   // all fill their frames
    Freedom::Any,   // all are single cells
    Freedom::Any,   // all are straight lines
    Freedom::Wide,  // cells of the largest
    Freedom::Range, // cells of the smallest
    Freedom::Any,   // some touches the rim
];

const LEN: usize = WHOLE.len() + COLORS * OF_COLOR.len();

/// The numbers of one grid.
#[derive(Debug, Clone)]
pub(super) struct Looks([i32; LEN]);

/// What the grids of the demos have in common.
#[derive(Debug, Clone)]
pub(super) struct SharedLooks {
    ranges: [Range; LEN],
    /// Colours that occur at all.
    colors: u16,
    /// Colours that stand for themselves.
    fixed: u16,
}

/// Memory for looking at grids.
#[derive(Debug, Default)]
pub(super) struct Looker {
    label: Vec<u16>,
    stack: Vec<u16>,
    areas: Vec<Area>,
}

/// An object of one colour.
#[derive(Debug, Clone, Copy)]
struct Area {
    color: i8,
    cells: u32,
    top: u16,
    bottom: u16,
    left: u16,
    right: u16,
}

impl Area {
    fn height(&self) -> u32 {
        u32::from(self.bottom - self.top) + 1
    }

    fn width(&self) -> u32 {
        u32::from(self.right - self.left) + 1
    }

    fn is_full(&self) -> bool {
        self.cells == self.height() * self.width()
    }

    fn is_line(&self) -> bool {
        self.is_full() && (self.height() == 1 || self.width() == 1)
    }

    fn at_rim(&self, board: &Board) -> bool {
        self.top == 0
            || self.left == 0
            || usize::from(self.bottom) + 1 == board.height
            || usize::from(self.right) + 1 == board.width
    }
}

impl SharedLooks {
    pub(super) fn new(fixed: u16) -> SharedLooks {
        let whole = WHOLE.iter().copied();
        let freedoms = whole.chain((0..COLORS).flat_map(|_| OF_COLOR));
        let mut ranges = [Range::new(Freedom::Any); LEN];
        ranges.iter_mut().zip(freedoms).for_each(|(range, freedom)| *range = Range::new(freedom));
        SharedLooks { ranges, colors: 0, fixed }
    }

    /// Takes in a grid of the demos.
    pub(super) fn see(&mut self, board: &Board, background: Option<i8>, looker: &mut Looker) {
        self.colors |= palette(board);
        let looks = looker.look(board, background);
        self.ranges.iter_mut().zip(looks.0).for_each(|(range, n)| range.see(n));
    }

    /// True when a grid looks like those of the demos.
    pub(super) fn admits(
        &self,
        board: &Board,
        background: Option<i8>,
        looker: &mut Looker,
    ) -> bool {
        if palette(board) & !self.colors != 0
            || !self.ranges[0].admits(board.height as i32)
            || !self.ranges[1].admits(board.width as i32)
        {
            return false;
        }
        let looks = looker.look(board, background);
        let mut ranges = self.ranges.iter().zip(looks.0).enumerate();
        ranges.all(|(n, (range, number))| !self.counts(n) || range.admits(number))
    }

    /// Whether a number says something: those of colours that others may stand for do not.
    fn counts(&self, n: usize) -> bool {
        n.checked_sub(WHOLE.len()).is_none_or(|n| self.fixed & 1 << (n / OF_COLOR.len()) != 0)
    }
}

/// The colours of a board as bits; all bits where a cell is no colour.
pub(super) fn palette(board: &Board) -> u16 {
    let bit = |cell: &i8| if (0..COLORS as i8).contains(cell) { 1 << cell } else { !0 };
    board.cells.iter().fold(0, |bits, cell| bits | bit(cell))
}

impl Looker {
    fn look(&mut self, board: &Board, background: Option<i8>) -> Looks {
        let (height, width) = (board.height, board.width);
        let counts = board.counts();
        let ground = background.unwrap_or_else(|| most_frequent(&counts));
        self.areas(board);
        let mut looks = Looks([0; LEN]);
        let numbers = &mut looks.0;
        numbers[0] = height as i32;
        numbers[1] = width as i32;
        numbers[2] = i32::from(height == width);
        numbers[3] = counts.iter().filter(|count| **count > 0).count() as i32;
        numbers[5] = self.clusters(board, ground);
        let cell = |i: usize, j: usize| board.cells[i * width + j];
        let symmetric = |other: &dyn Fn(usize, usize) -> i8| symmetry(board, other);
        numbers[6] = symmetric(&|i, j| cell(height - 1 - i, j));
        numbers[7] = symmetric(&|i, j| cell(i, width - 1 - j));
        numbers[8] = if height == width { symmetric(&|i, j| cell(j, i)) } else { -1 };
        numbers[9] = symmetric(&|i, j| cell(height - 1 - i, width - 1 - j));
        let rows = board.cells.chunks(width);
        let is_line = |row: &&[i8]| row[0] != ground && row.iter().all(|cell| *cell == row[0]);
        numbers[10] = rows.filter(is_line).count() as i32;
        let is_bar =
            |j: &usize| cell(0, *j) != ground && (1..height).all(|i| cell(i, *j) == cell(0, *j));
        numbers[11] = (0..width).filter(is_bar).count() as i32;
        let objects = self.areas.iter().filter(|area| area.color != ground);
        let (mut least, mut most) = (u32::MAX, 0);
        (numbers[12], numbers[13]) = (1, 1);
        for area in objects {
            numbers[4] += 1;
            numbers[12] &= i32::from(area.is_full());
            numbers[13] &= i32::from(area.cells == 1);
            (least, most) = (least.min(area.cells), most.max(area.cells));
            numbers[17] |= i32::from(area.at_rim(board));
        }
        let mut sizes: SmallVec<[u32; 64]> =
            self.areas.iter().filter(|area| area.color != ground).map(|area| area.cells).collect();
        sizes.sort_unstable();
        numbers[22] = i32::from(sizes.windows(2).all(|two| two[0] != two[1]));
        numbers[25] = i32::from(least == most);
        let regions = || self.areas.iter().filter(|area| area.color == ground);
        numbers[23] = i32::from(regions().all(Area::is_full));
        let first = regions().next().map(|area| area.cells);
        numbers[24] = i32::from(regions().all(|area| Some(area.cells) == first));
        numbers[26] = i32::from(repeats(board, 0, 1));
        numbers[27] = i32::from(repeats(board, 1, 0));
        numbers[28] = i32::from(is_shifted(board, 1, 1));
        numbers[29] = i32::from(is_shifted(board, 1, -1));
        numbers[14] = most as i32;
        numbers[15] = if most > 0 { least as i32 } else { 0 };
        numbers[16] = self.areas.iter().filter(|area| area.color == ground).count() as i32;
        let mut ordered: Vec<u32> = Vec::with_capacity(COLORS);
        ordered.extend(counts.iter().filter(|count| **count > 0));
        ordered.sort_unstable();
        if let [first, second, ..] = ordered[..] {
            numbers[19] = i32::from(first == second);
            let last = ordered.len() - 1;
            numbers[18] = i32::from(ordered[last] == ordered[last - 1]);
        }
        numbers[20] = ordered.last().map_or(0, |count| *count as i32);
        numbers[21] = ordered.first().map_or(0, |count| *count as i32);
        for (color, numbers) in numbers[WHOLE.len()..].chunks_mut(OF_COLOR.len()).enumerate() {
            numbers[0] = counts[color] as i32;
            if counts[color] == 0 || color as i8 == ground {
                continue;
            }
            (numbers[2], numbers[3], numbers[4], numbers[6]) = (1, 1, 1, i32::MAX);
        }
        for area in &self.areas {
            if area.color == ground || !(0..COLORS as i8).contains(&area.color) {
                continue;
            }
            let start = WHOLE.len() + area.color as usize * OF_COLOR.len();
            let numbers = &mut numbers[start..start + OF_COLOR.len()];
            numbers[1] += 1;
            numbers[2] &= i32::from(area.is_full());
            numbers[3] &= i32::from(area.cells == 1);
            numbers[4] &= i32::from(area.is_line());
            numbers[5] = numbers[5].max(area.cells as i32);
            numbers[6] = numbers[6].min(area.cells as i32);
            numbers[7] |= i32::from(area.at_rim(board));
        }
        looks
    }

    /// Finds what is joined by sides, of every colour.
    fn areas(&mut self, board: &Board) {
        let (height, width) = (board.height, board.width);
        self.areas.clear();
        self.label.clear();
        self.label.resize(board.cells.len(), 0);
        for start in 0..board.cells.len() {
            if self.label[start] != 0 {
                continue;
            }
            let color = board.cells[start];
            let (i, j) = ((start / width) as u16, (start % width) as u16);
            let mut area = Area { color, cells: 0, top: i, bottom: i, left: j, right: j };
            self.label[start] = 1;
            self.stack.push(start as u16);
            while let Some(place) = self.stack.pop() {
                let place = usize::from(place);
                let (i, j) = (place / width, place % width);
                area.cells += 1;
                area.bottom = area.bottom.max(i as u16);
                area.top = area.top.min(i as u16);
                area.left = area.left.min(j as u16);
                area.right = area.right.max(j as u16);
                let mut visit = |next: usize| {
                    if self.label[next] == 0 && board.cells[next] == color {
                        self.label[next] = 1;
                        self.stack.push(next as u16);
                    }
                };
                if i > 0 {
                    visit(place - width);
                }
                if i + 1 < height {
                    visit(place + width);
                }
                if j > 0 {
                    visit(place - 1);
                }
                if j + 1 < width {
                    visit(place + 1);
                }
            }
            self.areas.push(area);
        }
    }

    /// Number of objects of any colour whose cells touch at sides or corners.
    fn clusters(&mut self, board: &Board, ground: i8) -> i32 {
        let (height, width) = (board.height as i32, board.width as i32);
        let mut count = 0;
        for start in 0..board.cells.len() {
            if self.label[start] == 2 || board.cells[start] == ground {
                continue;
            }
            count += 1;
            self.label[start] = 2;
            self.stack.push(start as u16);
            while let Some(place) = self.stack.pop() {
                let (i, j) = (i32::from(place) / width, i32::from(place) % width);
                for i in (i - 1).max(0)..(i + 2).min(height) {
                    for j in (j - 1).max(0)..(j + 2).min(width) {
                        let next = (i * width + j) as usize;
                        if self.label[next] != 2 && board.cells[next] != ground {
                            self.label[next] = 2;
                            self.stack.push(next as u16);
                        }
                    }
                }
            }
        }
        count
    }
}

/// 2 where a board is the same seen otherwise, 1 where it is but for cells of one colour, else 0.
fn symmetry(board: &Board, other: &dyn Fn(usize, usize) -> i8) -> i32 {
    let (mut all, mut of_color) = (0, [0u32; 16]);
    for i in 0..board.height {
        for j in 0..board.width {
            let (a, b) = (board.cells[i * board.width + j], other(i, j));
            if a != b {
                all += 1;
                of_color[(a & 15) as usize] += 1;
                of_color[(b & 15) as usize] += 1;
            }
        }
        // Nothing is symmetric that differs so much.
        if all > 8 && !of_color.contains(&all) {
            return 0;
        }
    }
    if all == 0 { 2 } else { i32::from(of_color.contains(&all)) }
}

/// True when the board is the same where it overlaps itself, moved by this much.
fn is_shifted(board: &Board, down: usize, right: isize) -> bool {
    let (height, width) = (board.height, board.width as isize);
    (down..height).all(|i| {
        (0..width).all(|j| {
            let from = j - right;
            !(0..width).contains(&from)
                || board.cells[i * width as usize + j as usize]
                    == board.cells[(i - down) * width as usize + from as usize]
        })
    })
}

/// True when the board repeats itself at least twice in a direction.
fn repeats(board: &Board, down: usize, right: usize) -> bool {
    let side = board.height * down + board.width * right;
    (1..=side / 2).any(|step| is_shifted(board, down * step, (right * step) as isize))
}

/// What becomes of inputs: numbers of a pair.
const OF_PAIR: [Freedom; 7] = [
    Freedom::Any,   // same size
    Freedom::Any,   // rows more
    Freedom::Any,   // columns more
    Freedom::Wide,  // cells that change
    Freedom::Any,   // all of them were background
    Freedom::Range, // colours that changed cells get
    Freedom::Any,   // no new colour
];

/// What the pairs of the demos have in common.
#[derive(Debug, Clone)]
pub(super) struct SharedChange([Range; OF_PAIR.len()]);

impl SharedChange {
    pub(super) fn new() -> SharedChange {
        SharedChange(OF_PAIR.map(Range::new))
    }

    pub(super) fn see(&mut self, input: &Board, output: &Board, background: Option<i8>) {
        let numbers = change(input, output, background);
        self.0.iter_mut().zip(numbers).for_each(|(range, n)| range.see(n));
    }

    pub(super) fn admits(&self, input: &Board, output: &Board, background: Option<i8>) -> bool {
        let numbers = change(input, output, background);
        self.0.iter().zip(numbers).all(|(range, n)| range.admits(n))
    }
}

fn change(input: &Board, output: &Board, background: Option<i8>) -> [i32; OF_PAIR.len()] {
    let ground = background.unwrap_or_else(|| most_frequent(&input.counts()));
    let is_same = input.height == output.height && input.width == output.width;
    let (mut changed, mut painted, mut on_ground) = (0, 0u16, true);
    if is_same {
        for (&from, &to) in input.cells.iter().zip(&output.cells).filter(|(from, to)| from != to) {
            changed += 1;
            painted |= 1 << (to & 15);
            on_ground &= from == ground;
        }
    }
    [
        i32::from(is_same),
        output.height as i32 - input.height as i32,
        output.width as i32 - input.width as i32,
        changed,
        i32::from(on_ground),
        painted.count_ones() as i32,
        i32::from(palette(output) & !palette(input) == 0),
    ]
}
