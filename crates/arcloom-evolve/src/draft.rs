//! An edit in progress: the parent's nodes, what stands for those that were changed, and new ones
//! behind them. Nothing of the parent is copied until the draft is finished, and few ever are.
//!
//! A draft may hold unused, equal or badly ordered nodes; [`Draft::finish`] makes a program of it or
//! refuses. Old nodes keep their ids, so an operator can name any of them at any time.

use arcloom_dsl::Registry;
use arcloom_lang::{Builder, Node, NodeId, Op, Program};
use arcloom_value::{PrimId, Value};
use smallvec::SmallVec;

use crate::parent::{MutationSite, Parent};

/// A graph that is being edited.
pub(crate) struct Draft<'a> {
    old: &'a [Node],
    /// What stands for nodes of the parent; there are one or two of them.
    changed: Vec<(NodeId, Node)>,
    new: Vec<Node>,
    output: NodeId,
}

/// A finished draft.
pub(crate) struct Child {
    pub(crate) program: Program,
    /// For each node the parent's node that it is, if nothing it depends on was changed.
    pub(crate) origin: Vec<Option<NodeId>>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(parent: &'a Parent) -> Draft<'a> {
        let program = parent.program();
        let (changed, new) = (Vec::new(), Vec::new());
        Draft { old: program.nodes(), changed, new, output: program.output() }
    }

    /// Number of nodes, those without use included.
    fn len(&self) -> usize {
        self.old.len() + self.new.len()
    }

    /// A node as it is now.
    fn get(&self, id: NodeId) -> &Node {
        match id.index().checked_sub(self.old.len()) {
            Some(n) => &self.new[n],
            None => match self.changed.iter().find(|(changed, _)| *changed == id) {
                Some((_, node)) => node,
                None => &self.old[id.index()],
            },
        }
    }

    /// A node, to be changed.
    fn get_mut(&mut self, id: NodeId) -> &mut Node {
        if let Some(n) = id.index().checked_sub(self.old.len()) {
            return &mut self.new[n];
        }
        let place = match self.changed.iter().position(|(changed, _)| *changed == id) {
            Some(place) => place,
            None => {
                self.changed.push((id, self.old[id.index()].clone()));
                self.changed.len() - 1
            }
        };
        &mut self.changed[place].1
    }

    /// True for a node of the parent that is as it was.
    fn is_same(&self, id: NodeId) -> bool {
        id.index() < self.old.len() && self.changed.iter().all(|(changed, _)| *changed != id)
    }

    /// Adds a node.
    pub(crate) fn node(&mut self, op: Op, args: &[NodeId]) -> NodeId {
        self.add(Node { op, args: args.iter().copied().collect() })
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.len() as u32);
        self.new.push(node);
        id
    }

    pub(crate) fn call(&mut self, prim: PrimId, args: &[NodeId]) -> NodeId {
        self.node(Op::Call(prim), args)
    }

    /// A call by name. There is no such primitive only where a name in this crate is wrong, which a
    /// test finds; the operator then gives nothing.
    pub(crate) fn call_named(&mut self, name: &str, args: &[NodeId]) -> Option<NodeId> {
        Some(self.call(Registry::get().find(name)?, args))
    }

    pub(crate) fn constant(&mut self, value: Value) -> NodeId {
        self.node(Op::Const(value), &[])
    }

    pub(crate) fn int(&mut self, n: i64) -> NodeId {
        self.constant(Value::Int(n))
    }

    pub(crate) fn prim(&mut self, prim: PrimId) -> NodeId {
        self.constant(Value::Prim(prim))
    }

    pub(crate) fn prim_named(&mut self, name: &str) -> Option<NodeId> {
        Some(self.prim(Registry::get().find(name)?))
    }

    pub(crate) fn input(&mut self) -> NodeId {
        self.node(Op::Input, &[])
    }

    pub(crate) fn output(&self) -> NodeId {
        self.output
    }

    pub(crate) fn set_output(&mut self, to: NodeId) {
        self.output = to;
    }

    /// Takes the value at this place from another node.
    pub(crate) fn set(&mut self, site: &MutationSite, to: NodeId) {
        match site.user {
            Some(user) => {
                if let Some(arg) = self.get_mut(user).args.get_mut(site.index) {
                    *arg = to;
                }
            }
            None => self.output = to,
        }
    }

    /// Gives a node another operation and other arguments, for all its users.
    pub(crate) fn put(&mut self, id: NodeId, op: Op, args: &[NodeId]) {
        *self.get_mut(id) = Node { op, args: args.iter().copied().collect() };
    }

    /// Copies the part of a program that ends in `root`, with `input` for its input grid. Gives
    /// nothing if that part looks at the expected grid, which a solver has not.
    pub(crate) fn import(
        &mut self,
        program: &Program,
        root: NodeId,
        input: NodeId,
    ) -> Option<NodeId> {
        let nodes = program.nodes();
        let mut needed = vec![false; root.index() + 1];
        needed[root.index()] = true;
        for n in (0..=root.index()).rev().filter(|&n| nodes[n].op != Op::Input) {
            if needed[n] {
                nodes[n].args.iter().for_each(|arg| needed[arg.index()] = true);
            }
        }
        let mut place = vec![input; root.index() + 1];
        for n in (0..=root.index()).filter(|&n| needed[n]) {
            let node = &nodes[n];
            place[n] = match &node.op {
                Op::Input => input,
                Op::Expected => return None,
                op => {
                    let args = node.args.iter().map(|arg| place[arg.index()]).collect();
                    self.add(Node { op: op.clone(), args })
                }
            };
        }
        Some(place[root.index()])
    }

