//! Named constants: arc-dsl's, and the ranks, symbols, angles, colour names and words of rules added to them.

use arcloom_value::{Role, Ty, Value};

/// A named constant.
#[derive(Debug)]
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// Its value: an integer or a pair.
    pub value: Const,
    /// What it stands for.
    pub ty: Ty,
    /// True when arc-dsl has no such constant.
    pub extra: bool,
    /// What it means, a sentence; empty where the name says it.
    pub doc: &'static str,
}

/// The value of a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Const {
    /// An integer or boolean.
    Int(i64),
    /// A pair of integers.
    Pair(i32, i32),
}

impl Constant {
    /// The constant's value.
    pub fn value(&self) -> Value {
        match self.value {
            Const::Int(n) => Value::Int(n),
            Const::Pair(a, b) => Value::Pair(a, b),
        }
    }
}

/// The constant with this name.
pub fn find(name: &str) -> Option<&'static Constant> {
    CONSTANTS.iter().find(|c| c.name == name)
}

macro_rules! constants {
    ($($ty:expr, $extra:literal: $($name:ident = $value:expr $(=> $doc:literal)?),* ;)*) => {
        /// All constants, arc-dsl's first.
        pub static CONSTANTS: &[Constant] = &[
            $($(Constant {
                name: stringify!($name),
                value: $value,
                ty: $ty,
                extra: $extra,
                doc: concat!($($doc)?),
            },)*)*
        ];
    };
}

use Const::{Int, Pair};

