//! Random programs and grids.
//!
//! Most arguments are chosen by type, so that many programs run to the end; some are chosen blindly,
//! so that failures of every kind turn up too.

use arcloom_dsl::{CONSTANTS, Primitive, Registry, words};
use arcloom_lang::infer;
use arcloom_lang::program::Builder;
use arcloom_lang::{NodeId, Op, Program};
use arcloom_value::{Grid, PrimId, Role, Ty, Value};

use crate::choice::Chooser;

/// A random grid with sides from 1 to `side` and a few colours.
pub fn random_grid(choice: &mut impl Chooser, side: usize) -> Grid {
    let (height, width) = (1 + choice.below(side), 1 + choice.below(side));
    let palette: Vec<i8> = (0..1 + choice.below(4)).map(|_| choice.below(10) as i8).collect();
    let cells: Vec<i8> = (0..height * width)
        .map(|_| if choice.once_in(3) { palette[choice.below(palette.len())] } else { palette[0] })
        .collect();
    // Sides are positive and the number of cells fits, so there always is such a grid.
    Grid::new(height, width, &cells).unwrap_or_else(|| unreachable!("sides are positive"))
}

/// How programs are generated.
#[derive(Debug, Clone, Copy)]
pub struct GenerateOptions {
    /// Most calls.
    pub steps: usize,
    /// One argument in this many is chosen without looking at its type.
    pub blind: usize,
    /// The primitives that are called, by name.
    pub calls: fn(&str) -> bool,
}

impl Default for GenerateOptions {
    fn default() -> GenerateOptions {
        GenerateOptions { steps: 8, blind: 40, calls: |_| true }
    }
}

/// A random program.
pub fn random_program(choice: &mut impl Chooser, options: &GenerateOptions) -> Program {
    let mut making = Making {
        registry: Registry::get(),
        builder: Builder::default(),
        pool: Vec::new(),
        options: *options,
    };
    let input = making.builder.node(Op::Input, &[]);
    making.pool.push((input, Ty::Grid));
    // Words of rules that are called with constants are no calls once a text is read.
    let is_called = |id, prim: &Primitive| !words::is_word(id) && (options.calls)(prim.name);
    let prims = making.registry.all().filter(|(id, prim)| is_called(*id, prim));
    let prims: Vec<PrimId> = prims.map(|(id, _)| id).collect();
    for _ in 0..1 + choice.below(options.steps) {
        // A few tries to find a primitive whose arguments are at hand.
        for _ in 0..8 {
            let Some(&prim) = choice.pick(&prims) else { break };
            if let Some(node) = making.call(choice, prim) {
                making.pool.push(node);
                break;
            }
        }
    }
    let grids: Vec<NodeId> =
        making.pool.iter().filter(|(_, ty)| *ty == Ty::Grid).map(|(id, _)| *id).collect();
    let output = match grids.last() {
        Some(&last) if !choice.once_in(4) => last,
        _ => making.pool.last().map_or(input, |(id, _)| *id),
    };
    making.builder.finish("solve_random".to_string(), output)
}

struct Making {
    registry: &'static Registry,
    builder: Builder,
    pool: Vec<(NodeId, Ty)>,
    options: GenerateOptions,
}

impl Making {
    fn call(&mut self, choice: &mut impl Chooser, prim: PrimId) -> Option<(NodeId, Ty)> {
        let sig = self.registry.sig(prim);
        let mut args = Vec::with_capacity(sig.params.len());
        let mut types = Vec::with_capacity(sig.params.len());
        for param in &sig.params {
            let wanted = match param {
                Ty::Var(v) => sig.bounds.get(usize::from(*v)).cloned().unwrap_or(Ty::Any),
                other => other.clone(),
            };
            let (node, ty) = self.argument(choice, &wanted)?;
            args.push(node);
            types.push(ty);
        }
        let node = self.builder.node(Op::Call(prim), &args);
        let ty = infer::call_result(prim, &types.iter().collect::<Vec<_>>());
        Some((node, ty))
    }

