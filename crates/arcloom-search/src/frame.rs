//! Other tasks that are made of a task: its grids in another frame, or cut into parts.
//!
//! A [`TaskFrame`] makes one grid of an input, or several, by the input alone, and puts what became of them together again.
//! A frame counts where every output of a demo comes back exactly; then the grids and what became of them are the
//! demos of a task of their own ([`FramedTask`]). All parts of all demos are its demos, so that
//! there is more evidence than in the task itself, and two equal parts of which something else became rule it out
//! before anything is searched.
//!
//! | file | what is in it |
//! |---|---|
//! | `task.rs` | the task within frames |
//! | `write.rs` | a program within frames as a program on the task's own inputs |

use arcloom_dsl::kernel::sheet::{Sheet, roles};
use arcloom_dsl::sheet::part::Crop;
use arcloom_dsl::sheet::turn::{Turn, turn};
use arcloom_dsl::sheet::{frame, part};

pub use self::task::FramedTask;

mod task;
mod write;

/// A change of frame, or a way of cutting a grid into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskFrame {
    /// Equal neighbouring lines are one.
    MergedLines,
    /// Without the lines that rule the grid.
    DroppedLines,
    /// Rows are columns where the grid is taller than wide.
    Wide,
    /// Rows are columns where lines stand.
    LinesLie,
    /// Colours have the names of the order in which they are read, but those of these bits.
    Reading(u32),
    /// The smallest frame around the cells of a colour.
    Box(u8),
    /// The panels between lines, each in its place.
    Panels,
    /// The panels between lines, side by side.
    PanelTiles,
    /// The cells of each colour, with the others as this colour.
    Colors(u8),
    /// The frame around each object.
    Objects(Outline),
    /// Every row.
    Rows,
    /// Every column.
    Columns,
}

/// What is an object, and how much around it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outline {
    /// Of any colours, not of one.
    pub mixed: bool,
    /// Connected by corners too.
    pub diagonal: bool,
    /// Cells around its smallest frame.
    pub margin: u8,
}

/// A family of frames, which can be left out as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FrameFamily {
    /// Equal neighbouring lines as one.
    MergedLines,
    /// Without ruling lines.
    DroppedLines,
    /// Turned by its form or its lines.
    Turned,
    /// Colours by reading order.
    Reading,
    /// The box of a colour.
    Boxes,
    /// Panels between lines.
    Panels,
    /// Colour by colour.
    Colors,
    /// Object by object.
    Objects,
    /// Row by row, or column by column.
    Lines,
}

impl FrameFamily {
    /// All of them.
    pub const ALL: [FrameFamily; 9] = [
        FrameFamily::MergedLines,
        FrameFamily::DroppedLines,
        FrameFamily::Turned,
        FrameFamily::Reading,
        FrameFamily::Boxes,
        FrameFamily::Panels,
        FrameFamily::Colors,
        FrameFamily::Objects,
        FrameFamily::Lines,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            FrameFamily::MergedLines => "merged-lines",
            FrameFamily::DroppedLines => "dropped-lines",
            FrameFamily::Turned => "turned",
            FrameFamily::Reading => "reading-order",
            FrameFamily::Boxes => "boxes",
            FrameFamily::Panels => "panels",
            FrameFamily::Colors => "color-parts",
            FrameFamily::Objects => "object-parts",
            FrameFamily::Lines => "line-parts",
        }
    }
}

impl TaskFrame {
    /// The family it belongs to.
    pub fn family(self) -> FrameFamily {
        match self {
            TaskFrame::MergedLines => FrameFamily::MergedLines,
            TaskFrame::DroppedLines => FrameFamily::DroppedLines,
            TaskFrame::Wide | TaskFrame::LinesLie => FrameFamily::Turned,
            TaskFrame::Reading(_) => FrameFamily::Reading,
            TaskFrame::Box(_) => FrameFamily::Boxes,
            TaskFrame::Panels | TaskFrame::PanelTiles => FrameFamily::Panels,
            TaskFrame::Colors(_) => FrameFamily::Colors,
            TaskFrame::Objects(_) => FrameFamily::Objects,
            TaskFrame::Rows | TaskFrame::Columns => FrameFamily::Lines,
        }
    }

