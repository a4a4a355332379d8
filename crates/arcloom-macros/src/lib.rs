//! `#[primitive]`: turns an ordinary function into a DSL primitive by adding one record beside it.
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
//! Keys: `class` and `cost` name variants of `Class` and `CostClass`; `sig` is the signature text;
//! `order` marks a primitive whose result can depend on the order of a set; `extra` marks one that
//! arc-dsl lacks.
//!
//! The entry point pays for looking at the arguments before the function runs, by `cost`. A primitive
//! that looks at them in another way names a function of `toll.rs`: `toll = sorted`; one that charges by
//! a formula of its own says `toll = none`.

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
}

impl Parse for Keys {
    fn parse(input: ParseStream<'_>) -> syn::Result<Keys> {
        let (mut class, mut cost, mut sig, mut toll) = (None, None, None, None);
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

fn expand(keys: &Keys, function: &ItemFn) -> syn::Result<Tokens> {
    let name = &function.sig.ident;
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    let record = format_ident!("{}", text.to_uppercase());
    let doc = doc_text(&function.attrs);
    let (class, cost, sig) = (&keys.class, &keys.cost, &keys.sig);
    let (order, extra) = (keys.order, keys.extra);

    let mut names: Vec<String> = Vec::new();
    let mut passed: Vec<Tokens> = Vec::new();
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
        let index = names.len();
        let arg = format_ident!("arg{index}");
        names.push(pat.ident.to_string().trim_start_matches("r#").to_string());
        passed.push(if ends_in(&param.ty, "Value") {
            quote!(#arg)
        } else {
            let ty = &param.ty;
            let index = index as u8;
            quote!(<#ty as crate::call::FromValue>::from_value(#arg, #index)?)
        });
    }
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
    let body = if fallible {
        quote!(#name(#(#passed),*).map(crate::call::IntoValue::into_value))
    } else {
        quote!(Ok(crate::call::IntoValue::into_value(#name(#(#passed),*))))
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
            call: crate::record::Call::#arity(|cx, #(#args),*| { let _ = &cx; #pay #body }),
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

/// True when the type's last path segment has this name, behind any reference.
fn ends_in(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Reference(reference) => ends_in(&reference.elem, name),
        Type::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == name),
        _ => false,
    }
}
