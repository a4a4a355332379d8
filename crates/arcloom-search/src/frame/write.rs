//! A program within frames as a program on the task's own inputs.

use arcloom_dsl::Registry;
use arcloom_lang::{Builder, NodeId, Op, Program, function};
use arcloom_value::Value;

use super::{FramedTask, Outline, TaskFrame};

impl FramedTask {
    /// The program on the outer task's inputs that a program on this one's inputs is; `None` when that reads the demo
    /// pairs, which are others there.
    pub fn program(&self, inner: &Program, name: &str) -> Option<Program> {
        let mut writer = FrameWriter::default();
        let (last, outer) = self.frames.split_last()?;
        let mut grid = writer.builder.node(Op::Input, &[]);
        let mut ways = Vec::new();
        for &frame in outer {
            let way = writer.there(frame, grid)?;
            ways.push((frame, grid, way));
            grid = way.grid;
        }
        let mut made = if last.cuts() {
            let parts = writer.cut(*last, grid)?;
            let function = writer.builder.node(Op::Const(function(inner)?), &[]);
            let made = writer.call("apply", &[function, parts])?;
            writer.join(*last, made, grid)?
        } else {
            let way = writer.there(*last, grid)?;
            let made = writer.inline(inner, way.grid)?;
            writer.back(*last, made, grid, way)?
        };
        for (frame, grid, way) in ways.into_iter().rev() {
            made = writer.back(frame, made, grid, way)?;
        }
        Some(writer.builder.finish(name.to_owned(), made))
    }
}

/// The lines of a program that goes through frames.
#[derive(Default)]
struct FrameWriter {
    builder: Builder,
}

/// A grid in a frame, and what leads back from there beside the grid before.
#[derive(Clone, Copy)]
struct Way {
    grid: NodeId,
    by: NodeId,
}

impl FrameWriter {
    fn call(&mut self, name: &str, args: &[NodeId]) -> Option<NodeId> {
        let prim = Registry::get().find(name)?;
        Some(self.builder.node(Op::Call(prim), args))
    }

    fn constant(&mut self, value: Value) -> NodeId {
        self.builder.node(Op::Const(value), &[])
    }

    fn function(&mut self, name: &str) -> Option<NodeId> {
        Some(self.constant(Value::Prim(Registry::get().find(name)?)))
    }

    /// The nodes of another program on this grid.
    fn inline(&mut self, program: &Program, grid: NodeId) -> Option<NodeId> {
        if program.reads_samples() {
            return None;
        }
        let mut placed: Vec<NodeId> = Vec::new();
        for node in program.nodes() {
            let args: Vec<NodeId> = node.args.iter().map(|arg| placed[arg.index()]).collect();
            placed.push(match node.op {
                Op::Input => grid,
                _ => self.builder.node(node.op.clone(), &args),
            });
        }
        placed.last().copied()
    }

    /// A grid in a frame.
    fn there(&mut self, frame: TaskFrame, grid: NodeId) -> Option<Way> {
        let way = |made: NodeId| Some(Way { grid: made, by: grid });
        match frame {
            TaskFrame::MergedLines => way(self.call("merge_lines", &[grid])?),
            TaskFrame::DroppedLines => way(self.call("drop_lines", &[grid])?),
            TaskFrame::Wide | TaskFrame::LinesLie => {
                let name = if frame == TaskFrame::Wide { "portrait" } else { "lines_stand" };
                let turns = self.call(name, &[grid])?;
                let (mirrored, same) = (self.function("dmirror")?, self.function("identity")?);
                let by = self.call("branch", &[turns, mirrored, same])?;
                Some(Way { grid: self.builder.node(Op::Apply, &[by, grid]), by })
            }
            TaskFrame::Reading(kept) => {
                let kept = (0..10).filter(|c| kept >> c & 1 == 1).map(Value::Int);
                let kept = self.constant(Value::tuple(kept.collect::<Vec<_>>()));
                let by = self.call("reading_roles", &[grid, kept])?;
                Some(Way { grid: self.call("rename_colors", &[grid, by])?, by })
            }
            TaskFrame::Box(color) => {
                let color = self.constant(Value::Int(color.into()));
                let by = self.call("ofcolor", &[grid, color])?;
                Some(Way { grid: self.call("subgrid", &[by, grid])?, by })
            }
            _ => None,
        }
    }

    /// What became of a grid in a frame, as it is outside.
    fn back(&mut self, frame: TaskFrame, made: NodeId, grid: NodeId, way: Way) -> Option<NodeId> {
        match frame {
            TaskFrame::MergedLines => self.call("unmerge_lines", &[made, grid]),
            TaskFrame::DroppedLines => self.call("restore_lines", &[made, grid]),
            TaskFrame::Wide | TaskFrame::LinesLie => {
                Some(self.builder.node(Op::Apply, &[way.by, made]))
            }
            TaskFrame::Reading(_) => self.call("restore_colors", &[made, way.by]),
            TaskFrame::Box(_) => {
                let object = self.call("asobject", &[made])?;
                let corner = self.call("ulcorner", &[way.by])?;
                let object = self.call("shift", &[object, corner])?;
                self.call("paint", &[grid, object])
            }
            _ => None,
        }
    }

    /// The boxes around the objects of a grid.
    fn boxes(&mut self, outline: Outline, grid: NodeId) -> Option<NodeId> {
        let Outline { mixed, diagonal, margin } = outline;
        let [mixed, diagonal, margin] =
            [Value::bool(mixed), Value::bool(diagonal), Value::Int(margin.into())]
                .map(|value| self.constant(value));
        self.call("object_boxes", &[grid, mixed, diagonal, margin])
    }

    /// The parts of a grid.
    fn cut(&mut self, frame: TaskFrame, grid: NodeId) -> Option<NodeId> {
        match frame {
            TaskFrame::Panels | TaskFrame::PanelTiles => self.call("cut_panels", &[grid]),
            TaskFrame::Colors(others) => {
                let others = self.constant(Value::Int(others.into()));
                self.call("cut_colors", &[grid, others])
            }
            TaskFrame::Objects(outline) => {
                let boxes = self.boxes(outline, grid)?;
                self.call("cut_boxes", &[grid, boxes])
            }
            TaskFrame::Rows => {
                let height = self.call("height", &[grid])?;
                self.call("vsplit", &[grid, height])
            }
            TaskFrame::Columns => {
                let turned = self.call("dmirror", &[grid])?;
                self.cut(TaskFrame::Rows, turned)
            }
            _ => None,
        }
    }

    /// What became of a grid, from what became of its parts.
    fn join(&mut self, frame: TaskFrame, parts: NodeId, grid: NodeId) -> Option<NodeId> {
        match frame {
            TaskFrame::Panels => self.call("paste_panels", &[parts, grid]),
            TaskFrame::PanelTiles => self.call("tile_panels", &[parts, grid]),
            TaskFrame::Colors(_) => self.call("paste_colors", &[parts, grid]),
            TaskFrame::Objects(outline) => {
                let boxes = self.boxes(outline, grid)?;
                self.call("paste_boxes", &[parts, boxes, grid])
            }
            TaskFrame::Rows => self.call("merge", &[parts]),
            TaskFrame::Columns => {
                let merged = self.call("merge", &[parts])?;
                self.call("dmirror", &[merged])
            }
            _ => None,
        }
    }
}
