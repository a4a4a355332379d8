//! Threads with machines: who does the work of a run, in which number, within which limits.

use arcloom_lang::foreign::ForeignNames;
use rayon::prelude::*;

use crate::cpu::Cpu;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::spans::{self, Section};

/// Fewest calls of a batt that several threads share. Fewer are mostly done by one thread before it pays that the
/// others have woken and grown memory of their own; so many take some 30 milliseconds.
const SHARED_CALLS: usize = 1 << 17;

/// Worker threads and the limits that they run programs under.
pub struct Workers {
    /// `None` for a single thread, which then is the caller's own.
    pool: Option<rayon::ThreadPool>,
    limits: Limits,
    functions: ForeignNames,
}

impl Workers {
    /// So many threads. The error is what the system says when it does not give them.
    pub fn new(threads: usize, limits: Limits) -> Result<Workers, String> {
        let functions = ForeignNames::default();
        let build = || {
            let functions = functions.clone();
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
            builder.start_handler(move |_| functions.adopt()).build()
        };
        let pool = (threads > 1).then(build).transpose().map_err(|error| error.to_string())?;
        Ok(Workers { pool, limits, functions })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// The limits that programs run under.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Functions of the host language that texts may name.
    pub fn functions(&self) -> &ForeignNames {
        &self.functions
    }

    /// Runs programs within the limits.
    pub fn machine(&self) -> Machine {
        self.limits.machine()
    }

    /// Evaluates batts within the limits.
    pub fn cpu(&self) -> Cpu {
        Cpu::new(self.limits)
    }

    /// Does `work` for every item, on all threads, each with a machine; results in the order of the items.
    pub fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut Machine, &T) -> R + Sync,
    ) -> Vec<R> {
        match &self.pool {
            None => {
                let _entered = self.functions.enter();
                let mut machine = self.machine();
                items.iter().map(|item| work(&mut machine, item)).collect()
            }
            Some(pool) => {
                let section = spans::section(self.threads());
                let work = |machine: &mut Machine, item| {
                    let _share = section.as_ref().map(Section::enter);
                    work(machine, item)
                };
                pool.install(|| items.par_iter().map_init(|| self.machine(), work).collect())
            }
        }
    }

    /// True when so many calls of a batt are enough work for all threads.
    pub fn share(&self, calls: usize) -> bool {
        self.threads() > 1 && calls >= SHARED_CALLS
    }

    /// True when there are too few tasks for every thread to have its own.
    pub fn shares_inputs(&self, tasks: usize) -> bool {
        self.threads() > 1 && tasks < 2 * self.threads()
    }

    /// Does `work` for every task, on all threads, or one by one where tasks are few and their inputs
    /// are shared out instead. Results in the order of the tasks.
    pub fn spread<'t, T: Sync, R: Send>(
        &self,
        tasks: &'t [T],
        work: impl Fn(&'t T) -> R + Sync + Send,
    ) -> Vec<R> {
        match &self.pool {
            None => {
                let _entered = self.functions.enter();
                tasks.iter().map(work).collect()
            }
            Some(pool) => {
                let section = spans::section(self.threads());
                let work = |task| {
                    let _share = section.as_ref().map(Section::enter);
                    work(task)
                };
                match self.shares_inputs(tasks.len()) {
                    true => pool.install(|| tasks.iter().map(work).collect()),
                    false => pool.install(|| tasks.par_iter().with_max_len(1).map(work).collect()),
                }
            }
        }
    }
}
