//! The figures of a batt for people.

use anyhow::Result;
use arcloom::Carded;
use arcloom::batt::NameCount;

use crate::args::card::CardArgs;
use crate::commands::dsl::family_name;
use crate::paint::{Tone, count, grouped};
use crate::session::Session;
use crate::table::Table;

/// Most lines of the tables that could go on for long.
const MOST: usize = 8;

pub(super) fn write(carded: &Carded, args: &CardArgs, session: &mut Session<'_>) -> Result<()> {
    let mut tables = vec![sizes(carded)];
    if args.verbose {
        tables.push(programs(carded));
    }
    tables.extend([costs(carded), classes(carded), shared(carded)]);
    if args.rules {
        tables.push(rules(carded));
    }
    for table in tables.iter().filter(|table| !table.is_empty()) {
        table.write(session.out, session.paint, session.columns)?;
        writeln!(session.out)?;
    }
    duplicates(carded, session)?;
    summary(carded, session)
}

/// Nodes before and after.
fn sizes(carded: &Carded) -> Table {
    let mut table = Table::new(&["nodes", ">all", ">steps", ">constants", ">inputs"]);
    let mut row = |name: &str, count: &NameCount, tone: Tone| {
        let numbers = [count.nodes(), count.steps, count.constants, count.inputs].map(grouped);
        let cells = [name.to_owned()].into_iter().chain(numbers);
        table.row(cells.map(|text| (tone, text)));
    };
    row("programs alone", &carded.before, Tone::Plain);
    row("merged", &carded.merged, Tone::Plain);
    row("after rules", &carded.stats.count, Tone::Bold);
    table
}

/// Every program with what it shares.
fn programs(carded: &Carded) -> Table {
    let mut table = Table::new(&["program", ">steps", ">shared", ">depth"]);
    for (label, stats) in carded.batt.labels().into_iter().zip(&carded.stats.programs) {
        let numbers = [stats.steps, stats.shared, stats.depth].map(grouped);
        table.row([label].into_iter().chain(numbers).map(|text| (Tone::Plain, text)));
    }
    table
}

fn costs(carded: &Carded) -> Table {
    let mut table = Table::new(&["time grows with", ">steps"]);
    for (cost, steps) in &carded.stats.by_cost {
        table.row([cost.name().to_owned(), grouped(*steps)].map(|text| (Tone::Plain, text)));
    }
    table
}

fn classes(carded: &Carded) -> Table {
    let mut table = Table::new(&["family", ">calls"]);
    let mut rows: Vec<_> = carded.stats.by_class.iter().collect();
    rows.sort_by_key(|&(class, calls)| (std::cmp::Reverse(calls), class));
    for (class, calls) in rows {
        let name = family_name(*class).0.to_owned();
        table.row([name, grouped(*calls)].map(|text| (Tone::Plain, text)));
    }
    table
}

/// The steps of the most programs.
fn shared(carded: &Carded) -> Table {
    let mut table = Table::new(&[">programs", "most shared steps"]);
    for (node, users) in carded.stats.most_shared(&carded.batt).into_iter().take(MOST) {
        let text = [grouped(users as usize), carded.expression(node)];
        table.row(text.map(|text| (Tone::Plain, text)));
    }
    table
}

fn rules(carded: &Carded) -> Table {
    let mut table = Table::new(&["rule", ">nodes rewritten", "what it does"]);
    for (rule, fired) in &carded.fired {
        table.row([
            (Tone::Plain, rule.name.to_owned()),
            (Tone::Plain, grouped(*fired)),
            (Tone::Dim, rule.doc.to_owned()),
        ]);
    }
    table
}

/// Programs that compute the same thing in the same way.
fn duplicates(carded: &Carded, session: &mut Session<'_>) -> Result<()> {
    let labels = carded.batt.labels();
    let groups = &carded.stats.duplicates;
    for group in groups.iter().take(MOST) {
        let names: Vec<&str> = group.iter().take(MOST).map(|&n| labels[n].as_str()).collect();
        let rest = group.len() - names.len();
        let rest = if rest > 0 { format!(" and {} more", grouped(rest)) } else { String::new() };
        writeln!(session.out, "the same: {}{rest}", names.join(", "))?;
    }
    if groups.len() > MOST {
        writeln!(session.out, "... and {} more groups", grouped(groups.len() - MOST))?;
    }
    Ok(())
}

fn summary(carded: &Carded, session: &mut Session<'_>) -> Result<()> {
    let stats = &carded.stats;
    let steps: usize = stats.programs.iter().map(|program| program.steps).sum();
    let shared: usize = stats.programs.iter().map(|program| program.shared).sum();
    let percent = if steps > 0 { 100.0 * shared as f64 / steps as f64 } else { 0.0 };
    let head = format!(
        "{} in {}",
        count(stats.programs.len(), "program"),
        count(stats.count.steps, "step")
    );
    writeln!(
        session.out,
        "{}: {percent:.0}% of a program's steps are in another one too, depth {}",
        session.paint.bold(&head),
        stats.depth
    )?;
    Ok(())
}
