//! Tries inputs and keeps the healthy ones.

use arcloom_graph::{Machine, Plan, TaskView};
use arcloom_tasks::{GridLimits, Pair};
use arcloom_value::{FixedSet, Grid, Value};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::board::{Board, COLORS, Dice, Finder, most_frequent};
use super::change::{self, Change, Changer, Stock};
use super::looks::{Looker, SharedChange, SharedLooks};
use super::range::Strictness;
use super::recast::{Recast, Recasts, TURNS, essence, fingerprint, outline};
use super::vocabulary::{Novelty, Vocabulary};
use super::way::{Colors, Way};
use super::{AugmentError, NewPair};
use crate::engine::Engine;
use crate::library::Entry;

/// Inputs that further ones are made from.
const POOL: usize = 96;
/// Changes that may lie between an input and a demo.
const DEPTH: u8 = 4;
/// Tries after which a maker looks whether it is too strict, and the share of them that it should keep.
const TRIAL: usize = 600;
const LEAST_KEPT: usize = 60;
/// Recasts of each demo that show what may differ.
const SEEN_RECASTS: usize = 6;

/// An input that others are made from.
struct Source {
    board: Board,
    output: Board,
    /// Changes since the demo.
    depth: u8,
    colors: Colors,
}

/// What came of a recast input.
enum Recasting {
    /// A healthy pair.
    Pair(NewPair),
    /// The recast output, but no new pair.
    Same,
    /// Another output: where the demos may be recast, the input is none of the task's.
    Differs,
}

impl Recasting {
    fn pair(self) -> Option<NewPair> {
        match self {
            Recasting::Pair(pair) => Some(pair),
            Recasting::Same | Recasting::Differs => None,
        }
    }
}

/// Makes pairs for one task, one at a time. Equal makers give equal pairs in the same order.
pub struct PairMaker {
    plan: Plan,
    samples: Value,
    general: bool,
    dice: Dice,
    background: Option<i8>,
    inputs: SharedLooks,
    outputs: SharedLooks,
    change: SharedChange,
    input_parts: Vocabulary,
    output_parts: Vocabulary,
    way: Way,
    recasts: Recasts,
    stock: Stock,
    pool: Vec<Source>,
    demos: usize,
    /// Inputs that were tried.
    known: FixedSet<u64>,
    /// The demos, whatever their colours and turns.
    essences: Vec<u64>,
    outlines: Vec<(usize, usize, [u32; COLORS])>,
    /// Kept and tried, by change.
    rates: [(u32, u32); change::ALL.len()],
    tries: usize,
    strictness: Strictness,
    /// Tries and pairs when that was last decided.
    decided: (usize, usize),
    /// The recast of a pair that was handed out.
    next: Option<NewPair>,
    /// Pairs that are more than recasts of demos, and the others.
    counts: [usize; 2],
    memory: Memory,
}

/// What is kept from try to try so that it need not be made anew.
#[derive(Default)]
struct Memory {
    finder: Finder,
    looker: Looker,
    board: Board,
    other: Board,
    output: Board,
    colors: Colors,
}

impl PairMaker {
    /// A maker of pairs for a task by a program that fits its demos.
    pub fn new(
        engine: &Engine,
        machine: &mut Machine,
        entry: &Entry,
        task: &TaskView,
        seed: u64,
    ) -> Result<PairMaker, AugmentError> {
        let given = task.given_demos();
        let boards: Vec<Board> = given.inputs.iter().filter_map(board_of).collect();
        let recasts = Recasts { turns: vec![0], classes: std::array::from_fn(|color| color) };
        let most: Vec<i8> = boards.iter().map(|board| most_frequent(&board.counts())).collect();
        let mut memory = Memory::default();
        let mut maker = PairMaker {
            plan: entry.plan.clone(),
            samples: given.samples,
            general: engine.limits().is_general(),
            dice: Dice(ChaCha8Rng::seed_from_u64(seed ^ name_hash(&task.id))),
            background: None,
            inputs: SharedLooks::new(0),
            outputs: SharedLooks::new(0),
            change: SharedChange::new(),
            input_parts: Vocabulary::default(),
            output_parts: Vocabulary::default(),
            way: Way::new(&entry.program),
            recasts,
            stock: Stock::new(boards.clone(), &most, &mut memory.finder),
            pool: Vec::new(),
            demos: boards.len(),
            known: FixedSet::default(),
            essences: Vec::new(),
            outlines: Vec::new(),
            rates: [(0, 0); change::ALL.len()],
            tries: 0,
            strictness: Strictness::Strict,
            decided: (0, 0),
            next: None,
            counts: [0; 2],
            memory,
        };
        maker
            .learn(machine, &boards)
            .ok_or(())
            .and_then(|outputs| {
                let expected = task.expected().iter().map(|expected| Board::of(expected.grid()));
                if outputs.iter().cloned().eq(expected) { Ok(()) } else { Err(()) }
            })
            .map_err(|()| {
                let fits = machine.outputs(&entry.plan, task).demos;
                let fits = task.exact(fits.iter().map(|output| output.as_ref().ok()));
                AugmentError::Unfit {
                    program: entry.program.name.clone(),
                    task: task.id.clone(),
                    fits: fits.filter(|fits| *fits).count(),
                    demos: task.demo_count(),
                }
            })?;
        Ok(maker)
    }

