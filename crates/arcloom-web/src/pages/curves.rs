//! Small line charts of runs, in the page's own colours.

use maud::{Markup, html};

use super::grouped;

/// A chart.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    pub(crate) lines: Vec<Line>,
}

/// A line of a chart.
pub(crate) struct Line {
    pub(crate) name: String,
    /// Which of the eight looks it has.
    pub(crate) look: usize,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Most points drawn of a line.
const POINTS: usize = 300;
/// Extent of the area between the axes.
const W: f64 = 320.0;
const H: f64 = 130.0;

/// Every so many-th point, and the last.
fn thin(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let every = points.len().div_ceil(POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.iter().enumerate().filter(|(n, _)| n % every == 0 || *n == last);
    kept.map(|(_, point)| *point).collect()
}

/// A round number that is not below a value.
fn ceiling(value: f64) -> f64 {
    if value <= 1.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * power).into_iter().find(|&v| v >= value).unwrap_or(value)
}

/// A number at an axis.
fn tick(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{:.1}G", v / 1e9),
        v if v >= 1e6 => format!("{:.1}M", v / 1e6),
        v if v >= 1e4 => format!("{:.0}k", v / 1e3),
        v if v.fract() == 0.0 || v >= 100.0 => grouped(v as u64),
        v => format!("{v:.1}"),
    }
}

/// A chart with its last values.
pub(crate) fn chart(chart: &Chart) -> Markup {
    let all = || chart.lines.iter().flat_map(|line| &line.points);
    let right = all().map(|p| p.0).fold(1.0, f64::max);
    let top = ceiling(all().map(|p| p.1).fold(0.0, f64::max));
    let place = |&(x, y): &(f64, f64)| (x / right * W, H - (y / top).clamp(0.0, 1.0) * H);
    let path = |line: &Line| -> String {
        let points = thin(&line.points);
        let text = points.iter().enumerate().map(|(n, point)| {
            let (x, y) = place(point);
            format!("{}{x:.1} {y:.1}", if n == 0 { "M" } else { "L" })
        });
        text.collect()
    };
    html! {
        figure.chart {
            figcaption {
                (chart.title)
                @if let [line] = &chart.lines[..] {
                    @if let Some(last) = line.points.last() { " " strong { (tick(last.1)) } }
                }
            }
            svg viewBox="-44 -8 372 164" role="img" aria-label=(chart.title) {
                @for part in [0.0, 0.5, 1.0] {
                    @let y = H - part * H;
                    path.grid d={ "M0 " (y) "H" (W) } {}
                    text.tick x="-6" y=(y + 4.0) text-anchor="end" { (tick(top * part)) }
                }
                text.tick x="0" y=(H + 16.0) { "0" }
                text.tick x=(W) y=(H + 16.0) text-anchor="end" { (tick(right)) }
                @for line in &chart.lines {
                    path class={ "curve l" (line.look % 8) } d=(path(line)) { title { (line.name) } }
                    @if let Some(last) = line.points.last() {
                        @let (x, y) = place(last);
                        circle class={ "dot l" (line.look % 8) } cx=(x) cy=(y) r="3" {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_in_round_numbers() {
        assert_eq!(
            [0.0, 0.3, 1.5, 37.0, 1000.0, 1001.0].map(ceiling),
            [1.0, 1.0, 2.0, 50.0, 1000.0, 2000.0]
        );
        assert_eq!([0.0, 2.5, 12_345.0, 3.2e6].map(tick), ["0", "2.5", "12k", "3.2M"]);
    }

    #[test]
    fn long_lines_are_thinned_and_keep_their_end() {
        let points: Vec<(f64, f64)> = (0..10_001).map(|n| (f64::from(n), 1.0)).collect();
        let thin = thin(&points);
        assert!(thin.len() <= POINTS + 1, "{}", thin.len());
        assert_eq!(thin.last(), points.last());
    }
}
