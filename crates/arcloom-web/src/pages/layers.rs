//! Places for the nodes of a layered drawing, shared by lineages and merged graphs.

/// Rounds of putting nodes near their neighbours.
const ROUNDS: usize = 6;

/// The places of nodes: for each its position within its layer, in units of one node's room, so that
/// layers are centred on each other. `layers` says in which layer each node is.
pub(crate) fn arrange(layers: &[usize], edges: &[(usize, usize)]) -> Vec<f64> {
    let depth = layers.iter().max().map_or(0, |last| last + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth];
    for (node, &layer) in layers.iter().enumerate() {
        rows[layer].push(node);
    }
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); layers.len()];
    for &(from, to) in edges {
        near[from].push(to);
        near[to].push(from);
    }
    let mut x = vec![0.0; layers.len()];
    let spread = |row: &[usize], x: &mut [f64]| {
        let middle = (row.len() as f64 - 1.0) / 2.0;
        for (n, &node) in row.iter().enumerate() {
            x[node] = n as f64 - middle;
        }
    };
    rows.iter().for_each(|row| spread(row, &mut x));
    for round in 0..ROUNDS {
        let down = round % 2 == 0;
        let order: Vec<usize> =
            if down { (0..depth).collect() } else { (0..depth).rev().collect() };
        for layer in order {
            // Neighbours on the side that was just arranged.
            let place = |node: usize| {
                let side = near[node].iter().filter(|&&other| {
                    if down { layers[other] < layer } else { layers[other] > layer }
                });
                let (sum, count) =
                    side.fold((0.0, 0), |(sum, count), &other| (sum + x[other], count + 1));
                if count == 0 { x[node] } else { sum / f64::from(count) }
            };
            let mut placed: Vec<(f64, usize)> =
                rows[layer].iter().map(|&node| (place(node), node)).collect();
            placed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            rows[layer] = placed.into_iter().map(|(_, node)| node).collect();
            spread(&rows[layer], &mut x);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_layer_have_places_of_their_own() {
        let layers = [0, 1, 1, 2, 2, 2];
        let edges = [(0, 1), (0, 2), (1, 5), (2, 3), (2, 4)];
        let x = arrange(&layers, &edges);
        for a in 0..6 {
            for b in 0..a {
                assert!(layers[a] != layers[b] || (x[a] - x[b]).abs() >= 1.0, "{x:?}");
            }
        }
        // No two edges cross: the only child of 1 is on its side.
        assert_eq!((x[1] < x[2]), (x[5] < x[3]), "{x:?}");
        assert!(arrange(&[], &[]).is_empty());
    }
}
