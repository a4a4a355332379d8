//! Writes a program for every step of the search, random inputs for it, and what comes out.
//! `cargo run --release -p arcloom-search --example vectors -- PROGRAMS.py OUTPUTS.json`
//!
//! For `scripts/programs_python.py`, which holds the Python definitions of the primitives to it.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring tool")]

#[path = "../tests/support/mod.rs"]
mod support;

use arcloom_dsl::kernel::sheet::Sheet;
use arcloom_dsl::kernel::sheet::beam::Ray;
use arcloom_dsl::kernel::sheet::property::Property;
use arcloom_dsl::kernel::sheet::recolor::{ColorTable, SAME};
use arcloom_dsl::kernel::sheet::rule::{
    ACTIONS, Action, How, ObjectPart, ObjectQuestion, ObjectRule,
};
use arcloom_dsl::sheet;
use arcloom_dsl::sheet::measure::Measure;
use arcloom_dsl::sheet::split::{
    SPLIT_BLOBS_STEP, SPLIT_COLORS_STEP, SPLIT_ROWS_STEP, SPLIT_THINGS_STEP,
};
use arcloom_graph::Plan as Ready;
use arcloom_lang::{Form, text};
use arcloom_search::program;
use arcloom_search::steps::{self, Canvas, Step};
use arcloom_value::Value;
use serde_json::{Value as Json, json};

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// What becomes of objects with a measure of -3 to 6.
    fn table(&mut self) -> ColorTable {
        let mut table = ColorTable::new();
        for value in -3..7 {
            table.learn(value, self.below(u64::from(SAME) + 1) as u8).unwrap();
        }
        table
    }

    /// A rule of two lines that begins with this property.
    fn rule(&mut self, first: Property, part: ObjectPart, actions: u64) -> ObjectRule {
        let mut rule = ObjectRule::new(part, self.below(actions) as Action);
        let other = Property::ALL[self.below(Property::ALL.len() as u64) as usize];
        for property in [first, other] {
            let how = How::ALL[self.below(How::ALL.len() as u64) as usize];
            let question = ObjectQuestion { property, how, value: self.below(5) as i16 };
            rule.push(question, self.below(actions) as Action).unwrap();
        }
        rule
    }

    /// A sheet beside its mirror image, so that there is something to mend from.
    fn mirrored(&mut self) -> Sheet {
        let s = self.sheet();
        let rows = (0..s.height()).map(|i| s.row(i));
        let cells = rows.flat_map(|row| row.iter().chain(row.iter().rev()).copied()).collect();
        Sheet::new(s.height(), 2 * s.width(), cells).unwrap()
    }

    /// A pattern, and somewhere below it a turned copy of which some cells are missing.
    fn patterned(&mut self) -> Sheet {
        let (top, left, turned) = (3 + self.below(4), self.below(6), self.below(2) == 0);
        let mut cells = vec![0; 81];
        for k in 0..6 {
            let (color, missing) = (self.below(5).saturating_sub(1) as u8, self.below(2) == 0);
            let (i, j) = (k / 3, k % 3);
            cells[(i * 9 + j) as usize] = color;
            let (i, j) = if turned { (j, i) } else { (i, j) };
            let at = (top + i).min(8) * 9 + left + j;
            cells[at as usize] = if missing { 0 } else { color };
        }
        Sheet::new(9, 9, cells).unwrap()
    }

    /// A sheet near the origin, most of it blank or in few colours, every other one repetitive.
    fn sheet(&mut self) -> Sheet {
        let (h, w) = (1 + self.below(9) as usize, 1 + self.below(9) as usize);
        let mut cells = Vec::new();
        let (period, colors) = (1 + self.below(3) as usize, 2 + self.below(8));
        let repeats = self.below(2) == 0;
        for at in 0..h * w {
            let (i, j) = (at / w, at % w);
            let earlier = if i >= period { Some(at - period * w) } else { None };
            let earlier = earlier.or(if j >= period { Some(at - period) } else { None });
            let cell = match earlier {
                Some(earlier) if repeats && self.below(9) > 0 => cells[earlier],
                _ if self.below(3) == 0 => 0,
                _ => self.below(colors + 1).min(9) as u8,
            };
            cells.push(cell);
        }
        let mut s = Sheet::new(h, w, cells).unwrap();
        (s.top, s.left) = (self.below(7) as i32 - 3, self.below(7) as i32 - 3);
        s
    }
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Int(n) => json!(n),
        other => other.iter().into_iter().flatten().map(|v| json_of(&v)).collect(),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut numbers = Numbers(1);
    let mut programs = String::from("from dsl import *\nfrom constants import *\n");
    let mut outputs = serde_json::Map::new();
    let (mut runs, mut failing) = (0, 0);
    let rules = Measure::ALL
        .iter()
        .flat_map(|&by| [false, true].map(|ranked| Step::Recolor(by, ranked, numbers.table())));
    let mut rules: Vec<Step> = rules.collect();
    for (number, property) in Property::ALL.into_iter().enumerate() {
        for k in 0..3 {
            let part = ObjectPart::ALL[(number + k) % ObjectPart::ALL.len()];
            rules.push(Step::Rule(numbers.rule(property, part, ACTIONS as u64)));
            // Every other rule with moves that are no constants.
            let actions = if number % 2 == 0 { 12 } else { 237 };
            rules.push(Step::Move(numbers.rule(property, ObjectPart::Whole, actions)));
            rules.push(Step::Rays(numbers.rule(property, ObjectPart::Whole, Ray::COUNT as u64)));
        }
    }
    let all = steps::all(!0).into_iter().filter(|step| step.canvas() != Some(Canvas::Input));
    let all = all.chain(rules);
    for (number, step) in all.enumerate() {
        let takes_list = step.joins() || step.sifts();
        let split = [&SPLIT_BLOBS_STEP, &SPLIT_THINGS_STEP, &SPLIT_ROWS_STEP, &SPLIT_COLORS_STEP]
            [number % 4];
        // Half of the other steps are done on a list too.
        let on_list = takes_list || number % 2 == 0 && !step.splits() && step.canvas().is_none();
        let chain = if on_list { vec![Step::Declared(split.with(&[])), step] } else { vec![step] };
        let picture = numbers.mirrored();
        let name = format!("solve_{number}");
        let program = program::chain(&chain, false, &picture, &name).unwrap();
        programs += &format!("\n\n{}", text::print(&program, Form::Straight));
        let ready = Ready::new(&program);
        let tests = (0..40).map(|number| {
            let input = match number % 3 {
                0 if step.is_slow() => numbers.patterned(),
                1 if step.is_slow() => numbers.mirrored(),
                _ => numbers.sheet(),
            };
            let input = sheet::value(&input);
            let output = support::run(&ready, &Value::None, &input);
            runs += 1;
            failing += usize::from(output.is_err());
            json!([json_of(&input), output.map_or(Json::Null, |v| json_of(&v))])
        });
        let tests: Vec<Json> = tests.collect();
        outputs.insert(number.to_string(), json!({ "demos": [], "tests": tests }));
    }
    std::fs::write(&args[1], programs).unwrap();
    std::fs::write(&args[2], serde_json::to_string(&outputs).unwrap()).unwrap();
    println!("{} steps, {runs} runs, {failing} without a result", outputs.len());
}