    fn argument(&mut self, choice: &mut impl Chooser, wanted: &Ty) -> Option<(NodeId, Ty)> {
        if choice.once_in(self.options.blind) {
            return choice.pick(&self.pool).cloned();
        }
        match wanted {
            Ty::Fn(params, _) => self.function(choice, params.len()),
            Ty::Int(role) if !choice.once_in(4) => Some(self.integer(choice, *role)),
            Ty::Pair if choice.once_in(2) => Some(self.constant(choice, &Ty::Pair)),
            _ => {
                // Later values are likelier, so that programs grow deep rather than wide.
                let fitting: Vec<&(NodeId, Ty)> =
                    self.pool.iter().filter(|(_, ty)| fits(ty, wanted)).collect();
                let n = fitting.len();
                match fitting.get(choice.below(n).max(choice.below(n))) {
                    Some(found) => Some((*found).clone()),
                    None if matches!(wanted, Ty::Num | Ty::Pair) => {
                        Some(self.constant(choice, &Ty::Pair))
                    }
                    None if matches!(wanted, Ty::Int(_) | Ty::Any) => {
                        Some(self.integer(choice, Role::Number))
                    }
                    None => None,
                }
            }
        }
    }

    fn integer(&mut self, choice: &mut impl Chooser, role: Role) -> (NodeId, Ty) {
        let n = match role {
            Role::Bool => choice.below(2),
            Role::Color => choice.below(10),
            Role::Angle | Role::Notion => choice.below(8),
            Role::Corner => choice.below(4),
            Role::Rank => choice.below(3),
            Role::Number => 1 + choice.below(4),
        };
        (self.builder.node(Op::Const(Value::Int(n as i64)), &[]), Ty::Int(role))
    }

    fn constant(&mut self, choice: &mut impl Chooser, ty: &Ty) -> (NodeId, Ty) {
        let fitting: Vec<_> = CONSTANTS.iter().filter(|c| c.ty == *ty).collect();
        let value = choice.pick(&fitting).map_or(Value::None, |c| c.value());
        (self.builder.node(Op::Const(value), &[]), ty.clone())
    }

    /// A function of this many arguments: a primitive, or one bound or composed from primitives.
    fn function(&mut self, choice: &mut impl Chooser, arity: usize) -> Option<(NodeId, Ty)> {
        let ty = Ty::Fn(vec![Ty::Any; arity], Box::new(Ty::Any));
        let calls = self.options.calls;
        let of_arity = |wanted: usize| -> Vec<PrimId> {
            let all = Registry::get().all().filter(|(_, p)| calls(p.name));
            all.filter(|(_, p)| p.arity() == wanted).map(|(id, _)| id).collect()
        };
        if arity == 1 && choice.once_in(4) {
            let inner = *choice.pick(&of_arity(2))?;
            let inner = self.builder.node(Op::Const(Value::Prim(inner)), &[]);
            let (fixed, _) = choice.pick(&self.pool).cloned()?;
            let bind = self.registry.find(if choice.once_in(2) { "rbind" } else { "lbind" })?;
            return Some((self.builder.node(Op::Call(bind), &[inner, fixed]), ty));
        }
        if arity == 1 && choice.once_in(4) {
            let parts = of_arity(1);
            let outer = *choice.pick(&parts)?;
            let inner = *choice.pick(&parts)?;
            let outer = self.builder.node(Op::Const(Value::Prim(outer)), &[]);
            let inner = self.builder.node(Op::Const(Value::Prim(inner)), &[]);
            let compose = self.registry.find("compose")?;
            return Some((self.builder.node(Op::Call(compose), &[outer, inner]), ty));
        }
        let prim = *choice.pick(&of_arity(arity))?;
        Some((self.builder.node(Op::Const(Value::Prim(prim)), &[]), ty))
    }
}

/// True when a value of type `found` is probably what a parameter of type `wanted` takes.
fn fits(found: &Ty, wanted: &Ty) -> bool {
    match (wanted, found) {
        (Ty::Any | Ty::Var(_), _) => true,
        (Ty::Int(_), Ty::Int(_)) => true,
        (Ty::Num, Ty::Int(_) | Ty::Pair | Ty::Num) => true,
        (Ty::Patch, Ty::Indices | Ty::Object | Ty::Patch) => true,
        (Ty::Piece, Ty::Grid | Ty::Indices | Ty::Object | Ty::Patch) => true,
        (Ty::Element, Ty::Grid | Ty::Object) => true,
        (Ty::Set(a), Ty::Set(b)) | (Ty::Tuple(a), Ty::Tuple(b)) => fits(b, a),
        (Ty::Set(a), Ty::Indices | Ty::Object) => fits(&found.element(), a),
        (Ty::Tuple(a), Ty::Grid | Ty::Pair) => fits(&found.element(), a),
        (Ty::Container(a), Ty::Set(b) | Ty::Tuple(b) | Ty::Container(b)) => fits(b, a),
        (Ty::Container(a), Ty::Indices | Ty::Object | Ty::Grid) => fits(&found.element(), a),
        (wanted, found) => wanted == found,
    }
}
