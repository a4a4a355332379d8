//! Changes of an input that go beyond symmetry and colours. Each is tried blindly: whether what comes out is
//! still an input of the task is for others to say.

use super::board::{Board, Dice, Finder, Joined, Lump};

/// One kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// One object goes elsewhere.
    Move(Joined),
    /// All objects go elsewhere.
    Scatter(Joined),
    /// An object of some input is added.
    Add(Joined),
    /// One object goes.
    Remove(Joined),
    /// One object goes, and one of some input comes in its place.
    Replace(Joined),
    /// Two objects change places.
    Exchange(Joined),
    /// An object is turned or mirrored where it is.
    Turn(Joined),
    /// An object gets another colour of the inputs.
    Recolor(Joined),
    /// Two objects exchange their colours.
    ExchangeColors,
    /// An object gains a cell, or loses one.
    Grow,
    Shrink,
    /// Two cells change places.
    SwapCells,
    /// A few cells get colours of other cells.
    Noise,
    /// All cells that are no separating lines are dealt anew.
    Shuffle,
    /// A few pairs of cells change places.
    SwapMany,
    /// A row or column is repeated or left out.
    Longer,
    Shorter,
    /// Two rows or two columns change places.
    SwapLines,
    /// Everything moves, what leaves at one side comes in at the other.
    Roll,
    /// A block is taken from another input of the same size.
    Cross,
}

/// All of them.
pub(super) const ALL: [Change; 36] = {
    use Change::{
        Add, Cross, Exchange, ExchangeColors, Grow, Longer, Move, Noise, Recolor, Remove, Replace,
        Roll, Scatter, Shorter, Shrink, Shuffle, SwapCells, SwapLines, SwapMany, Turn,
    };
    use Joined::{Colors, Corners, Sides};
    [
        Move(Sides),
        Move(Corners),
        Move(Colors),
        Scatter(Sides),
        Scatter(Corners),
        Scatter(Colors),
        Add(Sides),
        Add(Corners),
        Add(Colors),
        Remove(Sides),
        Remove(Corners),
        Remove(Colors),
        Replace(Sides),
        Replace(Corners),
        Replace(Colors),
        Exchange(Sides),
        Exchange(Corners),
        Exchange(Colors),
        Turn(Sides),
        Turn(Corners),
        Turn(Colors),
        Recolor(Sides),
        Recolor(Corners),
        Recolor(Colors),
        ExchangeColors,
        Grow,
        Shrink,
        SwapCells,
        Noise,
        Shuffle,
        SwapMany,
        Longer,
        Shorter,
        SwapLines,
        Roll,
        Cross,
    ]
};

impl Change {
    /// How often it is tried beside others. What changes single cells leaves tasks without a trace in the
    /// numbers more often than what treats objects as wholes.
    pub(super) fn trust(self) -> u32 {
        match self {
            Change::Noise | Change::Grow | Change::SwapCells => 1,
            Change::Shrink | Change::ExchangeColors | Change::Cross | Change::SwapLines => 3,
            Change::Recolor(_) | Change::Exchange(_) | Change::Replace(_) | Change::SwapMany => 3,
            Change::Move(_) | Change::Shuffle | Change::Turn(_) | Change::Longer => 5,
            Change::Scatter(_) | Change::Add(_) | Change::Remove(_) => 8,
            Change::Shorter | Change::Roll => 8,
        }
    }
}

/// What changes draw from: the inputs of the demos.
pub(super) struct Stock {
    pub(super) boards: Vec<Board>,
    /// Objects of all inputs, each at the origin, by what counts as an object.
    objects: [Vec<Lump>; 3],
    /// Colours of the inputs.
    colors: Vec<i8>,
}

impl Stock {
    pub(super) fn new(boards: Vec<Board>, backgrounds: &[i8], finder: &mut Finder) -> Stock {
        let mut objects = [Vec::new(), Vec::new(), Vec::new()];
        for (board, &background) in boards.iter().zip(backgrounds) {
            for (joined, objects) in Joined::ALL.into_iter().zip(&mut objects) {
                let found = finder.find(board, background, joined).iter();
                objects.extend(found.map(|lump| lump.clone().at_origin()));
            }
        }
        let mut colors: Vec<i8> = boards.iter().flat_map(|board| &board.cells).copied().collect();
        colors.sort_unstable();
        colors.dedup();
        Stock { boards, objects, colors }
    }

