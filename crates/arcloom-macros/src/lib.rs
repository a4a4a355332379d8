//! `#[primitive]` turns an ordinary function into a DSL primitive by adding one record beside it; `#[step]` makes a step
//! of the search of one. `step.rs` has the second.
//!
//! ```text
//! /// Mirror left to right.
//! #[primitive(class = Geometry, cost = Cells, sig = "(a: Piece) -> a")]
//! pub fn vmirror(piece: &Value) -> Result<Value, EvalError> { ... }
//! ```
//!
//! adds `pub(crate) static VMIRROR: Primitive` with the function's name, documentation, parameter
//! names, signature and an entry point that converts the arguments. The function itself is left
//! untouched. A first parameter `cx: &mut Caller` is handed through and is not part of the
//! signature; `&Value` parameters are passed as they are; any other parameter type is read with
//! `FromValue`.
//!
//! Kernels on sheets are primitives too: `&Sheet` and `&[Sheet]` are read from values, and a last parameter
//! `&mut Sheet` or `&mut Vec<Sheet>` is the result, which is there when the function returns `Some(())`.
//!
//! Keys: `class` and `cost` name variants of `Class` and `CostClass`; `sig` is the signature text;
//! `order` marks a primitive whose result can depend on the order of a set; `extra` marks one that
//! arc-dsl lacks.
//!
//! The entry point pays for looking at the arguments before the function runs, by `cost`. A primitive
//! that looks at them in another way names a function of `toll.rs`: `toll = sorted`; one that charges by
//! a formula of its own says `toll = none`. `charge = EXPRESSION` pays for further work, in units, once the arguments
//! have been read; it may use them by their names.

mod step;

use proc_macro::TokenStream;
use proc_macro2::{Ident, Span, TokenStream as Tokens};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, FnArg, ItemFn, Lit, LitStr, Meta, Pat, ReturnType, Token, Type};

/// The keys of the attribute.
struct Keys {
    class: Ident,
    cost: Ident,
    sig: LitStr,
    order: bool,
    extra: bool,
    toll: Option<Ident>,
    charge: Option<Expr>,
}

