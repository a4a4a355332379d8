use super::axis::{even_ticks, ticks};
use super::*;
use crate::testing::check_xml;

/// A line through these points.
fn line(name: &str, points: &[(f64, f64)]) -> Series {
    Series { name: name.to_owned(), points: points.to_vec() }
}

fn plot(series: Vec<Series>) -> Plot {
    let panel = |title: &str| Panel {
        title: title.to_owned(),
        x: "tasks".to_owned(),
        y: "grids per second".to_owned(),
        series: series.clone(),
        scale: Scale::Log,
    };
    Plot { title: "a < b & c".to_owned(), panels: vec![panel("left"), panel("right")] }
}

#[test]
fn ticks_are_round_and_hold_the_data() {
    assert_eq!(ticks(1.0, 10.0), [1.0, 2.0, 5.0, 10.0]);
    assert_eq!(ticks(3.0, 40.0), [2.0, 5.0, 10.0, 20.0, 50.0]);
    assert_eq!(ticks(7.0, 7.0), [5.0, 10.0]);
    assert_eq!(ticks(10.0, 10.0), [10.0, 20.0]);
    assert_eq!(ticks(95.0, 120_000.0), [10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
    for (low, high) in [(1e-12, 1e12), (0.003, 0.004), (999.0, 1001.0), (1e-100, 1e100)] {
        let ticks = ticks(low, high);
        assert!((2..=10).contains(&ticks.len()), "{low} {high}: {ticks:?}");
        assert!(ticks[0] <= low && ticks[ticks.len() - 1] >= high * 0.999, "{ticks:?}");
        assert!(ticks.is_sorted_by(|a, b| a < b), "{ticks:?}");
    }
}

#[test]
fn numbers_on_axes_are_short() {
    let shown = [0.002, 0.5, 1.0, 20.0, 400.0, 1000.0, 20_000.0, 3e6, 2e9].map(number);
    assert_eq!(shown, ["0.002", "0.5", "1", "20", "400", "1000", "20k", "3M", "2G"]);
}

#[test]
fn charts_are_well_formed_and_repeat() {
    let names = ["sequential", "1 job", "2 jobs", "4 jobs", "8 jobs", "<gpu> & \"more\"", "last"];
    let rates = [(32.0, 900.0), (100.0, 1100.0), (400.0, 1205.5)];
    let series: Vec<Series> = names
        .iter()
        .enumerate()
        .map(|(n, name)| line(name, &rates.map(|(x, y)| (x, y * (n + 1) as f64))))
        .collect();
    let plot = plot(series);
    for dark in [false, true] {
        let svg = plot_svg(&plot, dark);
        check_xml(&svg);
        assert_eq!(svg, plot_svg(&plot, dark));
        for text in [">32<", ">100<", ">400<", ">8 jobs<", ">grids per second<", ">1000<"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert_eq!(svg.matches(">8 jobs</text>").count(), 1, "one legend for all panels");
    }
    assert_ne!(plot_svg(&plot, false), plot_svg(&plot, true));
}

#[test]
fn what_has_no_place_is_left_out() {
    let bad = [(0.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0), (2.0, f64::INFINITY)];
    let svg = plot_svg(&plot(vec![line("bad", &bad)]), false);
    check_xml(&svg);
    assert!(svg.contains("nothing to draw"));
    let svg = plot_svg(&plot(vec![line("one", &[(5.0, 5.0), bad[0]])]), false);
    check_xml(&svg);
    assert_eq!(svg.matches("<circle").count(), 3, "one in each panel and one in the legend");
    check_xml(&plot_svg(&Plot { title: String::new(), panels: Vec::new() }, true));
}

#[test]
fn points_lie_where_they_should() {
    let svg = plot_svg(&plot(vec![line("a", &[(10.0, 10.0), (1000.0, 1000.0)])]), false);
    // Rates from 10 to 1000 take the whole height; sizes keep room on both sides.
    assert!(svg.contains("cy=\"240\"") && svg.contains("cy=\"0\""), "{svg}");
    assert!(!svg.contains("cx=\"0\"") && !svg.contains("cx=\"300\""), "{svg}");
}

#[test]
fn marks_differ() {
    let marks: std::collections::BTreeSet<String> =
        (0..6).map(|n| mark(n, (0, 0), Rgb(0, 0, 0))).collect();
    assert_eq!(marks.len(), 6);
}

#[test]
fn even_ticks_are_round_and_hold_the_data() {
    assert_eq!(even_ticks(5.0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(even_ticks(0.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
    assert_eq!(even_ticks(391.0), [0.0, 100.0, 200.0, 300.0, 400.0]);
    for high in [1e-9, 0.3, 1.0, 7.0, 12345.0, 1e12] {
        let ticks = even_ticks(high);
        assert!((2..=7).contains(&ticks.len()), "{high}: {ticks:?}");
        assert!(ticks[ticks.len() - 1] >= high * 0.999, "{high}: {ticks:?}");
    }
}

#[test]
fn counts_go_in_steps_and_zero_has_a_place() {
    let mut plot = plot(vec![line("solved", &[(0.0, 0.0), (1.0, 5.0), (2.0, 5.0), (4.0, 10.0)])]);
    plot.panels.truncate(1);
    plot.panels[0].scale = Scale::Steps;
    let svg = plot_svg(&plot, false);
    check_xml(&svg);
    assert!(svg.contains("d=\"M0 240H75V120H150H300V0\""), "{svg}");
    plot.panels[0].scale = Scale::Even;
    assert!(plot_svg(&plot, false).contains("d=\"M0 240L75 120H150L300 0\""));
    assert!(!svg.contains(">solved</text>"), "one line needs no legend");
}

#[test]
fn long_lines_have_few_marks() {
    let points: Vec<(f64, f64)> = (0..1000).map(|n| (f64::from(n), f64::from(n))).collect();
    let mut plot = plot(vec![line("long", &points)]);
    plot.panels.truncate(1);
    plot.panels[0].scale = Scale::Even;
    let marks = plot_svg(&plot, false).matches("<circle").count();
    assert!((3..=7).contains(&marks), "{marks}");
}