constants! {
    Ty::BOOL, false: F = Int(0), T = Int(1);
    Ty::INT, false: ZERO = Int(0), ONE = Int(1), TWO = Int(2), THREE = Int(3), FOUR = Int(4),
        FIVE = Int(5), SIX = Int(6), SEVEN = Int(7), EIGHT = Int(8), NINE = Int(9), TEN = Int(10),
        NEG_ONE = Int(-1), NEG_TWO = Int(-2);
    Ty::Pair, false: DOWN = Pair(1, 0), RIGHT = Pair(0, 1), UP = Pair(-1, 0), LEFT = Pair(0, -1),
        ORIGIN = Pair(0, 0), UNITY = Pair(1, 1), NEG_UNITY = Pair(-1, -1), UP_RIGHT = Pair(-1, 1),
        DOWN_LEFT = Pair(1, -1), ZERO_BY_TWO = Pair(0, 2), TWO_BY_ZERO = Pair(2, 0),
        TWO_BY_TWO = Pair(2, 2), THREE_BY_THREE = Pair(3, 3);
    Ty::INT, true: NEG_THREE = Int(-3), NEG_FOUR = Int(-4), NEG_FIVE = Int(-5), NEG_SIX = Int(-6),
        NEG_SEVEN = Int(-7), NEG_EIGHT = Int(-8), NEG_NINE = Int(-9), NEG_TEN = Int(-10),
        HUNDRED = Int(100), THOUSAND = Int(1000),
        SM2 = Int(2), SM3 = Int(3), SD2 = Int(-2), SD3 = Int(-3);
    Ty::Int(Role::Rank), true: F0 = Int(0), F1 = Int(1), F2 = Int(2), F3 = Int(3), F4 = Int(4),
        F5 = Int(5), F6 = Int(6), F7 = Int(7), F8 = Int(8), F9 = Int(9), L1 = Int(-1), L2 = Int(-2),
        L3 = Int(-3), L4 = Int(-4), L5 = Int(-5), L6 = Int(-6), L7 = Int(-7), L8 = Int(-8),
        L9 = Int(-9), L10 = Int(-10);
    Ty::INT, true: R0 = Int(0), R1 = Int(1), R2 = Int(2), R3 = Int(3), R4 = Int(4), R5 = Int(5),
        R6 = Int(6), R7 = Int(7), R8 = Int(8), R9 = Int(9);
    Ty::Int(Role::Angle), true: A0 = Int(0), A1 = Int(1), A2 = Int(2), A3 = Int(3), A4 = Int(4),
        A5 = Int(5), A6 = Int(6), A7 = Int(7), A8 = Int(8), A9 = Int(9);
    Ty::COLOR, true: BLACK = Int(0), BLUE = Int(1), RED = Int(2), GREEN = Int(3), YELLOW = Int(4),
        GRAY = Int(5), MAGENTA = Int(6), ORANGE = Int(7), CYAN = Int(8), BURGUNDY = Int(9);
    Ty::Pair, true:
        UP_LEFT = Pair(-1, -1), DOWN_RIGHT = Pair(1, 1),
        HERE = Pair(0, 0) => "In a question about a cell: the cell itself.";
    Ty::INT, true:
        VANISH = Int(0) => "What becomes of a sheet in `paint_by_rule`, `recolor_by` and \
            `recolor_by_rank`: it is left out.",
        KEEP = Int(10) => "What becomes of a sheet in `paint_by_rule`, `recolor_by` and \
            `recolor_by_rank`: it stays as it is.",
        STAY = Int(0) => "What becomes of a sheet in `move_by_rule`: it stays where it is.",
        MOVE_TO_STAYING = Int(9) => "A move in `move_by_rule`: straight to the first sheet that \
            stays, until they touch.",
        ALIGN_TOP_WITH_STAYING = Int(10) => "A move in `move_by_rule`: up or down, to the top row of \
            the first sheet that stays.",
        ALIGN_LEFT_WITH_STAYING = Int(11) => "A move in `move_by_rule`: left or right, to the left \
            column of the first sheet that stays.",
        WHOLE = Int(0) => "The part of a sheet that `paint_by_rule` paints: the sheet itself.",
        HOLES = Int(1) => "The part of a sheet that `paint_by_rule` paints: what it encloses.",
        GAPS = Int(2) => "The part of a sheet that `paint_by_rule` paints: what is transparent in \
            its frame.",
        HALO = Int(3) => "The part of a sheet that `paint_by_rule` paints: the cells around it.",
        CORE = Int(4) => "The part of a sheet that `paint_by_rule` paints: what is not on its outline.",
        WIDE = Int(0) => "A `sheet_orientation`: wider than high.",
        SQUARE = Int(1) => "A `sheet_orientation`: as high as wide.",
        TALL = Int(2) => "A `sheet_orientation`: higher than wide.",
        OUTSIDE = Int(10) => "In place of a colour in a question about a cell: the cell lies outside \
            of the sheet.",
        ANY_COLOR = Int(11) => "In place of a colour in `sees`: any colour but 0.",
        NO_RAY = Int(0) => "What becomes of a sheet in `send_rays`: it sends nothing.",
        LEFT_AND_RIGHT = Int(8) => "Where a `ray` goes: to the left and to the right.",
        UP_AND_DOWN = Int(9) => "Where a `ray` goes: up and down.",
        FOUR_SIDES = Int(10) => "Where a `ray` goes: to all four sides.",
        FOUR_CORNERS = Int(11) => "Where a `ray` goes: along the four diagonals.",
        EIGHT_WAYS = Int(12) => "Where a `ray` goes: to all sides and along the diagonals.",
        LENGTHWISE = Int(13) => "Where a `ray` goes: both ways along the longer side of the sheet.",
        CROSSWISE = Int(14) => "Where a `ray` goes: both ways across the longer side of the sheet.",
        TO_MARK = Int(15) => "Where a `ray` goes: to the side on which the sheet has its rarest colour.",
        FROM_MARK = Int(16) => "Where a `ray` goes: to the side opposite its rarest colour.",
        TO_HEAVY_SIDE = Int(17) => "Where a `ray` goes: to the side on which the sheet has most cells.",
        FROM_HEAVY_SIDE = Int(18) => "Where a `ray` goes: to the side on which the sheet has fewest cells: where it is open, or has its tip.",
        TO_NEAREST_RIM = Int(19) => "Where a `ray` goes: to the nearest border.",
        FROM_NEAREST_RIM = Int(20) => "Where a `ray` goes: away from the nearest border.",
        TO_NEAREST = Int(21) => "Where a `ray` goes: to the nearest other sheet in its rows or columns.",
        FROM_NEAREST = Int(22) => "Where a `ray` goes: away from the nearest other sheet in its rows or columns.",
        TO_LARGEST = Int(23) => "Where a `ray` goes: to the largest sheet.",
        FROM_LARGEST = Int(24) => "Where a `ray` goes: away from the largest sheet.",
        TO_SAME_COLOR = Int(25) => "Where a `ray` goes: to the sheets of its colour in its rows or columns.",
        FROM_SAME_COLOR = Int(26) => "Where a `ray` goes: away from the sheets of its colour in its rows or columns.",
        TO_TOUCHING = Int(27) => "Where a `ray` goes: to the sheets that it touches.",
        FROM_TOUCHING = Int(28) => "Where a `ray` goes: away from the sheets that it touches.",
        WHOLE_FRONT = Int(0) => "What sends a `ray`: from every cell of its front.",
        MIDDLE_OF_FRONT = Int(1) => "What sends a `ray`: from the middle of its frame's front, on a diagonal from the corner.",
        ITS_CENTER = Int(2) => "What sends a `ray`: from the middle of its frame, through its gaps.",
        ITS_MARK = Int(3) => "What sends a `ray`: from its cells of its rarest colour.",
        COPIES = Int(4) => "In place of a `ray`: the sheet itself is repeated, side by side.",
        COPIES_APART = Int(5) => "In place of a `ray`: the sheet itself is repeated, one row or column apart.",
        COPIES_WITHIN = Int(6) => "In place of a `ray`: the sheet itself is repeated, each copy on the last row or column of the one before.",
        OWN_COLOR = Int(0) => "The colour of a `ray`: that of the cell which sends it.",
        ITS_RAREST_COLOR = Int(10) => "The colour of a `ray`: the rarest of the sheet.",
        COLOR_MET = Int(11) => "The colour of a `ray`: that of what it meets first; none where it meets nothing.",
        UNDER_THINGS = Int(0) => "Where a `ray` ends: it goes to the border, under what it meets.",
        OVER_THINGS = Int(1) => "Where a `ray` ends: it goes to the border, over what it meets.",
        UNTIL_MET = Int(2) => "Where a `ray` ends: it ends before what it meets.",
        ONLY_UNTIL_MET = Int(3) => "Where a `ray` ends: it ends before what it meets, and where that is nothing there is none.",
        BOUNCING = Int(4) => "Where a `ray` ends: on a diagonal it bounces off what it meets.",
        TURNING_RIGHT = Int(5) => "Where a `ray` ends: it turns right before what it meets.",
        TURNING_LEFT = Int(6) => "Where a `ray` ends: it turns left before what it meets.",
        ONE_LONG = Int(7) => "Where a `ray` ends: one cell, or copy, at most.",
        TWO_LONG = Int(8) => "Where a `ray` ends: two cells, or copies, at most.",
        THREE_LONG = Int(9) => "Where a `ray` ends: three cells, or copies, at most.",
        OWN_SIZE_LONG = Int(10) => "Where a `ray` ends: as many cells as the sheet has rows or columns in its direction, at most.",
        OWN_AREA_LONG = Int(11) => "Where a `ray` ends: as many cells as the sheet has, at most.",
        ITS_COLORS_LONG = Int(12) => "Where a `ray` ends: as many cells as the sheet has colours, at most.";
}
