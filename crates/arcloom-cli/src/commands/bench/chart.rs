//! The comparison as a chart: grids per second by size, one panel per experiment, one line per mode.

use crate::bench::{Experiment, Mode};
use arcloom::draw::{Panel, Plot, Scale, Series};

use super::Measured;
use super::text::{heading, rate};

pub(super) fn plot(measured: &Measured) -> Plot {
    let report = &measured.report;
    let cores = crate::paint::count(report.cores, "core");
    Plot {
        title: format!("arcloom on {}, {cores}", measured.tasks.name),
        panels: report.experiments.iter().map(panel).collect(),
    }
}

fn panel(experiment: &Experiment) -> Panel {
    let modes = experiment.points.first().map(|point| &point.rows).into_iter().flatten();
    let series = |mode: Mode| Series {
        name: mode.to_string(),
        points: experiment
            .points
            .iter()
            .flat_map(|point| point.rows.iter().map(move |row| (point, row)))
            .filter(|(_, row)| row.mode == mode)
            .map(|(point, row)| (point.size as f64, rate(point.grids, row.wall)))
            .collect(),
    };
    Panel {
        title: heading(experiment),
        x: experiment.sizes.axis.name().to_owned(),
        y: "grids per second".to_owned(),
        series: modes.map(|row| series(row.mode)).collect(),
        scale: Scale::Log,
    }
}