    /// Whether it makes several grids of one.
    pub fn cuts(self) -> bool {
        match self {
            TaskFrame::MergedLines
            | TaskFrame::DroppedLines
            | TaskFrame::Wide
            | TaskFrame::LinesLie => false,
            TaskFrame::Reading(_) | TaskFrame::Box(_) => false,
            TaskFrame::Panels
            | TaskFrame::PanelTiles
            | TaskFrame::Colors(_)
            | TaskFrame::Objects(_) => true,
            TaskFrame::Rows | TaskFrame::Columns => true,
        }
    }

    /// Whether rows are columns.
    fn turns(self, input: &Sheet) -> bool {
        match self {
            TaskFrame::Wide => input.height() > input.width(),
            TaskFrame::LinesLie => frame::has_standing_lines(input),
            _ => false,
        }
    }

    /// What an input is in this frame, or its parts.
    pub fn parts(self, input: &Sheet) -> Option<Vec<Sheet>> {
        let one = |sheet: Sheet| Some(vec![sheet]);
        match self {
            TaskFrame::MergedLines => one(frame::merged_lines(input)),
            TaskFrame::DroppedLines => one(frame::RulingLines::of(input)?.dropped(input)?),
            TaskFrame::Wide | TaskFrame::LinesLie => one(turned(input, self.turns(input))),
            TaskFrame::Reading(kept) => one(roles::rename(input, &roles::reading(kept, input))),
            TaskFrame::Box(color) => one(box_of(input, color)?.sheet),
            TaskFrame::Panels | TaskFrame::PanelTiles => part::panels(input),
            TaskFrame::Colors(others) => part::color_parts(input, others),
            TaskFrame::Objects(outline) => {
                Some(outline.crops(input)?.into_iter().map(|crop| crop.sheet).collect())
            }
            TaskFrame::Rows => rows(input),
            TaskFrame::Columns => rows(&turned(input, true)),
        }
    }

