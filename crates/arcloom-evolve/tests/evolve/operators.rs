//! Every operator on the embedded programs and on random ones: whatever comes out is a sound
//! program, and enough of it.

use arcloom_evolve::{ALL, Context, MAX_CALLS, Parent, Rates, Tally, mutate};
use arcloom_lang::text::print;
use arcloom_lang::{Form, Program, infer, load_file, verify};
use arcloom_value::FixedSet;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::world::{self, World};

/// Applications of each operator.
const TIMES: usize = 2000;

#[test]
fn children_are_sound_programs() {
    let world = World::new();
    for operator in ALL {
        let (mut valid, mut distinct) = (0, FixedSet::default());
        for n in 0..TIMES {
            let context = world.context(n);
            let parent = context.parent.program();
            let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
            let child = operator.child(&context, &mut rng);
            let again = operator.child(&context, &mut ChaCha8Rng::seed_from_u64(n as u64));
            assert_eq!(child, again, "{}: the same seed, the same child", operator.name);
            let Some(child) = child else { continue };
            assert_sound(operator.name, parent, &child);
            valid += 1;
            distinct.insert(child.id());
        }
        println!("{:16} {valid:5} valid {:5} distinct of {TIMES}", operator.name, distinct.len());
        assert!(distinct.len() >= 10, "{} made {} programs", operator.name, distinct.len());
    }
}

/// What must hold for every child.
#[track_caller]
fn assert_sound(operator: &str, parent: &Program, child: &Program) {
    let text = print(child, Form::Straight);
    let place = format!("{operator}\n{}\n{text}", print(parent, Form::Straight));
    assert_eq!(verify::verify(child), Ok(()), "{place}");
    assert!(infer::warnings(child).is_empty(), "{place}");
    assert_ne!(child.id(), parent.id(), "{place}");
    assert!(child.size() <= MAX_CALLS.max(parent.size()), "{place}");
    let loaded = load_file(&text);
    assert!(loaded.errors.is_empty(), "{place}\n{:?}", loaded.errors);
    assert_eq!(loaded.programs[0].id(), child.id(), "{place}");
}

#[test]
fn operators_that_apply_mostly_succeed() {
    let world = World::new();
    let mut weak = Vec::new();
    for operator in ALL {
        let child = |n: usize| {
            operator.child(&world.context(n), &mut ChaCha8Rng::seed_from_u64(n as u64)).is_some()
        };
        // A parent without a rank has none to replace: only parents count that gave some child.
        let mut applies = vec![(0, 0); world.parents.len()];
        for n in 0..TIMES {
            let (tried, made) = &mut applies[(n / 3) % world.parents.len()];
            *tried += 1;
            *made += usize::from(child(n));
        }
        let suited = applies.iter().filter(|(_, made)| *made > 0);
        let (tried, made) = suited.fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        let all: usize = applies.iter().map(|(_, made)| made).sum();
        let (share, of_all) = (100 * made / tried.max(1), 100 * all / TIMES);
        println!("{:16} {of_all:3} % valid, {share:3} % where it applies", operator.name);
        if share < 30 {
            weak.push(operator.name);
        }
    }
    assert!(weak.len() <= 2, "less than 30 % valid: {weak:?}");
}

#[test]
fn mutation_repeats_and_counts() {
    let world = World::new();
    let rates = Rates::default();
    let run = || {
        let mut tally = Tally::default();
        let children: Vec<_> = (0..600)
            .map(|n| {
                let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
                mutate(&world.context(n), &mut rng, &rates, &mut tally)
            })
            .collect();
        (children, tally)
    };
    let (children, tally) = run();
    assert_eq!((&children, &tally), (&run().0, &run().1));
    let made = children.iter().flatten().count();
    assert!(made > 590, "{made}");
    let counts = tally.counts();
    assert_eq!(counts.iter().map(|c| c.valid).sum::<u64>(), made as u64);
    assert!(counts.iter().all(|c| c.applied >= c.valid && c.applied > 0));
}

