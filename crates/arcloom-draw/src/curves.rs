//! Runs over their generations or over time, as SVG: tasks that fit, evaluations per second, the
//! nearest open task, programs alive, what operators yield, memory.
//!
//! A panel that no run has figures for is left out. Several runs share the panels, a line each; the
//! yield of single operators is drawn for one run alone, where several are compared it is summed up.

use crate::canvas::{Font, Piece, Px, px};
use crate::palette::Theme;
use crate::plot::{Panel, Scale, Series, draw, draw_apart};
use crate::svg::SvgOptions;

/// Most points drawn of one line.
pub const MAX_POINTS: usize = 240;
/// Most operators with a line of their own, those that yield most.
pub const MAX_OPERATORS: usize = 6;
/// Room around the drawing.
const MARGIN: Px = px(16);

/// Runs to draw.
#[derive(Debug, Clone, Default)]
pub struct CurvesView {
    /// What it is about; may be empty.
    pub title: String,
    /// The runs.
    pub runs: Vec<RunView>,
    /// Over seconds instead of generations.
    pub by_time: bool,
}

/// One run.
#[derive(Debug, Clone, Default)]
pub struct RunView {
    /// Its name in the legend.
    pub name: String,
    /// Its generations, in order.
    pub points: Vec<RunPoint>,
    /// Its operators.
    pub operators: Vec<OperatorView>,
}

/// One generation of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct RunPoint {
    /// Its number.
    pub generation: u64,
    /// Seconds from the run's beginning to its end.
    pub seconds: f64,
    /// Tasks solved by then.
    pub solved: u64,
    /// Evaluations in this generation alone.
    pub evaluations: u64,
    /// How near the best unsolved task is, from 0 to 1.
    pub similarity: Option<f64>,
    /// Programs in all populations.
    pub alive: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
}

/// An operator of a run.
#[derive(Debug, Clone, Default)]
pub struct OperatorView {
    /// Its name.
    pub name: String,
    /// For each generation that it is known for: the number, how often it was used by then, and how
    /// often that gave something better.
    pub points: Vec<(u64, u64, u64)>,
}

/// The drawing.
pub fn curves_svg(view: &CurvesView, options: &SvgOptions) -> String {
    let theme = options.palette.theme(options.dark);
    let title = Piece::text(&view.title, 120, Font { size: 15, bold: true, fill: theme.text });
    let (panels, operators) = (panels(view), operators(view));
    let mut page = Vec::new();
    if !view.title.is_empty() {
        page.push(title);
    }
    match (panels.is_empty(), operators) {
        (true, None) => page.push(nothing(theme)),
        (_, None) => page.push(draw(&panels, theme, options.dark)),
        // The lines of operators have names of their own, so they have a legend of their own.
        (_, Some(panel)) => {
            page.push(draw(&panels, theme, options.dark));
            page.push(draw(&[panel], theme, options.dark));
        }
    }
    let name = if view.title.is_empty() { "curves of a run" } else { &view.title };
    Piece::stack(&page, px(20)).into_svg(name, MARGIN, theme.background)
}

/// One of the drawings of [`curves_apart`].
#[derive(Debug, Clone)]
pub struct Curve {
    /// What it shows.
    pub title: String,
    /// What its vertical axis counts.
    pub unit: String,
    /// The last value, when there is one line only.
    pub last: Option<f64>,
    /// The lines by name, each with its points, for those who show values beside the drawing.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
    /// The drawing, without a heading.
    pub svg: String,
}

/// The same panels one by one, for pages that lay them out themselves. Lines are the runs in their
/// order, as [`key_svg`](crate::plot::key_svg) draws them; only operators have a legend in the drawing.
pub fn curves_apart(view: &CurvesView, options: &SvgOptions) -> Vec<Curve> {
    let theme = options.palette.theme(options.dark);
    let apart = |panels: Vec<Panel>, legend: bool| {
        let drawn = draw_apart(&panels, theme, options.dark, legend);
        let curve = |(panel, svg): (Panel, String)| {
            let last = match panel.series.as_slice() {
                [line] => line.points.last().map(|point| point.1),
                _ => None,
            };
            let lines = panel.series.into_iter().map(|line| (line.name, line.points)).collect();
            Curve { title: panel.title, unit: panel.y, last, lines, svg }
        };
        panels.into_iter().zip(drawn).map(curve).collect::<Vec<_>>()
    };
    let mut curves = apart(panels(view), false);
    curves.extend(operators(view).map(|panel| apart(vec![panel], true)).into_iter().flatten());
    curves
}

fn nothing(theme: &Theme) -> Piece {
    let font = Font { size: 12, bold: false, fill: theme.muted };
    Piece::text("no generation is stored yet", 80, font)
}

