//! Growth by cost: the same steps on all inputs at once, cheapest first, equal results never twice.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{BuildHasher, Hasher};

use arcloom_dsl::Stop;
use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_value::{FixedHasher, FixedMap};

use crate::picture::Start;
use crate::plan::Chain;
use crate::pool::{ItemId, Pool};
use crate::steps::{Bounds, Canvas, Item, Scratch, Step};

/// A chain of steps from the input, the same on every input of the task.
#[derive(Clone, Copy, Debug)]
pub struct ChainNode {
    /// What the last step was applied to; `None` for a seed.
    pub parent: Option<u32>,
    /// The last step, a number into the steps of the growth; for a seed one into its starts.
    pub step: u16,
    /// Sum of the costs of its steps.
    pub cost: u16,
    /// Whether its values are lists.
    pub is_list: bool,
}

/// All chains found so far.
pub struct ChainGrowth {
    pub steps: Vec<(Step, u16)>,
    /// Steps from here on were made for this task, on one node each.
    attached: usize,
    /// What seeds are.
    starts: Vec<Start>,
    pub pools: Vec<Pool>,
    pub nodes: Vec<ChainNode>,
    ids: Vec<ItemId>,
    seen: FixedMap<u64, u32>,
    queue: BTreeMap<u16, VecDeque<u32>>,
    scratch: Scratch,
    has_output: bool,
    most_bytes: usize,
    /// Work done, in cells looked at.
    pub work: u64,
}

impl ChainGrowth {
    /// A growth from the inputs that ends when it holds about so many bytes.
    pub fn new(bounds: Vec<Bounds>, steps: Vec<(Step, u16)>, most_bytes: usize) -> ChainGrowth {
        let inputs = bounds.iter().map(|b| b.picture.clone()).collect();
        let pools = bounds.into_iter().map(|b| Pool::new(b, steps.len())).collect();
        let mut growth = ChainGrowth {
            attached: steps.len(),
            steps,
            starts: Vec::new(),
            pools,
            nodes: Vec::new(),
            ids: Vec::new(),
            seen: FixedMap::default(),
            queue: BTreeMap::new(),
            scratch: Scratch::default(),
            has_output: false,
            most_bytes,
            work: 0,
        };
        growth.seed(Start::Input, inputs, 0);
        growth
    }

    /// One more seed, a sheet for each input.
    pub fn seed(&mut self, start: Start, sheets: Vec<Sheet>, cost: u16) {
        let step = self.starts.len() as u16;
        self.starts.push(start);
        let ids: Vec<ItemId> =
            sheets.into_iter().zip(&mut self.pools).map(|(s, pool)| pool.add(s)).collect();
        self.add(&ids, ChainNode { parent: None, step, cost, is_list: false });
    }

    /// Sets the sizes of the output canvases; every chain may then be grown once more.
    pub fn set_outputs(&mut self, sizes: &[(usize, usize)]) {
        for (pool, &size) in self.pools.iter_mut().zip(sizes) {
            pool.bounds.output = Some(size);
        }
        self.has_output = true;
        self.queue.clear();
        for (number, node) in self.nodes.iter().enumerate() {
            self.queue.entry(node.cost).or_default().push_back(number as u32);
        }
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.pools.len()
    }

    /// The numbers of a node's values.
    #[inline]
    pub fn ids(&self, node: u32) -> &[ItemId] {
        let n = self.inputs();
        &self.ids[node as usize * n..(node as usize + 1) * n]
    }

    /// A node's value on one input.
    #[inline]
    pub fn item(&self, node: u32, input: usize) -> &Item {
        self.pools[input].item(self.ids(node)[input])
    }

    /// Grows until every chain of cost at most `bound` is there, `work` is used up or it is to stop; says
    /// whether it came to the end.
    pub fn grow(&mut self, bound: u16, work: u64, stop: &Stop) -> bool {
        let mut ids = vec![0; self.inputs()];
        let mut next = ids.clone();
        while let Some(mut entry) = self.queue.first_entry() {
            let cost = *entry.key();
            if cost >= bound {
                return true;
            }
            let Some(node) = entry.get_mut().pop_front() else {
                entry.remove();
                continue;
            };
            if self.nodes[node as usize].cost != cost {
                continue;
            }
            ids.copy_from_slice(self.ids(node));
            self.expand(node, bound, &ids, &mut next);
            if self.work > work || self.bytes() > self.most_bytes || stop.is_due() {
                return false;
            }
        }
        true
    }

    /// Does every step on the values `ids` of a node; `next` has room for those of a child.
    fn expand(&mut self, node: u32, bound: u16, ids: &[ItemId], next: &mut [ItemId]) {
        let ChainNode { cost, is_list, .. } = self.nodes[node as usize];
        for number in 0..self.attached {
            let (ref step, price) = self.steps[number];
            let total = cost + price;
            if total > bound || cost > step.until() {
                continue;
            }
            let takes = if step.joins() || step.sifts() {
                is_list
            } else {
                (!is_list || step.is_for_lists())
                    && (self.has_output || step.canvas() != Some(Canvas::Output))
            };
            if !takes {
                continue;
            }
            let made =
                self.pools.iter_mut().zip(ids).zip(next.iter_mut()).all(|((pool, &id), slot)| {
                    match pool.child(id, step, number, &mut self.scratch, &mut self.work) {
                        Some(child) => {
                            *slot = child;
                            true
                        }
                        None => false,
                    }
                });
            if made {
                let lists = step.splits() || is_list && !step.joins();
                let child = ChainNode {
                    parent: Some(node),
                    step: number as u16,
                    cost: total,
                    is_list: lists,
                };
                self.add(next, child);
            }
        }
    }

    fn add(&mut self, ids: &[ItemId], node: ChainNode) {
        let mut hasher = FixedHasher.build_hasher();
        ids.iter().for_each(|&id| hasher.write_u32(id));
        let number = self.nodes.len() as u32;
        let known = *self.seen.entry(hasher.finish()).or_insert(number);
        if known == number {
            self.nodes.push(node);
            self.ids.extend_from_slice(ids);
        } else if self.nodes[known as usize].cost > node.cost {
            self.nodes[known as usize] = node;
        } else {
            return;
        }
        self.queue.entry(node.cost).or_default().push_back(known);
    }

    /// Adds what a step that was made for this task does with a node.
    pub fn attach(&mut self, parent: u32, step: Step, sheets: Vec<Sheet>, price: u16) {
        let ids: Vec<ItemId> =
            sheets.into_iter().zip(&mut self.pools).map(|(s, pool)| pool.add(s)).collect();
        let number = self.steps.len() as u16;
        self.steps.push((step, price));
        let cost = self.nodes[parent as usize].cost + price;
        self.add(&ids, ChainNode { parent: Some(parent), step: number, cost, is_list: false });
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> usize {
        let pools: usize = self.pools.iter().map(Pool::bytes).sum();
        let seen = self.seen.capacity() * (size_of::<(u64, u32)>() + 1);
        let nodes = self.nodes.capacity() * size_of::<ChainNode>();
        pools + seen + nodes + self.ids.capacity() * size_of::<ItemId>()
    }

    /// The steps that lead to a node, first to last, and what they start from.
    pub fn chain(&self, node: u32) -> Chain {
        let mut steps = Vec::new();
        let mut at = &self.nodes[node as usize];
        while let Some(parent) = at.parent {
            steps.push(self.steps[usize::from(at.step)].0);
            at = &self.nodes[parent as usize];
        }
        steps.reverse();
        Chain { start: self.starts[usize::from(at.step)], steps }
    }
}
