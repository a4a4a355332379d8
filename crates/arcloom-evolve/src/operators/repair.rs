//! Repairs that follow what the differs found: wrong colours, a wrong shape, wrong places.

use arcloom_dsl::Registry;
use arcloom_lang::NodeId;
use arcloom_value::{Role, Ty, Value};

use crate::kind::{self, ConstantKind};
use crate::making::Making;
use crate::mutate::{Finding, Operator};
use crate::parent::MutationSite;
use crate::typing::fits;

pub(super) const PALETTE: Operator = Operator {
    name: "repair_palette",
    doc: "Recolours what has a colour that should not be there, or brings in one that is missing.",
    apply: palette,
};

pub(super) const SHAPE: Operator = Operator {
    name: "repair_shape",
    doc: "Crops, scales, tiles or splits a result of the wrong shape.",
    apply: shape,
};

pub(super) const POSITION: Operator = Operator {
    name: "repair_position",
    doc: "Moves what is in the wrong place by the shift that most objects need.",
    apply: position,
};

/// A finding of this differ.
fn finding<'a>(making: &mut Making<'a>, differ: &str) -> Option<&'a Value> {
    let findings: &'a [Finding] = making.context.findings;
    making.draw.choose(findings.iter().filter(|f| f.differ == differ)).map(|f| &f.value)
}

fn palette(making: &mut Making<'_>) -> Option<()> {
    let parent = making.parent();
    let extra = finding(making, "palette_extra").and_then(Value::as_int);
    let missing = finding(making, "palette_missing").and_then(Value::as_int);
    if (extra.is_none() && missing.is_none()) || *parent.goal() != Ty::Grid {
        return None;
    }
    let facts = making.context.facts;
    let from = extra.unwrap_or_else(|| kind::color(facts, &mut making.draw));
    let to = missing.unwrap_or_else(|| kind::color(facts, &mut making.draw));
    if from == to || [from, to].iter().any(|&c| !kind::in_range(Role::Color, c)) {
        return None;
    }
    let is_color = |site: &MutationSite, color: Option<i64>| {
        site.kind == Some(ConstantKind::Int(Role::Color))
            && parent.constant(site.arg).is_some_and(|v| color.is_none_or(|c| *v == Value::Int(c)))
    };
    let (old, new) = (making.draft.int(from), making.draft.int(to));
    // At its source if the program names a colour, or at the end.
    let source = match making.draw.below(5) {
        0 | 1 => match making.site(|site| is_color(site, extra)) {
            Some(site) => Some(site),
            None => making.site(|site| is_color(site, None)),
        },
        _ => None,
    };
    match source {
        Some(site) => making.draft.set(site, new),
        None => {
            let name = if making.draw.one_in(3) { "switch" } else { "replace" };
            let output = making.draft.output();
            let output = making.draft.call_named(name, &[output, old, new])?;
            making.draft.set_output(output);
        }
    }
    Some(())
}

fn shape(making: &mut Making<'_>) -> Option<()> {
    let wanted = finding(making, "shape")?.clone();
    if *making.parent().goal() != Ty::Grid {
        return None;
    }
    let output = making.draft.output();
    let facts = making.context.facts;
    let (tall, wide) = facts.grows.unwrap_or((2, 2));
    let (short, narrow) = facts.shrinks.unwrap_or((2, 2));
    // A hint from the demo pairs is taken first, where there is one.
    let new = match making.draw.below(9) {
        0 => crop(making, output, wanted)?,
        1 | 2 => enlarge(making, output, tall, wide)?,
        3 => tile(making, output, tall, wide)?,
        4 => {
            let factor = making.draft.int(short.max(narrow).max(2));
            making.draft.call_named("downscale", &[output, factor])?
        }
        5 => part(making, output, short, narrow)?,
        6 => {
            let patch = making.argument(&Ty::Object, None)?;
            making.draft.call_named("subgrid", &[patch, output])?
        }
        7 => {
            let steps = ["trim", "compress", "dmirror", "rot90"];
            let name = making.draw.pick(&steps)?;
            making.draft.call_named(name, &[output])?
        }
        _ => {
            // Where the shape is written down somewhere, the right one goes there.
            let parent = making.parent();
            let is_pair = |s: &MutationSite| {
                s.kind == Some(ConstantKind::Pair) && parent.constant(s.arg).is_some()
            };
            match making.site(is_pair) {
                Some(site) => {
                    let new = making.draft.constant(wanted);
                    making.draft.set(site, new);
                    return Some(());
                }
                None => crop(making, output, wanted)?,
            }
        }
    };
    making.draft.set_output(new);
    Some(())
}