/// The panels in which a line is a run.
fn panels(view: &CurvesView) -> Vec<Panel> {
    let x = if view.by_time { "seconds" } else { "generation" };
    let at = |point: &RunPoint| match view.by_time {
        true => point.seconds,
        false => point.generation as f64,
    };
    let panel = |title: &str, y: &str, scale, line: &dyn Fn(&RunView) -> Vec<(f64, f64)>| {
        let series = view.runs.iter().map(|run| (run, thin(line(run))));
        let series = series.filter(|(_, points)| !points.is_empty());
        let series: Vec<Series> =
            series.map(|(run, points)| Series { name: run.name.clone(), points }).collect();
        let (title, x, y) = (title.to_owned(), x.to_owned(), y.to_owned());
        (!series.is_empty()).then_some(Panel { title, x, y, series, scale })
    };
    let each = |value: &dyn Fn(&RunPoint) -> Option<f64>, run: &RunView| {
        run.points.iter().filter_map(|point| Some((at(point), value(point)?))).collect()
    };
    let several = view.runs.len() > 1;
    let all = [
        panel("tasks that fit", "tasks", Scale::Steps, &|run| {
            each(&|point| Some(point.solved as f64), run)
        }),
        panel("speed", "evaluations per second", Scale::Even, &|run| {
            rates(&run.points).into_iter().map(|(n, rate)| (at(&run.points[n]), rate)).collect()
        }),
        panel("nearest open task", "similarity", Scale::Even, &|run| {
            each(&|point| point.similarity, run)
        }),
        panel("programs alive", "programs", Scale::Even, &|run| {
            each(&|point| Some(point.alive? as f64), run)
        }),
        panel("memory", "megabytes", Scale::Even, &|run| {
            each(&|point| Some(point.memory? as f64 / 1e6), run)
        }),
        // With one run its operators are drawn one by one.
        panel("yield of operators", "better than their parents, per 1000", Scale::Even, &|run| {
            if several { total_yield(run, &at) } else { Vec::new() }
        }),
    ];
    all.into_iter().flatten().collect()
}

/// Evaluations per second, with the generation they end in. Times are often whole seconds, so a rate
/// is taken over a fortieth of the run, two seconds at least.
fn rates(points: &[RunPoint]) -> Vec<(usize, f64)> {
    let Some(last) = points.last() else { return Vec::new() };
    let window = (last.seconds / 40.0).max(2.0);
    let mut rates = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for n in 1..points.len() {
        sum += points[n].evaluations;
        while start + 1 < n && points[n].seconds - points[start + 1].seconds >= window {
            start += 1;
            sum -= points[start].evaluations;
        }
        let seconds = points[n].seconds - points[start].seconds;
        if seconds >= window {
            rates.push((n, sum as f64 / seconds));
        }
    }
    rates
}

/// What share of all children of a run was better than its parents, in thousandths.
fn total_yield(run: &RunView, at: &dyn Fn(&RunPoint) -> f64) -> Vec<(f64, f64)> {
    let sums = |generation: u64| {
        let points = run
            .operators
            .iter()
            .filter_map(|operator| operator.points.iter().rfind(|point| point.0 <= generation));
        points.fold((0, 0), |sum, point| (sum.0 + point.1, sum.1 + point.2))
    };
    thin(run.points.iter().collect())
        .into_iter()
        .filter_map(|point: &RunPoint| {
            let (applied, better) = sums(point.generation);
            (applied > 0).then(|| (at(point), 1000.0 * better as f64 / applied as f64))
        })
        .collect()
}

/// The operators of a single run, a line each, those that gave most first.
fn operators(view: &CurvesView) -> Option<Panel> {
    let [run] = view.runs.as_slice() else { return None };
    let mut best: Vec<&OperatorView> = run.operators.iter().collect();
    best.retain(|operator| operator.points.iter().any(|point| point.2 > 0));
    let given = |operator: &OperatorView| operator.points.last().map_or(0, |point| point.2);
    best.sort_by(|a, b| given(b).cmp(&given(a)).then(a.name.cmp(&b.name)));
    best.truncate(MAX_OPERATORS);
    let place = |generation: u64| match view.by_time {
        false => Some(generation as f64),
        true => run.points.iter().find(|p| p.generation == generation).map(|p| p.seconds),
    };
    let series = best.iter().map(|operator| Series {
        name: operator.name.clone(),
        points: thin(operator.points.clone())
            .into_iter()
            .filter_map(|(generation, _, better)| Some((place(generation)?, better as f64)))
            .collect(),
    });
    let series: Vec<Series> = series.collect();
    let x = if view.by_time { "seconds" } else { "generation" };
    (!series.is_empty()).then(|| Panel {
        title: "what operators gave".to_owned(),
        x: x.to_owned(),
        y: "children better than their parents".to_owned(),
        series,
        scale: Scale::Even,
    })
}

