//! `arcloom dsl`: the language, from the same records that the engine runs on.

use std::process::ExitCode;

use anyhow::{Result, bail};
use arcloom::{ALIASES, Alias, CONSTANTS, Class, Constant, Primitive, Registry, nearest};

use crate::args::dsl::DslArgs;
use crate::paint::{Tone, count, visible};
use crate::session::Session;
use crate::table::Table;

mod json;
mod page;

/// Families in the manual's order.
const FAMILIES: [Class; 17] = [
    Class::Arithmetic,
    Class::Logic,
    Class::Container,
    Class::HigherOrder,
    Class::Color,
    Class::Measure,
    Class::Geometry,
    Class::Scale,
    Class::Layout,
    Class::Objects,
    Class::Position,
    Class::Lines,
    Class::Paint,
    Class::Pattern,
    Class::Sheet,
    Class::Rule,
    Class::Samples,
];

/// What a name means.
enum Meaning {
    Function(&'static Primitive, Option<&'static Alias>),
    Constant(&'static Constant),
    Family(Class),
    Constants,
}

pub(crate) fn run(args: &DslArgs, session: &mut Session<'_>) -> Result<ExitCode> {
    let Some(name) = &args.name else {
        if args.json.json {
            json::everything(session.out)?;
        } else {
            everything(session)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let Some(meaning) = look_up(name) else { bail!("{}", unknown(name)) };
    match (meaning, args.json.json) {
        (Meaning::Function(prim, _), true) => json::function(prim, session.out)?,
        (Meaning::Function(prim, alias), false) => page::function(prim, alias, session)?,
        (Meaning::Constant(constant), true) => json::constant(constant, session.out)?,
        (Meaning::Constant(constant), false) => page::constant(constant, session)?,
        (Meaning::Family(class), true) => json::family(class, session.out)?,
        (Meaning::Family(class), false) => family(class, session)?,
        (Meaning::Constants, true) => json::constants(session.out)?,
        (Meaning::Constants, false) => constants(session)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Functions go before families of the same name, as there are in `objects`.
fn look_up(name: &str) -> Option<Meaning> {
    let registry = Registry::get();
    if let Some(id) = registry.resolve(name) {
        let alias = ALIASES.iter().find(|alias| alias.name == name);
        return Some(Meaning::Function(registry.primitive(id), alias));
    }
    if let Some(constant) = CONSTANTS.iter().find(|constant| constant.name == name) {
        return Some(Meaning::Constant(constant));
    }
    if name == "constants" {
        return Some(Meaning::Constants);
    }
    FAMILIES.into_iter().find(|class| family_name(*class).0 == name).map(Meaning::Family)
}

/// Says what might have been meant: names that contain the one typed, then the nearest.
fn unknown(name: &str) -> String {
    let registry = Registry::get();
    let mut known: Vec<&str> = registry.all().map(|(_, prim)| prim.name).collect();
    known.extend(CONSTANTS.iter().map(|constant| constant.name));
    known.extend(ALIASES.iter().map(|alias| alias.name));
    known.extend(FAMILIES.iter().map(|class| family_name(*class).0));
    let lower = name.to_lowercase();
    let mut likely: Vec<&str> = Vec::new();
    while likely.len() < 3
        && let Some(near) = nearest(name, known.iter().copied().filter(|k| !likely.contains(k)))
    {
        likely.push(near);
    }
    if lower.len() >= 3 {
        let contains = known.iter().filter(|known| known.to_lowercase().contains(&lower));
        likely.extend(
            contains.copied().filter(|known| !likely.contains(known)).take(6).collect::<Vec<_>>(),
        );
    }
    likely.truncate(6);
    let name = visible(name);
    match likely.as_slice() {
        [] => format!("no `{name}` in the language; `arcloom dsl` lists what there is"),
        [near] => format!("no `{name}` in the language: did you mean `{near}`?"),
        several => format!("no `{name}` in the language; nearest: {}", several.join(", ")),
    }
}

fn everything(session: &mut Session<'_>) -> Result<()> {
    for class in FAMILIES {
        family(class, session)?;
        writeln!(session.out)?;
    }
    constants(session)?;
    let functions = Registry::get().all().len();
    let line = format!(
        "{}, {}, {}",
        count(functions, "function"),
        count(CONSTANTS.len(), "constant"),
        count(ALIASES.len(), "further name")
    );
    let next = "`arcloom dsl NAME` shows one with examples";
    writeln!(session.out, "\n{}  {}", session.paint.bold(&line), session.paint.dim(next))?;
    Ok(())
}

/// A line per function.
fn family(class: Class, session: &mut Session<'_>) -> Result<()> {
    let (name, about) = family_name(class);
    writeln!(session.out, "{}  {}", session.paint.bold(name), session.paint.dim(about))?;
    let mut table = Table::new(&["", "", ""]);
    for prim in members(class) {
        table.row([
            (Tone::Plain, prim.name.to_owned()),
            (Tone::Dim, prim.sig.to_owned()),
            (Tone::Plain, first_sentence(prim.summary())),
        ]);
    }
    table.write(session.out, session.paint, session.columns)?;
    Ok(())
}

fn constants(session: &mut Session<'_>) -> Result<()> {
    writeln!(
        session.out,
        "{}  {}",
        session.paint.bold("constants"),
        session.paint.dim("names for values")
    )?;
    let mut table = Table::new(&["", "", ""]);
    for constant in CONSTANTS {
        let note = match (constant.doc, constant.extra) {
            ("", true) => "not in arc-dsl",
            (doc, _) => &first_sentence(doc),
        };
        table.row([
            (Tone::Plain, constant.name.to_owned()),
            (Tone::Dim, constant.ty.to_string()),
            (Tone::Plain, format!("{:<9}{note}", constant_text(constant)).trim_end().to_owned()),
        ]);
    }
    table.write(session.out, session.paint, session.columns)?;
    Ok(())
}

/// The functions of a family, by name.
fn members(class: Class) -> impl Iterator<Item = &'static Primitive> {
    Registry::get().all().map(|(_, prim)| prim).filter(move |prim| prim.class == class)
}

/// A constant's value as text.
fn constant_text(constant: &Constant) -> String {
    constant.value().show(&|id| Registry::get().primitive(id).name).to_string()
}

/// The first sentence, on one line.
fn first_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").unwrap_or(line.len());
    line[..end].trim_end_matches('.').to_owned()
}

/// The name of a family and what is in it.
pub(super) fn family_name(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::Arithmetic => ("arithmetic", "numbers and pairs of numbers"),
        Class::Logic => ("logic", "truth and choice"),
        Class::Container => ("container", "tuples and sets"),
        Class::HigherOrder => ("higher_order", "functions of functions"),
        Class::Color => ("color", "colours of grids and objects"),
        Class::Measure => ("measure", "sizes and extents"),
        Class::Geometry => ("geometry", "mirrors and rotations"),
        Class::Scale => ("scale", "enlarging and shrinking"),
        Class::Layout => ("layout", "cutting grids up and joining them"),
        Class::Objects => ("objects", "finding objects"),
        Class::Position => ("position", "where objects are"),
        Class::Lines => ("lines", "lines, boxes and neighbourhoods"),
        Class::Paint => ("paint", "writing into grids"),
        Class::Pattern => ("pattern", "repetition and occurrence"),
        Class::Sheet => ("sheet", "grids with a position, 0 is transparent"),
        Class::Rule => ("rule", "words of learned rules: questions, actions"),
        Class::Samples => ("samples", "facts derived from a task's demo pairs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_in_a_listed_family() {
        let listed: usize = FAMILIES.iter().map(|class| members(*class).count()).sum();
        assert_eq!(listed, Registry::get().all().len());
    }

    #[test]
    fn a_slip_gets_suggestions() {
        assert_eq!(unknown("rot09"), "no `rot09` in the language: did you mean `rot90`?");
        assert!(unknown("mirror").contains("hmirror"), "{}", unknown("mirror"));
        assert!(unknown("qqqqqqqq").contains("lists what there is"));
    }
}
