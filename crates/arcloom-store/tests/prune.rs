//! Pruning keeps what it must, and says what went.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::collections::BTreeSet;

use arcloom_store::*;
use common::*;

mod common;

fn programs(archive: &Archive) -> BTreeSet<u64> {
    let all = archive.programs(&Filter::default()).unwrap();
    all.iter().map(|program| program.name["solve_".len()..].parse().unwrap()).collect()
}

fn options(best: usize, different: usize) -> PruneOptions {
    PruneOptions { best, different, ..PruneOptions::default() }
}

#[test]
fn the_best_the_most_different_and_their_ancestors_stay() {
    let mut archive = open(&folder("stay").join("a.db"));
    let run = archive.begin_run(&new_run(1, 0)).unwrap();
    let evolved = |n, parents: &[u64]| program(n, Some(run), parents);
    archive
        .add(&Records {
            programs: vec![
                evolved(0, &[]),
                evolved(1, &[0]),
                evolved(2, &[]),
                evolved(3, &[]),
                evolved(4, &[]),
                evolved(5, &[]),
                evolved(6, &[]),
                program(7, None, &[]),
            ],
            tasks: tasks(1),
            results: vec![
                // The ancestor of the best one, far behind.
                result(0, 0, "010", 500, 9),
                result(1, 0, "111", 1000, 1),
                result(2, 0, "110", 900, 2),
                // Behaves as a kept one.
                result(3, 0, "110", 890, 2),
                // Near to what is kept, and far from it.
                result(4, 0, "110", 880, 4),
                result(5, 0, "001", 300, 5),
            ],
            ..Records::default()
        })
        .unwrap();
    let pruned = archive.prune(&options(2, 1), None).unwrap();
    // 6 never had a result; 7 neither, but it is from a file.
    assert_eq!(programs(&archive), BTreeSet::from([0, 1, 2, 5, 7]));
    assert_eq!(pruned.reasons.values().sum::<u64>(), 3 + 2 + 1);
    assert_eq!((pruned.programs_left, pruned.results_left), (5, 3));
    // The ancestor has its text and no result.
    assert!(archive.results(id(0)).unwrap().is_empty());
    assert_eq!(archive.ancestors(id(1), 5).unwrap().nodes.len(), 2);
    let counted: u64 = archive.counts().unwrap().pruned.iter().map(|(_, count)| count).sum();
    assert_eq!(counted, 6);
    // Nothing is left to prune.
    assert!(archive.prune(&options(2, 1), None).unwrap().reasons.is_empty());
    assert_eq!(archive.integrity().unwrap(), Vec::<String>::new());
}

#[test]
fn populations_stay_with_their_results() {
    let mut archive = with_run(&folder("alive").join("a.db"), 1, 5, 100, 0);
    let run = archive.runs().unwrap()[0].number;
    let alive = archive.populations(run).unwrap();
    archive.prune(&options(1, 0), None).unwrap();
    assert_eq!(archive.populations(run).unwrap(), alive);
    for member in alive.iter().flat_map(|population| &population.members) {
        assert_eq!(archive.results(*member).unwrap().len(), 1);
    }
    // The run goes on with children of what is alive.
    let mut next = generation(run, 5, 100, 0);
    for program in &mut next.records.programs {
        program.parents = alive[0].members.clone();
    }
    archive.commit(&next).unwrap();
}

#[test]
fn a_size_limit_is_kept_where_it_can_be() {
    let path = folder("size").join("a.db");
    let mut archive = with_run(&path, 1, 10, 400, 0);
    archive.compact().unwrap();
    let before = archive.bytes();
    let limit = before / 4;
    let pruned = archive.prune(&options(500, 500), Some(limit)).unwrap();
    assert_eq!(pruned.bytes, (before, archive.bytes()));
    assert!(archive.bytes() <= limit, "{} of {limit}", archive.bytes());
    assert_eq!(archive.integrity().unwrap(), Vec::<String>::new());
    // What cannot be reached is no error.
    let pruned = archive.prune(&options(500, 500), Some(1)).unwrap();
    assert!(pruned.bytes.1 > 1 && pruned.programs_left > 0);
}

#[test]
fn pruning_depends_on_content_alone() {
    let dir = folder("alike");
    let mut a = with_run(&dir.join("a.db"), 1, 4, 60, 0);
    let mut b = with_run(&dir.join("b.db"), 1, 3, 60, 5);
    let run = b.runs().unwrap()[0].number;
    let mut last = generation(run, 3, 60, 5);
    last.records.programs.reverse();
    last.records.results.reverse();
    last.prune = Some(Prune { options: options(5, 5), limit: None });
    b.commit(&last).unwrap();
    b.remember(&[cached(3, 5)], &[]).unwrap();
    a.prune(&options(5, 5), None).unwrap();
    assert_eq!(a.compare(&b).unwrap(), None);
}

#[test]
fn a_generation_prunes_itself_below_a_limit() {
    let path = folder("limit").join("a.db");
    let mut archive = open(&path);
    let run = archive.begin_run(&new_run(1, 0)).unwrap();
    let limit = 150_000;
    for number in 0..40 {
        let mut batch = generation(run, number, 100, 0);
        // What a real run refers to is alive; these programs refer to anything.
        batch.records.programs.iter_mut().for_each(|program| program.parents.clear());
        let prune = Prune { limit: Some(limit), ..Prune::default() };
        batch.prune = number.is_multiple_of(4).then_some(prune);
        archive.commit(&batch).unwrap();
        if batch.prune.is_some() {
            assert!(archive.bytes() <= limit, "generation {number}: {}", archive.bytes());
        }
    }
    assert_eq!(archive.integrity().unwrap(), Vec::<String>::new());
    // The run can go on, and what went was counted.
    assert_eq!(archive.operators(run).unwrap().len(), 1);
    assert!(archive.populations(run).unwrap().iter().all(|p| !p.members.is_empty()));
    let pruned = archive.counts().unwrap().pruned;
    assert!(pruned.iter().any(|(reason, n)| reason.contains("over size") && *n > 0), "{pruned:?}");
}