    /// Inputs that were tried so far.
    pub fn tries(&self) -> usize {
        self.tries
    }

    /// Finds out what the demos have in common; gives their outputs.
    fn learn(&mut self, machine: &mut Machine, boards: &[Board]) -> Option<Vec<Board>> {
        let outputs: Vec<Board> =
            boards.iter().map(|board| self.output(machine, board)).collect::<Option<_>>()?;
        let pairs: Vec<(&Board, &Board)> = boards.iter().zip(&outputs).collect();
        let usual = {
            let outputs: Vec<&Board> = outputs.iter().collect();
            let inputs: Vec<&Board> = boards.iter().collect();
            let of = [Novelty::new(&inputs), Novelty::new(&outputs)];
            move |recast: &Recast| of[0].allows(&inputs, recast) && of[1].allows(&outputs, recast)
        };
        self.find_colors(machine, &pairs, &usual);
        let turns = (1..TURNS).map(Recast::turn).filter(&usual).map(|recast| recast.turn);
        let turns = turns.filter(|turn| self.commutes(machine, &pairs, &Recast::turn(*turn)));
        let turns: Vec<u8> = std::iter::once(0).chain(turns.collect::<Vec<u8>>()).collect();
        self.recasts.turns = turns;
        let fixed = (0..COLORS).filter(|color| self.recasts.is_fixed(*color));
        let fixed = fixed.fold(0, |bits, color| bits | 1 << color);
        let zero_is_ground = fixed & 1 != 0 && boards.iter().all(|board| board.counts()[0] > 0);
        self.background = zero_is_ground.then_some(0);
        let grounds: Vec<i8> = boards.iter().map(|board| self.ground(board)).collect();
        self.stock = Stock::new(boards.to_vec(), &grounds, &mut self.memory.finder);
        let inputs: Vec<&Board> = boards.iter().collect();
        self.input_parts = Vocabulary::new(&inputs, &self.recasts);
        self.output_parts = Vocabulary::new(&outputs.iter().collect::<Vec<_>>(), &self.recasts);
        (self.inputs, self.outputs) = (SharedLooks::new(fixed), SharedLooks::new(fixed));
        let mut recast_board = Board::default();
        for (board, _) in &pairs {
            let drawn = (0..SEEN_RECASTS).map(|_| self.recasts.draw(&mut self.dice));
            let mut recasts: Vec<Recast> =
                self.recasts.turns.iter().copied().map(Recast::turn).collect();
            recasts.extend(drawn.collect::<Vec<Recast>>());
            for recast in recasts {
                recast.apply(board, &mut recast_board);
                if !self.see(machine, &recast_board) && recast == Recast::NONE {
                    return None;
                }
            }
            self.essences.push(essence(board, &mut self.memory.other));
            self.outlines.push(outline(board));
        }
        for (board, output) in &pairs {
            self.known.insert(fingerprint(board));
            let mut colors = Colors::default();
            self.follow(machine, board, None, &mut colors)?;
            let (board, output) = ((*board).clone(), (*output).clone());
            self.pool.push(Source { board, output, depth: 0, colors });
        }
        Some(outputs)
    }

    /// Classes of colours that the program treats alike.
    fn find_colors(
        &mut self,
        machine: &mut Machine,
        pairs: &[(&Board, &Board)],
        usual: &dyn Fn(&Recast) -> bool,
    ) {
        let shown = pairs.iter().fold(0, |bits, (board, _)| bits | super::looks::palette(board));
        for color in (0..COLORS).filter(|color| shown & 1 << color != 0) {
            let firsts: Vec<usize> = (0..color)
                .filter(|c| self.recasts.classes[*c] == *c && shown & 1 << c != 0)
                .collect();
            let class = firsts
                .into_iter()
                .map(|first| (first, Recast::exchange(first, color)))
                .find(|(_, recast)| usual(recast) && self.commutes(machine, pairs, recast))
                .map(|(first, _)| first);
            if let Some(class) = class {
                self.recasts.classes[color] = class;
            }
        }
    }