impl Parse for Keys {
    fn parse(input: ParseStream<'_>) -> syn::Result<Keys> {
        let (mut class, mut cost, mut sig) = (None, None, None);
        let (mut toll, mut charge) = (None, None);
        let (mut order, mut extra) = (false, false);
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            match key.to_string().as_str() {
                "order" => order = true,
                "extra" => extra = true,
                name => {
                    input.parse::<Token![=]>()?;
                    match name {
                        "class" => class = Some(input.parse()?),
                        "cost" => cost = Some(input.parse()?),
                        "sig" => sig = Some(input.parse()?),
                        "toll" => toll = Some(input.parse()?),
                        "charge" => charge = Some(input.parse()?),
                        _ => {
                            return Err(syn::Error::new(
                                key.span(),
                                format!("unknown key `{name}`"),
                            ));
                        }
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = |key| syn::Error::new(Span::call_site(), format!("missing key `{key}`"));
        Ok(Keys {
            class: class.ok_or_else(|| missing("class"))?,
            cost: cost.ok_or_else(|| missing("cost"))?,
            sig: sig.ok_or_else(|| missing("sig"))?,
            order,
            extra,
            toll,
            charge,
        })
    }
}

/// Declares a DSL primitive. See the crate's documentation.
#[proc_macro_attribute]
pub fn primitive(keys: TokenStream, item: TokenStream) -> TokenStream {
    let keys = syn::parse_macro_input!(keys as Keys);
    let function = syn::parse_macro_input!(item as ItemFn);
    expand(&keys, &function).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Declares a step of the search. See `step.rs`.
#[proc_macro_attribute]
pub fn step(keys: TokenStream, item: TokenStream) -> TokenStream {
    step::step(keys, item)
}

fn expand(keys: &Keys, function: &ItemFn) -> syn::Result<Tokens> {
    let name = &function.sig.ident;
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    let record = format_ident!("{}", text.to_uppercase());
    let doc = doc_text(&function.attrs);
    let (class, cost, sig) = (&keys.class, &keys.cost, &keys.sig);
    let (order, extra) = (keys.order, keys.extra);

    let mut names: Vec<String> = Vec::new();
    let (mut bound, mut passed): (Vec<Tokens>, Vec<Tokens>) = (Vec::new(), Vec::new());
    let mut made = None;
    for input in &function.sig.inputs {
        let FnArg::Typed(param) = input else {
            return Err(syn::Error::new_spanned(input, "a primitive has no receiver"));
        };
        if ends_in(&param.ty, "Caller") {
            passed.push(quote!(cx));
            continue;
        }
        let Pat::Ident(pat) = &*param.pat else {
            return Err(syn::Error::new_spanned(&param.pat, "a parameter needs a plain name"));
        };
        let (index, ident, ty) = (names.len() as u8, &pat.ident, &param.ty);
        let arg = format_ident!("arg{index}");
        let read = match param_kind(ty) {
            ParamKind::Result(ty) => {
                bound.push(quote!(let mut out = <#ty>::default();));
                passed.push(quote!(&mut out));
                made = Some(quote!(out));
                continue;
            }
            ParamKind::Sheet => Some(quote!(&crate::sheet::read(#arg, #index)?)),
            ParamKind::Sheets => Some(quote!(&crate::sheet::read_list(#arg, #index)?[..])),
            ParamKind::Other if ends_in(ty, "Value") => None,
            ParamKind::Other => {
                Some(quote!(<#ty as crate::call::FromValue>::from_value(#arg, #index)?))
            }
        };
        names.push(ident.to_string().trim_start_matches("r#").to_string());
        passed.push(if read.is_some() { quote!(#ident) } else { quote!(#arg) });
        bound.extend(read.map(|read| quote!(let #ident = #read;)));
    }
    let charge = keys.charge.as_ref().map(|work| quote!(cx.charge(#work)?;));
    let args: Vec<Ident> = (0..names.len()).map(|n| format_ident!("arg{n}")).collect();
    let arity = match names.len() {
        1 => format_ident!("One"),
        2 => format_ident!("Two"),
        3 => format_ident!("Three"),
        4 => format_ident!("Four"),
        _ => {
            return Err(syn::Error::new_spanned(
                &function.sig,
                "a primitive takes 1 to 4 arguments",
            ));
        }
    };
    let fallible = matches!(&function.sig.output, ReturnType::Type(_, ty) if ends_in(ty, "Result") || ends_in(ty, "Outcome"));
    let called = quote!(#name(#(#passed),*));
    let body = match made {
        Some(out) => quote! {
            #called.ok_or(crate::call::Fault::Empty)?;
            Ok(crate::call::IntoValue::into_value(#out))
        },
        None if fallible => quote!(#called.map(crate::call::IntoValue::into_value)),
        None => quote!(Ok(crate::call::IntoValue::into_value(#called))),
    };
    let name_of_toll = match (&keys.toll, cost.to_string().as_str()) {
        (Some(toll), _) if toll == "none" => None,
        (Some(toll), _) => Some(toll.clone()),
        (None, "Scalar") => None,
        (None, "Frame") if sig.value().contains("Piece") => Some(format_ident!("lists")),
        (None, "Frame") => Some(format_ident!("all_but_patches")),
        (None, "Search") => Some(format_ident!("framed")),
        (None, _) => Some(format_ident!("all")),
    };
    // The toll is named here rather than handed to a function, which would call it through a shim.
    let pay = name_of_toll.map(|toll| {
        quote! {
            let work = if cx.takes_fast_forms() {
                crate::toll::#toll([#(#args),*])
            } else {
                crate::call::of_canonical(crate::toll::#toll, [#(#args),*])
            };
            cx.settle(work)?;
        }
    });
    Ok(quote! {
        #function

        #[doc = concat!("The record of the primitive `", #text, "`.")]
        pub(crate) static #record: crate::record::Primitive = crate::record::Primitive {
            name: #text,
            doc: #doc,
            params: &[#(#names),*],
            sig: #sig,
            class: crate::record::Class::#class,
            cost: crate::record::CostClass::#cost,
            order_dependent: #order,
            extra: #extra,
            call: crate::record::Call::#arity(|cx, #(#args),*| {
                let _ = &cx;
                #pay
                #(#bound)*
                #charge
                #body
            }),
        };
    })
}

/// The doc comment as one text.
fn doc_text(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> = lines.map(|l| l.strip_prefix(' ').unwrap_or(&l).to_string()).collect();
    lines.join("\n")
}

/// What a parameter is to the kernel of a sheet.
enum ParamKind<'a> {
    Sheet,
    Sheets,
    /// Where the result is written: a sheet, or a list of sheets.
    Result(&'a Type),
    Other,
}

fn param_kind(ty: &Type) -> ParamKind<'_> {
    let Type::Reference(reference) = ty else { return ParamKind::Other };
    match &*reference.elem {
        Type::Path(path) if reference.mutability.is_some() => {
            let last = path.path.segments.last().map(|s| s.ident.to_string());
            match last.as_deref() {
                Some("Sheet" | "Vec") => ParamKind::Result(&reference.elem),
                _ => ParamKind::Other,
            }
        }
        Type::Slice(slice) if ends_in(&slice.elem, "Sheet") => ParamKind::Sheets,
        elem if ends_in(elem, "Sheet") => ParamKind::Sheet,
        _ => ParamKind::Other,
    }
}

/// True when the type's last path segment has this name, behind any reference.
fn ends_in(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Reference(reference) => ends_in(&reference.elem, name),
        Type::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == name),
        _ => false,
    }
}