fn crop(making: &mut Making<'_>, grid: NodeId, shape: Value) -> Option<NodeId> {
    let start = making.draft.constant(Value::pair(0, 0));
    let shape = making.draft.constant(shape);
    making.draft.call_named("crop", &[grid, start, shape])
}

fn enlarge(making: &mut Making<'_>, grid: NodeId, tall: i64, wide: i64) -> Option<NodeId> {
    let (height, width) = (making.draft.int(tall.max(2)), making.draft.int(wide.max(2)));
    match (tall > 1, wide > 1) {
        (true, false) => making.draft.call_named("vupscale", &[grid, height]),
        (false, true) => making.draft.call_named("hupscale", &[grid, width]),
        _ if tall == wide => making.draft.call_named("upscale", &[grid, height]),
        _ => {
            let grid = making.draft.call_named("vupscale", &[grid, height])?;
            making.draft.call_named("hupscale", &[grid, width])
        }
    }
}

/// The grid beside itself, below itself, or both; sometimes mirrored.
fn tile(making: &mut Making<'_>, grid: NodeId, tall: i64, wide: i64) -> Option<NodeId> {
    let mut grid = grid;
    let mirrored = making.draw.one_in(2);
    for (times, join, mirror) in [(wide, "hconcat", "vmirror"), (tall, "vconcat", "hmirror")] {
        let one = grid;
        for n in 1..times.clamp(1, 4) {
            let next =
                if mirrored && n % 2 == 1 { making.draft.call_named(mirror, &[one])? } else { one };
            grid = making.draft.call_named(join, &[grid, next])?;
        }
    }
    Some(grid)
}

/// One of the equal parts of the grid.
fn part(making: &mut Making<'_>, grid: NodeId, short: i64, narrow: i64) -> Option<NodeId> {
    let mut grid = grid;
    for (parts, split) in [(narrow, "hsplit"), (short, "vsplit")] {
        if parts > 1 {
            let parts = making.draft.int(parts);
            let all = making.draft.call_named(split, &[grid, parts])?;
            let pick = if making.draw.one_in(2) { "first" } else { "last" };
            grid = making.draft.call_named(pick, &[all])?;
        }
    }
    Some(grid)
}

fn position(making: &mut Making<'_>) -> Option<()> {
    let by = finding(making, "position")?.clone();
    by.as_pair()?;
    let parent = making.parent();
    let registry = Registry::get();
    let callee = |site: &MutationSite| {
        site.user.and_then(|user| parent.call(user)).map(|prim| registry.primitive(prim).name)
    };
    let shift = making.draft.constant(by);
    let is_patch = |site: &MutationSite| {
        matches!(parent.ty(site.arg), Ty::Object | Ty::Indices | Ty::Patch | Ty::Container(_))
            && matches!(callee(site), Some("paint" | "fill" | "underfill" | "underpaint" | "cover"))
            && fits(&Ty::Patch, parent.ty(site.arg))
    };
    let is_offset = |site: &MutationSite| {
        callee(site) == Some("shift") && site.index == 1 && site.kind == Some(ConstantKind::Pair)
    };
    // Where something is moved already, where something is painted, or the whole result.
    let draw = making.draw.below(3);
    if draw == 0
        && let Some(site) = making.site(is_offset)
    {
        let sum = making.draft.call_named("add", &[site.arg, shift])?;
        let new = if making.draw.one_in(3) { shift } else { sum };
        making.draft.set(site, new);
        return Some(());
    }
    if draw < 2
        && let Some(site) = making.site(is_patch)
    {
        let new = making.draft.call_named("shift", &[site.arg, shift])?;
        making.draft.set(site, new);
        return Some(());
    }
    if *parent.goal() != Ty::Grid {
        return None;
    }
    let output = making.draft.output();
    let object = making.draft.call_named("asobject", &[output])?;
    let moved = making.draft.call_named("shift", &[object, shift])?;
    let background = making.draft.call_named("mostcolor", &[output])?;
    let shape = making.draft.call_named("shape", &[output])?;
    let canvas = making.draft.call_named("canvas", &[background, shape])?;
    let output = making.draft.call_named("paint", &[canvas, moved])?;
    making.draft.set_output(output);
    Some(())
}