    /// True when it is the same on the demos to recast before the program and after it.
    fn commutes(
        &mut self,
        machine: &mut Machine,
        pairs: &[(&Board, &Board)],
        recast: &Recast,
    ) -> bool {
        let (mut input, mut output) = (Board::default(), Board::default());
        pairs.iter().all(|(from, to)| {
            recast.apply(from, &mut input);
            recast.apply(to, &mut output);
            self.output(machine, &input).as_ref() == Some(&output)
        })
    }

    fn ground(&self, board: &Board) -> i8 {
        self.background.unwrap_or_else(|| most_frequent(&board.counts()))
    }

    fn output(&self, machine: &mut Machine, board: &Board) -> Option<Board> {
        let input = Value::Grid(board.grid()?);
        machine.output(&self.plan, &self.samples, &input).ok().map(|grid| Board::of(&grid))
    }

    /// Takes in what the program does on an input.
    fn see(&mut self, machine: &mut Machine, board: &Board) -> bool {
        let mut values = Vec::new();
        let Some(input) = board.grid().map(Value::Grid) else { return false };
        let general = self.general;
        let output = machine.output_along(&self.plan, &self.samples, &input, |node, value| {
            values.push((node, if general { value.canonical() } else { value.clone() }));
            true
        });
        let Some(Ok(output)) = output else { return false };
        values.iter().for_each(|(node, value)| self.way.see(*node, value));
        let output = Board::of(&output);
        self.inputs.see(board, self.background, &mut self.memory.looker);
        self.outputs.see(&output, self.background, &mut self.memory.looker);
        self.change.see(board, &output, self.background);
        true
    }

    /// The output for an input, if the program goes its way to it. Notes the colours on the way.
    fn follow(
        &self,
        machine: &mut Machine,
        board: &Board,
        like: Option<(&Colors, &Recast)>,
        colors: &mut Colors,
    ) -> Option<Grid> {
        let input = Value::Grid(board.grid()?);
        let (way, general) = (&self.way, self.general);
        colors.clear();
        let output = machine.output_along(&self.plan, &self.samples, &input, |node, value| {
            let canonical;
            let value = if general {
                canonical = value.canonical();
                &canonical
            } else {
                value
            };
            way.admits(node, value) && (!way.is_color(node) || colors.note(value, like))
        });
        output?.ok()
    }

    /// Tries one input; the pair, if it is healthy.
    pub fn next_pair(&mut self, machine: &mut Machine) -> Option<NewPair> {
        if let Some(pair) = self.next.take() {
            return Some(pair);
        }
        self.decide();
        self.tries += 1;
        let from = self.dice.below(self.pool.len());
        let [new, plain] = self.counts;
        // At most half of all pairs are recasts of demos.
        let recasts = !self.recasts.is_trivial()
            && self.pool[from].depth == 0
            && plain < new
            && self.dice.one_in(2);
        let mut memory = std::mem::take(&mut self.memory);
        let made = match recasts {
            true => self.recast(machine, from, &mut memory).pair(),
            false => self.changed(machine, from, &mut memory),
        };
        self.memory = memory;
        made
    }

    /// Is less strict from now on, where next to nothing is kept.
    fn decide(&mut self) {
        let (tries, pairs) = self.decided;
        if self.tries - tries < TRIAL {
            return;
        }
        let now = self.counts[0];
        if (now - pairs) * LEAST_KEPT < TRIAL {
            self.strictness = Strictness::Parts;
        }
        self.decided = (self.tries, now);
    }

    /// A recast of an input of the pool.
    fn recast(&mut self, machine: &mut Machine, from: usize, memory: &mut Memory) -> Recasting {
        let recast = self.recasts.draw(&mut self.dice);
        recast.apply(&self.pool[from].board, &mut memory.board);
        if memory.board == self.pool[from].board {
            return Recasting::Same;
        }
        let Some(grid) = self.output(machine, &memory.board) else { return Recasting::Differs };
        recast.apply(&self.pool[from].output, &mut memory.other);
        if memory.other != grid {
            return Recasting::Differs;
        }
        let pair = self.judge(machine, from, &recast, memory);
        if let Some(pair) = &pair {
            self.counts[usize::from(!pair.is_new)] += 1;
        }
        pair.map_or(Recasting::Same, Recasting::Pair)
    }

