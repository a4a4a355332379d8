use arcloom::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let catalog = Catalog::open(None);
    let lib = Library::load(&catalog, &[a[1].clone()], &mut std::io::stdin()).unwrap();
    let tasks = catalog.resolve_tasks("arc1/training").unwrap();
    println!("{} programs, {} errors {} warnings {} notes", lib.programs.len(), lib.errors.len(), lib.warnings.len(), lib.notes.len());
    for e in lib.errors.iter().take(20) { println!("{e}"); }
    for e in lib.warnings.iter().take(20) { println!("{e}"); }
    let engine = Engine::builder().threads(1).build().unwrap();
    let t = std::time::Instant::now();
    let r = engine.check(&lib.programs, &tasks, &|_| {});
    println!("solved {} of {} in {:?}", r.count(Verdict::Solved), r.rows.len(), t.elapsed());
    for row in &r.rows { if row.verdict != Verdict::Solved { println!("{} {:?} {:?} {:?}", row.task, row.verdict, row.pair_name, row.reason); } }
    for _ in 0..3 { let t = std::time::Instant::now(); engine.check(&lib.programs, &tasks, &|_| {}); println!("{:?}", t.elapsed()); }
    let p = engine.profile(&lib.programs, &tasks).profile.unwrap();
    for row in p.table().iter().take(30) { println!("{:14} {:8} {:10.3} ms {:8} ns", row.name, row.calls, row.time.as_secs_f64()*1e3, row.time.as_nanos() as u64 / row.calls); }
}