    /// What the output of a demo is in the frame of its input, or its parts.
    fn output_parts(self, output: &Sheet, input: &Sheet) -> Option<Vec<Sheet>> {
        let same_size = size(output) == size(input);
        let one = |sheet: Sheet| Some(vec![sheet]);
        match self {
            TaskFrame::MergedLines => {
                let (rows, columns) = frame::line_runs(input);
                let firsts = |runs: &[usize]| -> Vec<usize> {
                    (0..runs.len()).filter(|k| *k == 0 || runs[*k] != runs[*k - 1]).collect()
                };
                let (rows, columns) = (firsts(&rows), firsts(&columns));
                let cells = rows.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j)));
                same_size
                    .then(|| cells.map(|(i, j)| output.at(i, j)).collect())
                    .and_then(|cells| Some(vec![Sheet::new(rows.len(), columns.len(), cells)?]))
            }
            TaskFrame::DroppedLines => one(frame::RulingLines::of(input)?.dropped(output)?),
            TaskFrame::Wide | TaskFrame::LinesLie => one(turned(output, self.turns(input))),
            TaskFrame::Reading(kept) => one(roles::rename(output, &roles::reading(kept, input))),
            TaskFrame::Box(color) if same_size => one(box_of(input, color)?.of(output)?),
            TaskFrame::Box(_) => None,
            TaskFrame::Panels => part::panels_like(output, input),
            TaskFrame::PanelTiles => {
                let (down, right) = part::panel_lattice(input)?;
                part::tiles(output, down, right)
            }
            TaskFrame::Colors(_) => {
                let colors = part::part_colors(input);
                let one = |color: &u8| {
                    let cells = output.cells().iter().map(|c| u8::from(c == color)).collect();
                    Sheet::new(output.height(), output.width(), cells)
                };
                colors.iter().map(one).collect()
            }
            TaskFrame::Objects(outline) if same_size => {
                outline.crops(input)?.iter().map(|crop| crop.of(output)).collect()
            }
            TaskFrame::Objects(_) => None,
            TaskFrame::Rows if output.height() == input.height() => rows(output),
            TaskFrame::Columns if output.width() == input.width() => rows(&turned(output, true)),
            TaskFrame::Rows | TaskFrame::Columns => None,
        }
    }

    /// What became of an input, from what became of its parts.
    pub fn joined(self, parts: &[Sheet], input: &Sheet) -> Option<Sheet> {
        let first = parts.first()?;
        match self {
            TaskFrame::MergedLines => frame::unmerged_lines(first, input),
            TaskFrame::DroppedLines => frame::RulingLines::of(input)?.restored(first),
            TaskFrame::Wide | TaskFrame::LinesLie => Some(turned(first, self.turns(input))),
            TaskFrame::Reading(kept) => {
                Some(roles::rename(first, &roles::inverse(&roles::reading(kept, input))))
            }
            TaskFrame::Box(color) => part::pasted_crops(parts, &[box_of(input, color)?], input),
            TaskFrame::Panels => part::pasted_panels(parts, input),
            TaskFrame::PanelTiles => part::tiled_panels(parts, input),
            TaskFrame::Colors(_) => part::pasted_colors(parts, input),
            TaskFrame::Objects(outline) => part::pasted_crops(parts, &outline.crops(input)?, input),
            TaskFrame::Rows => stacked(parts),
            TaskFrame::Columns => Some(turned(&stacked(parts)?, true)),
        }
    }

    /// The output's parts, where they make the output again.
    fn exact_parts(self, output: &Sheet, input: &Sheet) -> Option<Vec<Sheet>> {
        let parts = self.output_parts(output, input)?;
        (self.joined(&parts, input).as_ref() == Some(output)).then_some(parts)
    }

    /// `None` where it shows nothing of a task.
    fn check(self, demos: &[(Sheet, Sheet)], tests: &[Sheet]) -> Option<()> {
        let inputs: Vec<&Sheet> = demos.iter().map(|d| &d.0).chain(tests).collect();
        self.matters(&inputs).then_some(())
    }

    /// Whether it shows something of these inputs that they do not show themselves.
    fn matters(self, inputs: &[&Sheet]) -> bool {
        match self {
            TaskFrame::Wide | TaskFrame::LinesLie => {
                inputs.iter().any(|input| self.turns(input) != self.turns(inputs[0]))
            }
            TaskFrame::Reading(kept) => {
                let names = |input: &Sheet| roles::reading(kept, input);
                inputs.iter().any(|input| names(input) != names(inputs[0]))
            }
            _ => inputs
                .iter()
                .any(|input| self.parts(input).is_none_or(|parts| parts != [(*input).clone()])),
        }
    }
}

impl Outline {
    fn crops(self, input: &Sheet) -> Option<Vec<Crop>> {
        part::crops(input, self.mixed, self.diagonal, self.margin.into())
    }
}

fn size(sheet: &Sheet) -> (usize, usize) {
    (sheet.height(), sheet.width())
}

fn turned(sheet: &Sheet, turns: bool) -> Sheet {
    let mut out = Sheet::default();
    match turns {
        true => turn(sheet, Turn::Diagonal, &mut out).map_or_else(|| sheet.clone(), |()| out),
        false => sheet.clone(),
    }
}

fn rows(sheet: &Sheet) -> Option<Vec<Sheet>> {
    (0..sheet.height()).map(|i| Sheet::new(1, sheet.width(), sheet.row(i).to_vec())).collect()
}

fn stacked(rows: &[Sheet]) -> Option<Sheet> {
    let cells: Vec<u8> = rows.iter().flat_map(|row| row.cells().iter().copied()).collect();
    let height = rows.iter().map(Sheet::height).sum();
    let width = rows.first()?.width();
    rows.iter().all(|row| row.width() == width).then(|| Sheet::new(height, width, cells)).flatten()
}

/// The smallest frame around the cells of a colour; `None` where there are none.
fn box_of(sheet: &Sheet, color: u8) -> Option<Crop> {
    let (h, w) = size(sheet);
    let has_row = |i: &usize| sheet.row(*i).contains(&color);
    let has_column = |j: &usize| (0..h).any(|i| sheet.at(i, *j) == color);
    let (top, bottom) = ((0..h).find(has_row)?, (0..h).rev().find(has_row)?);
    let (left, right) = ((0..w).find(has_column)?, (0..w).rev().find(has_column)?);
    part::crop_of(sheet, (top, left), (bottom - top + 1, right - left + 1))
}
