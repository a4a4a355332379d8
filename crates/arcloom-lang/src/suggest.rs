//! The name that was meant by one that does not exist.

use arcloom_dsl::Registry;

use crate::nearest::nearest;

/// What people and language models call a function, and what it is called here.
const SYNONYMS: &[(&str, &str)] = &[
    ("abs", "sign"),
    ("background", "mostcolor"),
    ("background_color", "mostcolor"),
    ("bounding_box", "backdrop"),
    ("bbox", "backdrop"),
    ("clockwise", "rot90"),
    ("color_count", "colorcount"),
    ("concat", "combine"),
    ("concat_horizontal", "hconcat"),
    ("concat_vertical", "vconcat"),
    ("connected_components", "objects"),
    ("counterclockwise", "rot270"),
    ("create_grid", "canvas"),
    ("crop_object", "subgrid"),
    ("crop_to_content", "subgrid"),
    ("dim", "shape"),
    ("dims", "shape"),
    ("draw", "paint"),
    ("draw_line", "connect"),
    ("eq", "equality"),
    ("equal", "equality"),
    ("equals", "equality"),
    ("filter", "sfilter"),
    ("find_objects", "objects"),
    ("flip_horizontal", "vmirror"),
    ("flip_vertical", "hmirror"),
    ("fliph", "vmirror"),
    ("fliplr", "vmirror"),
    ("flipud", "hmirror"),
    ("flipv", "hmirror"),
    ("foreach", "apply"),
    ("get_background", "mostcolor"),
    ("get_color", "color"),
    ("get_objects", "objects"),
    ("gravity", "gravitate"),
    ("greater_than", "greater"),
    ("gt", "greater"),
    ("hflip", "vmirror"),
    ("horizontal_flip", "vmirror"),
    ("hstack", "hconcat"),
    ("len", "size"),
    ("length", "size"),
    ("map", "apply"),
    ("max", "maximum"),
    ("max_by", "argmax"),
    ("min", "minimum"),
    ("min_by", "argmin"),
    ("minus", "subtract"),
    ("mirror", "vmirror"),
    ("mirror_horizontal", "vmirror"),
    ("mirror_vertical", "hmirror"),
    ("most_common", "mostcommon"),
    ("most_common_color", "mostcolor"),
    ("mul", "multiply"),
    ("negate", "invert"),
    ("new_grid", "canvas"),
    ("not_", "flip"),
    ("num_colors", "numcolors"),
    ("or_", "either"),
    ("and_", "both"),
    ("place", "paint"),
    ("plus", "add"),
    ("range", "interval"),
    ("reflect", "vmirror"),
    ("replace_color", "replace"),
    ("resize", "upscale"),
    ("rotate", "rot90"),
    ("rotate180", "rot180"),
    ("rotate270", "rot270"),
    ("rotate90", "rot90"),
    ("rotate_180", "rot180"),
    ("rotate_270", "rot270"),
    ("rotate_90", "rot90"),
    ("rotate_clockwise", "rot90"),
    ("rotate_counterclockwise", "rot270"),
    ("scale", "upscale"),
    ("scale_up", "upscale"),
    ("set", "dedupe"),
    ("sort", "order"),
    ("sorted", "order"),
    ("stack_horizontal", "hconcat"),
    ("stack_vertical", "vconcat"),
    ("sub", "subtract"),
    ("sum", "add"),
    ("swap_colors", "switch"),
    ("to_grid", "canvas"),
    ("translate", "shift"),
    ("transpose", "dmirror"),
    ("tuple", "totuple"),
    ("union", "combine"),
    ("unique", "dedupe"),
    ("vertical_flip", "hmirror"),
    ("vflip", "hmirror"),
    ("vstack", "vconcat"),
    ("where", "ofcolor"),
    ("zip", "pair"),
];

/// Beginnings of names that say nothing.
const PREFIXES: &[&str] = &["get_", "find_", "compute_", "make_", "to_", "is_", "dsl_", "f_"];

/// The known name that was most likely meant. `candidates` are names that could stand there.
pub(crate) fn suggestion(name: &str, candidates: &[&str]) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let synonym = SYNONYMS.iter().find(|(known, _)| *known == lower).map(|(_, meant)| *meant);
    let synonym = synonym.filter(|meant| candidates.contains(meant));
    let near = |name: &str| nearest(name, candidates.iter().copied());
    let found = synonym.or_else(|| near(name)).or_else(|| {
        let bare = PREFIXES.iter().find_map(|prefix| lower.strip_prefix(prefix)).unwrap_or(&lower);
        let bare = bare.replace('_', "");
        // Shorter names are near to everything.
        if bare.len() < 4 { None } else { near(&bare) }
    });
    found.map(str::to_string)
}

/// The names of all primitives.
pub(crate) fn primitives() -> Vec<&'static str> {
    Registry::get().all().map(|(_, prim)| prim.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_are_of_functions_that_exist() {
        for (name, meant) in SYNONYMS {
            let registry = Registry::get();
            assert!(registry.resolve(meant).is_some(), "{meant}");
            assert!(registry.resolve(name).is_none(), "{name} exists");
        }
    }

    #[test]
    fn what_models_write_is_understood() {
        let all = primitives();
        for (name, meant) in [
            ("rotate90", Some("rot90")),
            ("vmiror", Some("vmirror")),
            ("get_objects", Some("objects")),
            ("MostColor", Some("mostcolor")),
            ("least_color", Some("leastcolor")),
            ("find_holes_quickly", None),
        ] {
            assert_eq!(suggestion(name, &all).as_deref(), meant, "{name}");
        }
    }
}