/// Search moves through neighbours, so there must be a way back from most of them.
#[test]
fn a_step_can_often_be_taken_back() {
    let world = World::new();
    let rates = Rates::default();
    let mut tally = Tally::default();
    let (mut tried, mut back) = (0, 0);
    for n in 0..48 {
        let context = world.context(n * 3);
        let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
        let Some((_, child)) = mutate(&context, &mut rng, &rates, &mut tally) else { continue };
        let child = Parent::new(child);
        let home = context.parent.program();
        let context = Context { parent: &child, ..context };
        let mut again = || mutate(&context, &mut rng, &rates, &mut tally);
        tried += 1;
        back += usize::from((0..800).any(|_| again().is_some_and(|(_, p)| p == *home)));
    }
    println!("{back} of {tried} steps were taken back");
    assert!(2 * back > tried, "{back} of {tried}");
}

/// Run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn time_per_child() {
    let world = World::new();
    let rates = Rates::default();
    let mut tally = Tally::default();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    for round in 0..3 {
        let start = std::time::Instant::now();
        let made = (0..50_000)
            .filter(|&n| mutate(&world.context(n), &mut rng, &rates, &mut tally).is_some())
            .count();
        let took = start.elapsed();
        println!(
            "round {round}: {made} children, {:.2} us each",
            took.as_secs_f64() * 1e6 / made as f64
        );
    }
    for operator in ALL {
        let start = std::time::Instant::now();
        let made =
            (0..5_000).filter(|&n| operator.child(&world.context(n), &mut rng).is_some()).count();
        let each = start.elapsed().as_secs_f64() * 1e6 / 5_000.0;
        println!("{:16} {each:6.2} us a try, {:3} % valid", operator.name, made / 50);
    }
    let start = std::time::Instant::now();
    for parent in world.parents.iter().cycle().take(10_000) {
        std::hint::black_box(Parent::new(parent.program().clone()));
    }
    println!("preparing a parent: {:.2} us", start.elapsed().as_secs_f64() * 1e6 / 10_000.0);
    let tasks: Vec<_> =
        arcloom_tasks::embedded::tasks().iter().map(|(_, json)| world::demos(json)).collect();
    let start = std::time::Instant::now();
    for demos in &tasks {
        std::hint::black_box(arcloom_evolve::TaskFacts::new(demos));
    }
    println!("facts of a task: {:.0} us", start.elapsed().as_secs_f64() * 1e6 / tasks.len() as f64);
}

/// Run with a solver file in `ARCLOOM_SOLVERS` and `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement on a file that is not part of the repository"]
fn published_programs() {
    let Some(path) = std::env::var_os("ARCLOOM_SOLVERS") else { return };
    let mut world = World::new();
    let programs = load_file(&std::fs::read_to_string(path).unwrap()).programs;
    world.parents = programs.into_iter().map(Parent::new).collect();
    let doubtful: Vec<&Parent> = world.parents.iter().filter(|p| p.doubts() > 0).collect();
    println!("{} of {} programs raise doubts", doubtful.len(), world.parents.len());
    for parent in doubtful.iter().take(12) {
        println!("{} {}", parent.doubts(), print(parent.program(), Form::Inline));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut tally = Tally::default();
    let start = std::time::Instant::now();
    let made = (0..50_000)
        .filter(|&n| mutate(&world.context(n), &mut rng, &Rates::default(), &mut tally).is_some())
        .count();
    let each = start.elapsed().as_secs_f64() * 1e6 / made as f64;
    println!("{made} children, {each:.2} us each");
    for (operator, count) in ALL.iter().zip(tally.counts()) {
        println!("{:16} {:3} % valid", operator.name, 100 * count.valid / count.applied.max(1));
    }
    for n in 0..20_000 {
        let context = world.context(n);
        if let Some((operator, child)) = mutate(&context, &mut rng, &Rates::default(), &mut tally) {
            assert_sound(ALL[operator].name, context.parent.program(), &child);
        }
    }
}