    /// A changed input of the pool. Where the demos may be recast, it must stand that too.
    fn changed(
        &mut self,
        machine: &mut Machine,
        from: usize,
        memory: &mut Memory,
    ) -> Option<NewPair> {
        let mut tried = [None; 2];
        let made = self.change(from, memory, &mut tried);
        let made = made.then(|| self.judge(machine, from, &Recast::NONE, memory)).flatten();
        let place = made.is_some().then(|| self.keep(from, memory));
        let stands = place.is_some_and(|place| {
            if self.recasts.is_trivial() {
                return true;
            }
            let recast = self.recast(machine, place, memory);
            let stands = !matches!(recast, Recasting::Differs);
            self.next = recast.pair();
            stands
        });
        if let Some(place) = place.filter(|_| !stands) {
            self.pool.swap_remove(place);
        }
        for n in tried.into_iter().flatten() {
            let (kept, all): &mut (u32, u32) = &mut self.rates[n];
            *all += 1;
            *kept += u32::from(stands);
        }
        let pair = made.filter(|_| stands)?;
        self.counts[usize::from(!pair.is_new)] += 1;
        Some(pair)
    }

    /// Changes an input of the pool; notes which changes were made.
    fn change(&mut self, from: usize, memory: &mut Memory, tried: &mut [Option<usize>; 2]) -> bool {
        let source = &self.pool[from];
        if source.depth >= DEPTH {
            return false;
        }
        memory.board.clone_from(&source.board);
        let background = self.ground(&memory.board);
        let count = if self.dice.one_in(4) { 2 } else { 1 };
        for tried in tried.iter_mut().take(count) {
            let n = self.draw_change();
            *tried = Some(n);
            let mut changer = Changer {
                stock: &self.stock,
                finder: &mut memory.finder,
                dice: &mut self.dice,
                background,
            };
            let change: Change = change::ALL[n];
            if changer.make(change, &mut memory.board).is_none() {
                return false;
            }
        }
        true
    }

    /// A change, likelier one that often was healthy.
    fn draw_change(&mut self) -> usize {
        let weight = |(n, (kept, all)): (usize, &(u32, u32))| {
            ((kept + 2) * 256 / (all + 2) + 4) * change::ALL[n].trust()
        };
        let total: u32 = self.rates.iter().enumerate().map(weight).sum();
        let mut left = self.dice.below(total as usize) as u32;
        for (n, rate) in self.rates.iter().enumerate() {
            match left.checked_sub(weight((n, rate))) {
                Some(rest) => left = rest,
                None => return n,
            }
        }
        0
    }

    /// The pair of an input, if it is healthy.
    fn judge(
        &mut self,
        machine: &mut Machine,
        from: usize,
        recast: &Recast,
        memory: &mut Memory,
    ) -> Option<NewPair> {
        let Memory { looker, board, other, output, colors, .. } = memory;
        if !self.known.insert(fingerprint(board))
            || !self.inputs.admits(board, self.background, looker)
            || !self.input_parts.admits(board, self.strictness)
        {
            return None;
        }
        let is_new = !self.outlines.contains(&outline(board))
            || !self.essences.contains(&essence(board, other));
        let [new, plain] = self.counts;
        if !is_new && plain >= new {
            return None;
        }
        let like = Some((&self.pool[from].colors, recast));
        let grid = self.follow(machine, board, like, colors)?;
        output.set_to(&grid);
        let is_healthy = output != board
            && GridLimits::ARC.allow(&grid)
            && self.outputs.admits(output, self.background, looker)
            && self.change.admits(board, output, self.background)
            && self.output_parts.admits(output, self.strictness);
        let input = board.grid().filter(|_| is_healthy)?;
        Some(NewPair { pair: Pair { input, output: grid }, is_new })
    }

    /// Puts the input of a pair into the pool; gives its place.
    fn keep(&mut self, from: usize, memory: &Memory) -> usize {
        let depth = self.pool[from].depth + 1;
        if self.pool.len() >= POOL {
            let old = self.demos + self.dice.below(self.pool.len() - self.demos);
            self.pool.swap_remove(old);
        }
        let (board, output) = (memory.board.clone(), memory.output.clone());
        self.pool.push(Source { board, output, depth, colors: memory.colors.clone() });
        self.pool.len() - 1
    }
}

fn board_of(value: &Value) -> Option<Board> {
    match value {
        Value::Grid(grid) => Some(Board::of(grid)),
        _ => None,
    }
}

/// Tells the streams of tasks apart.
fn name_hash(name: &str) -> u64 {
    use std::hash::BuildHasher;
    arcloom_value::FixedHasher.hash_one(name)
}