    /// The program. Gives nothing when a node depends on itself, or when the text of the program
    /// would be read as another one.
    pub(crate) fn finish(&self, name: &str) -> Option<Child> {
        #[derive(Clone, Copy)]
        enum State {
            New,
            Open,
            Done(NodeId),
        }
        let mut builder = Builder::with_capacity(self.len());
        let mut origin: Vec<Option<NodeId>> = Vec::with_capacity(self.len());
        // False once a node was replaced by a simpler one, which may leave others without use.
        let mut is_walk = true;
        let mut states = vec![State::New; self.len()];
        let mut stack = Vec::with_capacity(self.len());
        stack.push((self.output, 0));
        let mut args: SmallVec<[NodeId; 8]> = SmallVec::new();
        while let Some((id, next)) = stack.pop() {
            if let State::Done(_) = states[id.index()] {
                continue;
            }
            let node = self.get(id);
            if let Some(&arg) = node.args.get(next) {
                states[id.index()] = State::Open;
                stack.push((id, next + 1));
                match states[arg.index()] {
                    State::New => stack.push((arg, 0)),
                    State::Open => return None,
                    State::Done(_) => {}
                }
                continue;
            }
            args.clear();
            args.extend(node.args.iter().filter_map(|arg| match states[arg.index()] {
                State::Done(id) => Some(id),
                _ => None,
            }));
            let (op, kept) = settle(&builder, &node.op, &args)?;
            is_walk &= kept == args.len();
            let built = builder.node(op, &args[args.len() - kept..]);
            states[id.index()] = State::Done(built);
            if built.index() == origin.len() {
                let same = self.is_same(id)
                    && args.iter().zip(&node.args).all(|(a, old)| origin[a.index()] == Some(*old));
                origin.push(same.then_some(id));
            }
        }
        let State::Done(output) = states[self.output.index()] else { return None };
        let name = name.to_string();
        if is_walk {
            // The walk above was the canonical one.
            return Some(Child { program: builder.into_program(name), origin });
        }
        let (program, order) = builder.finish_with_origin(name, output);
        let origin = order.iter().map(|id| origin[id.index()]).collect();
        Some(Child { program, origin })
    }
}

/// A node as reading its text would make it, and how many of its last arguments it keeps: displays of
/// constants are constants, and calling a named primitive is a call. A function that would capture a
/// constant is refused: it would be printed with the constant inside.
fn settle(builder: &Builder, op: &Op, args: &[NodeId]) -> Option<(Op, usize)> {
    let value = |id: NodeId| match &builder.get(id).op {
        Op::Const(value) => Some(value),
        _ => None,
    };
    match op {
        Op::Tuple | Op::Set => {
            if let Some(parts) =
                args.iter().map(|&a| value(a).cloned()).collect::<Option<Vec<Value>>>()
            {
                let all = if *op == Op::Set { Value::set(parts) } else { Value::tuple(parts) };
                return Some((Op::Const(all), 0));
            }
        }
        Op::Apply => {
            let (&callee, args) = args.split_first()?;
            if let Some(callee) = value(callee) {
                let Value::Prim(prim) = *callee else { return None };
                let fits = Registry::get().primitive(prim).arity() == args.len();
                return fits.then_some((Op::Call(prim), args.len()));
            }
        }
        Op::Lambda(_) if args.iter().any(|&a| value(a).is_some()) => return None,
        _ => {}
    }
    Some((op.clone(), args.len()))
}

#[cfg(test)]
mod tests {
    use arcloom_lang::{load_snippet, verify};

    use super::*;

    #[test]
    fn a_cycle_is_refused_and_unused_nodes_go() {
        let parent = Parent::new(load_snippet("hconcat(hmirror(I), vmirror(I))").unwrap().0);
        let mut draft = Draft::new(&parent);
        let same = draft.finish("same").unwrap();
        assert_eq!(same.program, *parent.program());
        assert!((0..4).map(|n| Some(NodeId(n))).eq(same.origin));
        let output = draft.output();
        draft.put(NodeId(1), Op::Call(parent.call(NodeId(1)).unwrap()), &[output]);
        assert!(draft.finish("cycle").is_none());
        draft.set_output(NodeId(0));
        let input = draft.finish("input").unwrap().program;
        verify::verify(&input).unwrap();
        assert_eq!(input.nodes().len(), 1);
    }

    #[test]
    fn equal_parts_are_shared_after_an_edit() {
        let parent = Parent::new(load_snippet("hconcat(hmirror(I), vmirror(I))").unwrap().0);
        let mut draft = Draft::new(&parent);
        let hmirror = parent.call(NodeId(1)).unwrap();
        draft.put(NodeId(2), Op::Call(hmirror), &[NodeId(0)]);
        let child = draft.finish("child").unwrap().program;
        verify::verify(&child).unwrap();
        assert_eq!(child, load_snippet("x1 = hmirror(I)\nhconcat(x1, x1)").unwrap().0);
    }
}
