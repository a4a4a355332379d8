//! `#[step]`: makes a kernel on sheets a step of the search by adding one record beside it.
//!
//! ```text
//! #[primitive(class = Sheet, cost = Cells, sig = "(Sheet, Pair) -> Sheet", extra)]
//! #[step(place = 280, constants = [SheetSide::ALL])]
//! pub fn sheet_half(sheet: &Sheet, side: SheetSide, out: &mut Sheet) -> Made { ... }
//! ```
//!
//! adds `pub static SHEET_HALF_STEP: StepRecord`. What the step takes and gives is read from the function: its first
//! parameter is a sheet or a list of sheets, its last one the sheet or list that it writes. Those between are its
//! constants: each type says by `StepConstant` what a search tries, and how a program writes it. A further `&Sheet` is
//! the input itself.
//!
//! | key | says |
//! |---|---|
//! | `place = N` | where the step comes in the order in which a search tries steps; without it, last |
//! | `constants = [..]` | for each constant what is tried in place of what its type says, or `_` |
//! | `calls = [..]` | the primitives that programs call one after the other, where the function is no primitive |
//! | `until = COST` | the step takes long: only chains up to this cost have it tried on them |
//! | `alone` | it is not tried on every sheet of a list |
//! | `whole_input` | it looks at the whole input, and is paid for by its cells |
//! | `at_end` | a search does not try it; chains end in it |

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprArray, FnArg, Ident, ItemFn, LitInt, Token};

use crate::{ParamKind, ends_in, param_kind};

/// The keys of the attribute.
#[derive(Default)]
struct StepKeys {
    place: Option<LitInt>,
    until: Option<LitInt>,
    calls: Option<ExprArray>,
    constants: Option<ExprArray>,
    alone: bool,
    whole_input: bool,
    at_end: bool,
}

impl Parse for StepKeys {
    fn parse(input: ParseStream<'_>) -> syn::Result<StepKeys> {
        let mut keys = StepKeys::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            match key.to_string().as_str() {
                "alone" => keys.alone = true,
                "whole_input" => keys.whole_input = true,
                "at_end" => keys.at_end = true,
                name => {
                    input.parse::<Token![=]>()?;
                    match name {
                        "place" => keys.place = Some(input.parse()?),
                        "until" => keys.until = Some(input.parse()?),
                        "calls" => keys.calls = Some(input.parse()?),
                        "constants" => keys.constants = Some(input.parse()?),
                        _ => {
                            let text = format!("unknown key `{name}`");
                            return Err(syn::Error::new(key.span(), text));
                        }
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(keys)
    }
}

pub(crate) fn step(keys: TokenStream, item: TokenStream) -> TokenStream {
    let keys = syn::parse_macro_input!(keys as StepKeys);
    let function = syn::parse_macro_input!(item as ItemFn);
    expand(&keys, &function).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn expand(keys: &StepKeys, function: &ItemFn) -> syn::Result<Tokens> {
    let name = &function.sig.ident;
    let wrong = |text: &str| syn::Error::new_spanned(&function.sig, text);
    let types: Vec<_> = function.sig.inputs.iter().filter_map(typed).collect();
    let [first, constants @ .., last] = &types[..] else {
        return Err(wrong("a step takes a sheet or a list, and where its result is written"));
    };
    let ParamKind::Result(result) = param_kind(last) else {
        return Err(wrong("the last parameter of a step is where its result is written"));
    };
    let kernel = match (param_kind(first), ends_in(result, "Vec")) {
        (ParamKind::Sheet, false) => format_ident!("Map"),
        (ParamKind::Sheet, true) => format_ident!("Split"),
        (ParamKind::Sheets, false) => format_ident!("Join"),
        (ParamKind::Sheets, true) => format_ident!("Sift"),
        _ => return Err(wrong("the first parameter of a step is a sheet or a list of sheets")),
    };
    let tried: Vec<&Expr> = keys.constants.iter().flat_map(|list| &list.elems).collect();
    if !tried.is_empty() && tried.len() != constants.len() {
        return Err(wrong("`constants` has an entry for each constant, or `_`"));
    }
    let (mut given, mut slots) = (Vec::new(), Vec::new());
    for (k, ty) in constants.iter().enumerate() {
        if matches!(param_kind(ty), ParamKind::Sheet) {
            given.push(quote!(&bounds.picture));
            slots.push(quote!(crate::step::StepSlot::PICTURE));
            continue;
        }
        given.push(quote!(<#ty as crate::step::StepConstant>::of(codes[#k], bounds)?));
        slots.push(match tried.get(k) {
            None | Some(Expr::Infer(_)) => quote!(crate::step::StepSlot::of_type::<#ty>()),
            Some(list) => quote! {
                crate::step::StepSlot::listed::<#ty>(|_| crate::step::codes::<#ty>(&#list))
            },
        });
    }
    let text = name.to_string();
    let calls: Vec<String> = match &keys.calls {
        Some(calls) => calls.elems.iter().map(|call| quote!(#call).to_string()).collect(),
        None => vec![text.clone()],
    };
    let or_last = |number: &Option<LitInt>| match number {
        Some(number) => quote!(#number),
        None => quote!(u16::MAX),
    };
    let (place, until) = (or_last(&keys.place), or_last(&keys.until));
    let (alone, whole_input, at_end) = (keys.alone, keys.whole_input, keys.at_end);
    let record = format_ident!("{}_STEP", text.to_uppercase());
    Ok(quote! {
        #function

        #[doc = concat!("The record of the step `", #text, "`.")]
        pub static #record: crate::step::StepRecord = crate::step::StepRecord {
            name: #text,
            calls: &[#(#calls),*],
            kernel: crate::step::StepKernel::#kernel(|from, codes, bounds, out| {
                let _ = (codes, bounds);
                #name(from, #(#given,)* out)
            }),
            constants: &[#(#slots),*],
            place: #place,
            until: #until,
            alone: #alone,
            whole_input: #whole_input,
            at_end: #at_end,
        };
    })
}

fn typed(input: &FnArg) -> Option<&syn::Type> {
    match input {
        FnArg::Typed(param) => Some(&param.ty),
        FnArg::Receiver(_) => None,
    }
}