    fn objects(&self, joined: Joined) -> &[Lump] {
        match joined {
            Joined::Sides => &self.objects[0],
            Joined::Corners => &self.objects[1],
            Joined::Colors => &self.objects[2],
        }
    }
}

/// What a change has at hand.
pub(super) struct Changer<'a> {
    pub(super) stock: &'a Stock,
    pub(super) finder: &'a mut Finder,
    pub(super) dice: &'a mut Dice,
    pub(super) background: i8,
}

/// Places that are tried for an object.
const PLACES: usize = 8;

impl Changer<'_> {
    /// Changes the board; `None` where there is nothing to change.
    pub(super) fn make(&mut self, change: Change, board: &mut Board) -> Option<()> {
        match change {
            Change::Move(joined) => {
                let lump = self.object(board, joined)?;
                self.erase(board, &lump);
                self.place(board, lump)
            }
            Change::Scatter(joined) => self.scatter(board, joined),
            Change::Add(joined) => {
                let lump = self.stocked(joined)?;
                self.place(board, lump)
            }
            Change::Remove(joined) => {
                let lump = self.object(board, joined)?;
                self.erase(board, &lump);
                Some(())
            }
            Change::Replace(joined) => {
                let old = self.object(board, joined)?;
                let new = self.stocked(joined)?;
                self.erase(board, &old);
                let (top, _, left, _) = old.frame();
                match self.dice.one_in(2) {
                    true => self.lay(board, &new, top, left),
                    false => self.place(board, new),
                }
            }
            Change::Exchange(joined) => {
                let [a, b] = self.two(board, joined)?;
                self.erase(board, &a);
                self.erase(board, &b);
                let ((a_top, _, a_left, _), (b_top, _, b_left, _)) = (a.frame(), b.frame());
                self.lay(board, &a.at_origin(), b_top, b_left)?;
                self.lay(board, &b.at_origin(), a_top, a_left)
            }
            Change::Turn(joined) => {
                let old = self.object(board, joined)?;
                self.erase(board, &old);
                let (top, _, left, _) = old.frame();
                let new = self.turned(old);
                self.lay(board, &new, top, left)
            }
            Change::Recolor(joined) => {
                let lump = self.object(board, joined)?;
                let (_, _, old) = *lump.cells.first()?;
                let new = *self.dice.pick(&self.stock.colors)?;
                let cells = lump.cells.iter().filter(|(_, _, color)| *color == old);
                cells.for_each(|&(i, j, _)| board.put(i, j, new));
                (new != old && new != self.background).then_some(())
            }
            Change::ExchangeColors => {
                let [a, b] = self.two(board, Joined::Corners)?;
                let (&(_, _, first), &(_, _, second)) = (a.cells.first()?, b.cells.first()?);
                a.cells.iter().for_each(|&(i, j, _)| board.put(i, j, second));
                b.cells.iter().for_each(|&(i, j, _)| board.put(i, j, first));
                (first != second).then_some(())
            }
            Change::Grow => {
                let lump = self.object(board, Joined::Sides)?;
                let &(i, j, color) = self.dice.pick(&lump.cells)?;
                let &(di, dj) = self.dice.pick(&[(0, 1), (0, -1), (1, 0), (-1, 0)])?;
                (board.at(i + di, j + dj)? == self.background)
                    .then(|| board.put(i + di, j + dj, color))
            }
            Change::Shrink => {
                let lump = self.object(board, Joined::Sides)?;
                let &(i, j, _) = self.dice.pick(&lump.cells)?;
                (lump.cells.len() > 1).then(|| board.put(i, j, self.background))
            }
            Change::SwapCells => self.swap_cells(board, 1),
            Change::SwapMany => {
                let most = 2 + board.cells.len() / 6;
                let times = 2 + self.dice.below(most);
                self.swap_cells(board, times)
            }
            Change::Noise => {
                for _ in 0..=self.dice.below(3) {
                    let from = self.dice.below(board.cells.len());
                    let to = self.dice.below(board.cells.len());
                    board.cells[to] = board.cells[from];
                }
                Some(())
            }
            Change::Shuffle => self.shuffle(board),
            Change::Longer => {
                let rows = self.dice.one_in(2);
                self.resize(board, rows, true)
            }
            Change::Shorter => {
                let rows = self.dice.one_in(2);
                self.resize(board, rows, false)
            }
            Change::SwapLines => {
                let (height, width) = (board.height, board.width);
                if self.dice.one_in(2) {
                    let (a, b) = (self.dice.below(height), self.dice.below(height));
                    (0..width).for_each(|j| board.cells.swap(a * width + j, b * width + j));
                } else {
                    let (a, b) = (self.dice.below(width), self.dice.below(width));
                    (0..height).for_each(|i| board.cells.swap(i * width + a, i * width + b));
                }
                Some(())
            }
            Change::Roll => {
                let width = board.width;
                let rows = self.dice.below(board.height) * width;
                board.cells.rotate_left(rows);
                let columns = self.dice.below(width);
                board.cells.chunks_mut(width).for_each(|row| row.rotate_left(columns));
                Some(())
            }
            Change::Cross => self.cross(board),
        }
    }

    fn object(&mut self, board: &Board, joined: Joined) -> Option<Lump> {
        let found = self.finder.find(board, self.background, joined);
        self.dice.pick(found).cloned()
    }

    fn two(&mut self, board: &Board, joined: Joined) -> Option<[Lump; 2]> {
        let found = self.finder.find(board, self.background, joined);
        let (a, b) = (self.dice.below(found.len()), self.dice.below(found.len()));
        (a != b).then(|| [found[a].clone(), found[b].clone()])
    }

    /// An object of some input, now and then turned.
    fn stocked(&mut self, joined: Joined) -> Option<Lump> {
        let lump = self.dice.pick(self.stock.objects(joined))?.clone();
        Some(if self.dice.one_in(3) { self.turned(lump) } else { lump })
    }

    fn turned(&mut self, lump: Lump) -> Lump {
        let turn = 1 + self.dice.below(7);
        let mut lump = lump;
        for (i, j, _) in &mut lump.cells {
            if turn & 1 != 0 {
                std::mem::swap(i, j);
            }
            *i = if turn & 2 != 0 { -*i } else { *i };
            *j = if turn & 4 != 0 { -*j } else { *j };
        }
        lump.at_origin()
    }

    fn erase(&self, board: &mut Board, lump: &Lump) {
        lump.cells.iter().for_each(|&(i, j, _)| board.put(i, j, self.background));
    }

    /// Lays an object where there is nothing; `None` where something is in the way.
    fn lay(&self, board: &mut Board, lump: &Lump, top: i32, left: i32) -> Option<()> {
        let is_free =
            |&(i, j, _): &(i32, i32, i8)| board.at(top + i, left + j) == Some(self.background);
        if !lump.cells.iter().all(is_free) {
            return None;
        }
        lump.cells.iter().for_each(|&(i, j, color)| board.put(top + i, left + j, color));
        Some(())
    }

    /// True when nothing is beside the cells of an object there.
    fn is_alone(&self, board: &Board, lump: &Lump, top: i32, left: i32) -> bool {
        lump.cells.iter().all(|&(i, j, _)| {
            let mut around = (-1..=1).flat_map(|di| (-1..=1).map(move |dj| (di, dj)));
            around.all(|(di, dj)| {
                let cell = board.at(top + i + di, left + j + dj);
                cell.is_none_or(|cell| cell == self.background)
            })
        })
    }

    /// Lays an object somewhere, apart from others where there is room.
    fn place(&mut self, board: &mut Board, lump: Lump) -> Option<()> {
        let lump = lump.at_origin();
        let (_, bottom, _, right) = lump.frame();
        let rows = usize::try_from(board.height as i32 - bottom).ok().filter(|rows| *rows > 0)?;
        let columns =
            usize::try_from(board.width as i32 - right).ok().filter(|columns| *columns > 0)?;
        for _ in 0..PLACES {
            let (top, left) = (self.dice.below(rows) as i32, self.dice.below(columns) as i32);
            if self.is_alone(board, &lump, top, left) {
                return self.lay(board, &lump, top, left);
            }
        }
        let (top, left) = (self.dice.below(rows) as i32, self.dice.below(columns) as i32);
        self.lay(board, &lump, top, left)
    }

    fn scatter(&mut self, board: &mut Board, joined: Joined) -> Option<()> {
        let mut lumps = self.finder.find(board, self.background, joined).to_vec();
        if lumps.is_empty() {
            return None;
        }
        // What reaches from border to border stays.
        let (height, width) = (board.height as i32, board.width as i32);
        lumps.retain(|lump| {
            let (top, bottom, left, right) = lump.frame();
            bottom - top + 1 < height && right - left + 1 < width
        });
        lumps.iter().for_each(|lump| self.erase(board, lump));
        // The largest are placed first.
        lumps.sort_by_key(|lump| std::cmp::Reverse(lump.cells.len()));
        lumps.into_iter().try_for_each(|lump| self.place(board, lump))
    }

    fn swap_cells(&mut self, board: &mut Board, times: usize) -> Option<()> {
        let before = board.cells.clone();
        for _ in 0..times {
            let a = self.dice.below(board.cells.len());
            let other = (0..4).map(|_| self.dice.below(board.cells.len()));
            let b = other.into_iter().find(|b| board.cells[*b] != board.cells[a]);
            if let Some(b) = b {
                board.cells.swap(a, b);
            }
        }
        (before != board.cells).then_some(())
    }

    /// Deals the cells anew that are in no row or column of one colour.
    fn shuffle(&mut self, board: &mut Board) -> Option<()> {
        let (height, width) = (board.height, board.width);
        let background = self.background;
        let is_line = |mut cells: Box<dyn Iterator<Item = i8> + '_>| {
            let first = cells.next();
            cells.all(|cell| Some(cell) == first) && first != Some(background)
        };
        let cell = |i: usize, j: usize| board.cells[i * width + j];
        let rows: Vec<bool> =
            (0..height).map(|i| is_line(Box::new((0..width).map(|j| cell(i, j))))).collect();
        let columns: Vec<bool> =
            (0..width).map(|j| is_line(Box::new((0..height).map(|i| cell(i, j))))).collect();
        let open: Vec<usize> = (0..board.cells.len())
            .filter(|place| !rows[place / width] && !columns[place % width])
            .collect();
        for n in (1..open.len()).rev() {
            board.cells.swap(open[n], open[self.dice.below(n + 1)]);
        }
        (open.len() > 1).then_some(())
    }

    fn resize(&mut self, board: &mut Board, rows: bool, longer: bool) -> Option<()> {
        let lines = if rows { board.height } else { board.width };
        if (longer && lines >= 30) || (!longer && lines < 2) {
            return None;
        }
        let at = self.dice.below(lines);
        let copies = |n: usize| if n != at { 1 } else { 2 * usize::from(longer) };
        let width = board.width;
        let mut cells = Vec::with_capacity(board.cells.len() + board.height.max(width));
        for (n, row) in board.cells.chunks(width).enumerate() {
            for _ in 0..if rows { copies(n) } else { 1 } {
                for (n, &cell) in row.iter().enumerate() {
                    let copies = if rows { 1 } else { copies(n) };
                    cells.extend(std::iter::repeat_n(cell, copies));
                }
            }
        }
        let side = if rows { &mut board.height } else { &mut board.width };
        *side = if longer { lines + 1 } else { lines - 1 };
        board.cells = cells;
        Some(())
    }

    fn cross(&mut self, board: &mut Board) -> Option<()> {
        let is_like = |other: &&Board| other.height == board.height && other.width == board.width;
        let others: Vec<&Board> = self.stock.boards.iter().filter(is_like).collect();
        let other = *self.dice.pick(&others)?;
        let (height, width) = (board.height, board.width);
        let mut span = |n: usize| {
            let (a, b) = (self.dice.below(n + 1), self.dice.below(n + 1));
            if self.dice.one_in(2) { 0..n } else { a.min(b)..a.max(b) }
        };
        let (rows, columns) = (span(height), span(width));
        let before = board.cells.clone();
        for i in rows {
            for j in columns.clone() {
                board.cells[i * width + j] = other.cells[i * width + j];
            }
        }
        (before != board.cells && other.cells != board.cells).then_some(())
    }
}
