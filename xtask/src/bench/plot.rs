//! How the time of an event grows, as plots in the book (SVG).

use super::scenes::{PLUGINS, RULES, SIZES};
use crate::plugins::root;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::collections::BTreeMap;
use std::fs;

/// One line of a plot: its name, and the name of each point's measurement.
type Line = (&'static str, Vec<(usize, String)>);

/// `docs/images/growth-*.svg`, of medians in milliseconds.
pub(super) fn growth(milliseconds: &BTreeMap<String, f64>) -> Result<()> {
    fs::create_dir_all(root().join("docs/images"))?;
    let points = |counts: &[usize], name: &dyn Fn(usize) -> String| counts.iter().map(|n| (*n, name(*n))).collect();
    let plugins = |kind: &'static str| (kind, points(&PLUGINS, &|n| format!("{n} × {kind}")));
    let plots: [(&str, &str, Vec<Line>); 3] = [
        (
            "plugins",
            "plugins, each of a file of its own",
            vec![plugins("nothing"), plugins("guard-git")],
        ),
        (
            "rules",
            "rules in a file of settings",
            vec![("rules", points(&RULES, &|n| format!("{n} rules")))],
        ),
        (
            "size",
            "KiB that are written",
            vec![("pack", points(&SIZES, &|n| format!("{} KiB", n >> 10)))],
        ),
    ];
    for (file, axis, lines) in plots {
        let measured = lines.into_iter().map(|(name, points)| {
            let scale = if file == "size" { 1024.0 } else { 1.0 };
            let point = |(n, key): (usize, String)| Some((n as f64 / scale, *milliseconds.get(&key)?));
            (name, points.into_iter().filter_map(point).collect::<Vec<_>>())
        });
        draw(file, axis, &measured.collect::<Vec<_>>()).map_err(|error| anyhow!("{file}: {error}"))?;
    }
    Ok(())
}

fn draw(
    file: &str,
    axis: &str,
    lines: &[(&str, Vec<(f64, f64)>)],
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let path = root().join(format!("docs/images/growth-{file}.svg"));
    let area = SVGBackend::new(&path, (640, 360)).into_drawing_area();
    area.fill(&WHITE)?;
    let all = || lines.iter().flat_map(|(_, points)| points);
    let (least, most) = all().fold((f64::MAX, 0.0_f64), |(a, b), (n, _)| (a.min(*n), b.max(*n)));
    let top = all().fold(0.0_f64, |top, (_, time)| top.max(*time)) * 1.1;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d((least..most).log_scale(), 0.0..top)?;
    chart.configure_mesh().x_desc(axis).y_desc("ms, whole process").draw()?;
    for ((name, points), colour) in lines.iter().zip([BLUE, RED]) {
        chart
            .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
    }
    if lines.len() > 1 {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .border_style(BLACK)
            .draw()?;
    }
    area.present()?;
    Ok(())
}