/// At most [`MAX_POINTS`] of the points, evenly chosen, the first and the last among them.
fn thin<T>(points: Vec<T>) -> Vec<T> {
    let count = points.len();
    if count <= MAX_POINTS {
        return points;
    }
    let mut next = 0;
    let mut kept = Vec::with_capacity(MAX_POINTS);
    for (n, point) in points.into_iter().enumerate() {
        if n == next {
            kept.push(point);
            next = kept.len() * (count - 1) / (MAX_POINTS - 1);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_xml;

    fn run(name: &str, generations: u64) -> RunView {
        let point = |n: u64| RunPoint {
            generation: n,
            seconds: n as f64,
            solved: n / 3,
            evaluations: 100,
            similarity: Some(0.5),
            alive: Some(40 + n),
            memory: None,
        };
        let operator = |name: &str, share: u64| OperatorView {
            name: name.to_owned(),
            points: (1..generations).map(|n| (n, 10 * n, n / share)).collect(),
        };
        RunView {
            name: name.to_owned(),
            points: (0..generations).map(point).collect(),
            operators: vec![operator("swap", 9), operator("graft", 2), operator("idle", 1 << 40)],
        }
    }

    fn view(runs: Vec<RunView>) -> CurvesView {
        CurvesView { title: "run 1".to_owned(), runs, by_time: false }
    }

    #[test]
    fn a_run_has_a_panel_for_everything_it_has_figures_for() {
        let svg = curves_svg(&view(vec![run("run 1", 50)]), &SvgOptions::default());
        check_xml(&svg);
        assert_eq!(svg, curves_svg(&view(vec![run("run 1", 50)]), &SvgOptions::default()));
        let titles = [
            "tasks that fit",
            "speed",
            "nearest open task",
            "programs alive",
            "what operators gave",
        ];
        for title in titles {
            assert!(svg.contains(&format!(">{title}<")), "{title}");
        }
        let apart = curves_apart(&view(vec![run("run 1", 50)]), &SvgOptions::default());
        assert_eq!(apart.iter().map(|curve| curve.title.as_str()).collect::<Vec<_>>(), titles);
        assert_eq!(apart.iter().map(|c| c.last).collect::<Vec<_>>()[3..], [Some(89.0), None]);
        for curve in &apart {
            check_xml(&curve.svg);
            assert!(curve.svg.contains("class=\"curve\""), "{}", curve.title);
        }
        assert!(apart[4].svg.contains(">graft</text>") && !apart[0].svg.contains(">run 1</text>"));
        assert!(!svg.contains(">memory<") && !svg.contains(">idle</text>"));
        let (graft, swap) = (svg.find(">graft</text>"), svg.find(">swap</text>"));
        assert!(graft.is_some() && graft < swap, "the best operator comes first");
    }

    #[test]
    fn several_runs_share_panels() {
        let runs = vec![run("monday", 50), run("tuesday", 400)];
        let view = CurvesView { by_time: true, ..view(runs) };
        for dark in [false, true] {
            let svg = curves_svg(&view, &SvgOptions { dark, ..SvgOptions::default() });
            check_xml(&svg);
            assert_eq!(svg.matches(">tuesday</text>").count(), 1, "one legend");
            assert!(svg.contains(">yield of operators<") && !svg.contains(">graft<"));
            assert!(svg.len() < 60_000, "{}", svg.len());
        }
    }

    #[test]
    fn rates_are_those_of_a_window() {
        let found = rates(&run("a", 10).points);
        assert_eq!(found.first(), Some(&(2, 100.0)));
        assert!(found.iter().all(|&(_, rate)| rate == 100.0), "{found:?}");
        assert!(rates(&run("a", 2).points).is_empty() && rates(&[]).is_empty());
    }

    #[test]
    fn thinning_keeps_both_ends() {
        for count in [0, 1, MAX_POINTS, MAX_POINTS + 1, 10_000] {
            let kept = thin((0..count).collect());
            assert_eq!(kept.len(), count.min(MAX_POINTS));
            assert_eq!(
                (kept.first().copied(), kept.last().map(|n| n + 1)),
                match count {
                    0 => (None, None),
                    _ => (Some(0), Some(count)),
                }
            );
        }
    }

    #[test]
    fn nothing_is_said_to_be_nothing() {
        let svg = curves_svg(&CurvesView::default(), &SvgOptions::default());
        check_xml(&svg);
        assert!(svg.contains("no generation is stored yet"));
        check_xml(&curves_svg(&view(vec![RunView::default()]), &SvgOptions::default()));
    }
}
