//! The language for machines.

use std::io::Write;

use anyhow::Result;
use arcloom::{ALIASES, CONSTANTS, Class, Constant, Primitive, Registry};
use serde::Serialize;
use serde_json::{Value, json};

use super::{constant_text, family_name, members, page};

/// All functions and constants.
pub(super) fn everything(out: &mut dyn Write) -> Result<()> {
    let functions: Vec<Value> =
        Registry::get().all().map(|(_, prim)| function_value(prim)).collect();
    let constants: Vec<Value> = CONSTANTS.iter().map(constant_value).collect();
    write(
        out,
        &json!({ "schema": arcloom::JSON_SCHEMA, "functions": functions, "constants": constants }),
    )
}

/// One function.
pub(super) fn function(prim: &'static Primitive, out: &mut dyn Write) -> Result<()> {
    write(out, &function_value(prim))
}

/// The functions of one family.
pub(super) fn family(class: Class, out: &mut dyn Write) -> Result<()> {
    write(out, &members(class).map(function_value).collect::<Vec<_>>())
}

/// One constant.
pub(super) fn constant(constant: &Constant, out: &mut dyn Write) -> Result<()> {
    write(out, &constant_value(constant))
}

/// All constants.
pub(super) fn constants(out: &mut dyn Write) -> Result<()> {
    write(out, &CONSTANTS.iter().map(constant_value).collect::<Vec<_>>())
}

fn write(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

fn function_value(prim: &'static Primitive) -> Value {
    let (name, rest) = page::signature(prim);
    let aliases: Vec<Value> = ALIASES
        .iter()
        .filter(|alias| alias.target == prim.name)
        .map(|alias| json!({ "name": alias.name, "types": alias.sig }))
        .collect();
    json!({
        "name": prim.name,
        "family": family_name(prim.class).0,
        "signature": format!("{name}{rest}"),
        "types": prim.sig,
        "parameters": prim.params,
        "summary": prim.summary().split_whitespace().collect::<Vec<_>>().join(" "),
        "doc": prim.doc,
        "examples": prim.examples().collect::<Vec<_>>(),
        "cost": prim.cost.name(),
        "order_dependent": prim.order_dependent,
        "arc_dsl": !prim.extra,
        "aliases": aliases,
    })
}

fn constant_value(constant: &Constant) -> Value {
    json!({
        "name": constant.name,
        "type": constant.ty.to_string(),
        "value": constant_text(constant),
        "doc": constant.doc,
        "arc_dsl": !constant.extra,
    })
}
