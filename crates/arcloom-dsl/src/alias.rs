//! Suffixed names of the predecessor's dialect that mean exactly what an existing primitive means.
//!
//! The suffix says what kind of argument is meant: `_t` a tuple or grid, `_f` a set, `_i` positions,
//! `_o` an object. It narrows the signature and nothing else: failures and empty arguments are those
//! of the primitive, not the predecessor's silent defaults. Names whose meaning differs are
//! primitives of their own.
//!
//! In a set everything occurs once, so its most frequent and its rarest element are both its first.

use crate::registry::Alias;

/// The alias with this name.
pub fn find(name: &str) -> Option<&'static Alias> {
    ALIASES.binary_search_by(|alias| alias.name.cmp(name)).ok().map(|n| &ALIASES[n])
}

macro_rules! aliases {
    ($($name:ident = $target:ident: $sig:literal;)*) => {
        /// All aliases, by name.
        pub static ALIASES: &[Alias] = &[
            $(Alias { name: stringify!($name), target: stringify!($target), sig: $sig },)*
        ];
    };
}

aliases! {
    apply_f = apply: "(Fn(a) -> b, Set<a>) -> Set<b>";
    apply_t = apply: "(Fn(a) -> b, Tuple<a>) -> Tuple<b>";
    argmax_f = argmax: "(Set<a>, Fn(a) -> Any) -> a";
    argmax_t = argmax: "(Tuple<a>, Fn(a) -> Any) -> a";
    argmin_f = argmin: "(Set<a>, Fn(a) -> Any) -> a";
    argmin_t = argmin: "(Tuple<a>, Fn(a) -> Any) -> a";
    c_branch = branch: "(Bool, Color, Color) -> Color";
    cmirror_f = cmirror: "(a: Patch) -> a";
    cmirror_i = cmirror: "(Indices) -> Indices";
    cmirror_o = cmirror: "(Object) -> Object";
    cmirror_t = cmirror: "(Grid) -> Grid";
    colorcount_f = colorcount: "(Object, Color) -> Int";
    colorcount_t = colorcount: "(Grid, Color) -> Int";
    combine_f = combine: "(Set<a>, Set<a>) -> Set<a>";
    combine_t = combine: "(Tuple<a>, Tuple<a>) -> Tuple<a>";
    difference_t = difference: "(Tuple<a>, Tuple<a>) -> Tuple<a>";
    difference_tuple = difference: "(Tuple<a>, Tuple<a>) -> Tuple<a>";
    dmirror_f = dmirror: "(a: Patch) -> a";
    dmirror_i = dmirror: "(Indices) -> Indices";
    dmirror_o = dmirror: "(Object) -> Object";
    dmirror_t = dmirror: "(Grid) -> Grid";
    f_ofcolor = ofcolor: "(Grid, Color) -> Indices";
    first_f = first: "(Set<a>) -> a";
    first_t = first: "(Tuple<a>) -> a";
    get_arg_rank_f = get_arg_rank: "(Set<a>, Fn(a) -> Any, Rank) -> a";
    get_arg_rank_t = get_arg_rank: "(Tuple<a>, Fn(a) -> Any, Rank) -> a";
    get_common_rank_f = get_common_rank: "(Set<a>, Rank) -> a";
    get_common_rank_t = get_common_rank: "(Tuple<a>, Rank) -> a";
    get_val_rank_f = get_val_rank: "(Set<a>, Fn(a) -> b, Rank) -> b";
    get_val_rank_t = get_val_rank: "(Tuple<a>, Fn(a) -> b, Rank) -> b";
    height_f = height: "(Patch) -> Int";
    height_i = height: "(Indices) -> Int";
    height_o = height: "(Object) -> Int";
    height_t = height: "(Grid) -> Int";
    hline_i = hline: "(Indices) -> Bool";
    hline_o = hline: "(Object) -> Bool";
    hmirror_f = hmirror: "(a: Patch) -> a";
    hmirror_i = hmirror: "(Indices) -> Indices";
    hmirror_o = hmirror: "(Object) -> Object";
    hmirror_t = hmirror: "(Grid) -> Grid";
    last_f = last: "(Set<a>) -> a";
    last_t = last: "(Tuple<a>) -> a";
    leastcolor_f = leastcolor: "(Object) -> Color";
    leastcolor_t = leastcolor: "(Grid) -> Color";
    leastcommon_f = first: "(Set<a>) -> a";
    leastcommon_t = leastcommon: "(Tuple<a>) -> a";
    leftmost_i = leftmost: "(Indices) -> Int";
    leftmost_o = leftmost: "(Object) -> Int";
    llcorner_i = llcorner: "(Indices) -> Pair";
    llcorner_o = llcorner: "(Object) -> Pair";
    lowermost_i = lowermost: "(Indices) -> Int";
    lowermost_o = lowermost: "(Object) -> Int";
    lrcorner_i = lrcorner: "(Indices) -> Pair";
    lrcorner_o = lrcorner: "(Object) -> Pair";
    mapply_f = mapply: "(Fn(a) -> Container<b>, Set<a>) -> Set<b>";
    mapply_t = mapply: "(Fn(a) -> Container<b>, Tuple<a>) -> Tuple<b>";
    merge_f = merge: "(Set<Container<a>>) -> Set<a>";
    merge_t = merge: "(Tuple<Container<a>>) -> Tuple<a>";
    mfilter_f = mfilter: "(Set<Container<a>>, Fn(Container<a>) -> Bool) -> Set<a>";
    mostcolor_f = mostcolor: "(Object) -> Color";
    mostcolor_t = mostcolor: "(Grid) -> Color";
    mostcommon_f = first: "(Set<a>) -> a";
    mostcommon_t = mostcommon: "(Tuple<a>) -> a";
    normalize_i = normalize: "(Indices) -> Indices";
    normalize_o = normalize: "(Object) -> Object";
    normalize_t = identity: "(Tuple<a>) -> Tuple<a>";
    numcolors_f = numcolors: "(Object) -> Int";
    numcolors_t = numcolors: "(Grid) -> Int";
    o_g_tuple = o_g_t: "(Grid, Notion) -> Tuple<Object>";
    objects_g = objects_t: "(Grid, Bool, Bool, Bool) -> Tuple<Object>";
    other_f = other: "(Set<a>, a) -> a";
    other_t = other: "(Tuple<a>, a) -> a";
    p_f = palette: "(Object) -> Set<Color>";
    palette_f = palette: "(Object) -> Set<Color>";
    palette_t = palette: "(Grid) -> Set<Color>";
    portrait_f = portrait: "(Patch) -> Bool";
    portrait_t = portrait: "(Grid) -> Bool";
    rapply_f = rapply: "(Set<Fn(a) -> b>, a) -> Set<b>";
    rapply_t = rapply: "(Tuple<Fn(a) -> b>, a) -> Tuple<b>";
    recolor_i = recolor: "(Color, Indices) -> Object";
    recolor_o = recolor: "(Color, Object) -> Object";
    remove_f = remove: "(a, Set<a>) -> Set<a>";
    remove_t = remove: "(a, Tuple<a>) -> Tuple<a>";
    rightmost_i = rightmost: "(Indices) -> Int";
    rightmost_o = rightmost: "(Object) -> Int";
    sfilter_f = sfilter: "(Set<a>, Fn(a) -> Bool) -> Set<a>";
    sfilter_t = sfilter: "(Tuple<a>, Fn(a) -> Bool) -> Tuple<a>";
    shape_f = shape: "(Patch) -> Pair";
    shape_t = shape: "(Grid) -> Pair";
    size_f = size: "(Set<Any>) -> Int";
    size_t = size: "(Tuple<Any>) -> Int";
    square_f = square: "(Patch) -> Bool";
    square_t = square: "(Grid) -> Bool";
    toindices_i = toindices: "(Indices) -> Indices";
    toindices_o = toindices: "(Object) -> Indices";
    ulcorner_i = ulcorner: "(Indices) -> Pair";
    ulcorner_o = ulcorner: "(Object) -> Pair";
    uppermost_i = uppermost: "(Indices) -> Int";
    uppermost_o = uppermost: "(Object) -> Int";
    upscale_f = upscale: "(Object, Int) -> Object";
    upscale_t = upscale: "(Grid, Int) -> Grid";
    urcorner_i = urcorner: "(Indices) -> Pair";
    urcorner_o = urcorner: "(Object) -> Pair";
    valmax_f = valmax: "(Set<a>, Fn(a) -> b) -> b";
    valmax_t = valmax: "(Tuple<a>, Fn(a) -> b) -> b";
    valmin_f = valmin: "(Set<a>, Fn(a) -> b) -> b";
    valmin_t = valmin: "(Tuple<a>, Fn(a) -> b) -> b";
    vline_i = vline: "(Indices) -> Bool";
    vline_o = vline: "(Object) -> Bool";
    vmirror_f = vmirror: "(a: Patch) -> a";
    vmirror_i = vmirror: "(Indices) -> Indices";
    vmirror_o = vmirror: "(Object) -> Object";
    vmirror_t = vmirror: "(Grid) -> Grid";
    width_f = width: "(Patch) -> Int";
    width_i = width: "(Indices) -> Int";
    width_o = width: "(Object) -> Int";
    width_t = width: "(Grid) -> Int";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;
    use arcloom_value::Sig;

    #[test]
    fn aliases_are_sorted_and_name_primitives_of_the_same_arity() {
        assert!(ALIASES.is_sorted_by(|a, b| a.name < b.name));
        for alias in ALIASES {
            let registry = Registry::get();
            assert!(registry.find(alias.name).is_none(), "{} is a primitive", alias.name);
            let id = registry.resolve(alias.name);
            let id = id.unwrap_or_else(|| panic!("{} = {}?", alias.name, alias.target));
            let sig = Sig::parse(alias.sig).unwrap_or_else(|e| panic!("{}: {e}", alias.name));
            assert_eq!(sig.params.len(), registry.primitive(id).arity(), "{}", alias.name);
        }
        assert_eq!(find("f_ofcolor").map(|alias| alias.target), Some("ofcolor"));
        assert!(find("ofcolor").is_none());
    }
}
