//! Tasks about straight lines.

use super::Pair;
use super::board::scatter;
use super::dice::Dice;
use super::grid::{Cell, blank, fill, height, most, transpose, width};

/// A light blue line joins the two dots: level, upright or along either diagonal.
pub(super) fn join_dots(dice: &mut Dice, index: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(5, 13), dice.range(5, 13));
    let color = dice.color(&[8]);
    let (down, right) = [(0, 1), (1, 0), (1, 1), (1, -1)][index % 4];
    let (mut i, mut j) = (dice.range(0, tall - 1) as isize, dice.range(0, wide - 1) as isize);
    let mut line = Vec::new();
    for _ in 0..dice.range(3, 9) {
        line.push((usize::try_from(i).ok()?, usize::try_from(j).ok()?));
        (i, j) = (i + down, j + right);
    }
    if line.iter().any(|cell| cell.0 >= tall || cell.1 >= wide) {
        return None;
    }
    let mut input = blank(tall, wide, 0);
    fill(&mut input, &[line[0], line[line.len() - 1]], color);
    let mut output = input.clone();
    fill(&mut output, &line[1..line.len() - 1], 8);
    Some((input, output))
}

/// A grey slanted line runs through the dot, from lower left to upper right.
pub(super) fn slant_through_dot(dice: &mut Dice, _: usize) -> Option<Pair> {
    let background = dice.background(&[5]);
    let color = dice.color(&[5, background]);
    let mut input = blank(dice.range(5, 15), dice.range(5, 15), background);
    let dot = (dice.range(1, height(&input) - 2), dice.range(1, width(&input) - 2));
    fill(&mut input, &[dot], color);
    let mut output = input.clone();
    for (i, row) in output.iter_mut().enumerate() {
        let column = (dot.0 + dot.1).checked_sub(i).filter(|&j| j < row.len() && i != dot.0);
        if let Some(j) = column {
            row[j] = 5;
        }
    }
    Some((input, output))
}

/// Rows and columns that have one colour throughout fade into the most common colour.
pub(super) fn full_lines_fade(dice: &mut Dice, index: usize) -> Option<Pair> {
    let colors = dice.colors(4, &[]);
    let (tall, wide) = (dice.range(6, 14), dice.range(6, 14));
    let mut input = dice.noise(tall, wide, &[0, 0, 1, 1, 2, 2, 3].map(|k: usize| colors[k]));
    let (rows, columns) = [(1, 1), (2, 0), (1, 2)][index % 3];
    let mut lines: Vec<Cell> = Vec::new();
    for (i, _) in scatter(dice, tall, 1, rows) {
        lines.extend((0..wide).map(|j| (i, j)));
    }
    for (_, j) in scatter(dice, 1, wide, columns) {
        lines.extend((0..tall).map(|i| (i, j)));
    }
    fill(&mut input, &lines, colors[3]);
    let mut output = input.clone();
    fill(&mut output, &lines, most(&input)?);
    let full = |lines: &[Vec<u8>]| lines.iter().filter(|l| l.iter().all(|&v| v == l[0])).count();
    let is_clear = full(&input) == rows && full(&transpose(&input)) == columns;
    is_clear.then_some((input, output))
}

/// Every blue dot throws a light blue trail up and to the right, behind the other dots.
pub(super) fn blue_sparks(dice: &mut Dice, index: usize) -> Option<Pair> {
    let (tall, wide) = (dice.range(6, 15), dice.range(6, 15));
    let colors = dice.colors(2, &[1, 8]);
    let sparks = 1 + (index + 1) % 3;
    let others = dice.range(2, 5);
    let dots = scatter(dice, tall, wide, sparks + others);
    let mut input = blank(tall, wide, 0);
    fill(&mut input, &dots[..sparks], 1);
    for &dot in &dots[sparks..] {
        fill(&mut input, &[dot], dice.pick(&colors));
    }
    let mut output = input.clone();
    let (mut drawn, mut passed) = (0, 0);
    for &(top, left) in &dots[..sparks] {
        for (i, j) in (0..top).rev().zip(left + 1..wide) {
            if input[i][j] == 0 {
                output[i][j] = 8;
                drawn += 1;
            } else {
                passed += 1;
            }
        }
    }
    let is_clear = drawn > sparks && (passed > 0 || index % 2 == 1);
    (is_clear && most(&output) == Some(0)).then_some((input, output))
}
