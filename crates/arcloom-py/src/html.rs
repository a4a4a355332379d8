//! Small pieces of HTML for notebooks. Nothing in them is fetched.

/// Text that may stand in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How tables look: on the background of the notebook, programs in monospace, everything left-aligned.
const STYLE: &str = "<style>\
.arcloom-table{border-collapse:collapse;font:13px/1.4 system-ui,sans-serif;max-width:100%;margin-left:0!important}\
.arcloom-table caption{text-align:left!important;font-weight:600;padding:.2em 0;color:inherit}\
.arcloom-table th,.arcloom-table td{text-align:left!important;vertical-align:top;padding:.15em .9em .15em 0;\
max-width:60em;overflow-wrap:break-word;background:none;color:inherit;\
border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)!important}\
.arcloom-table code{font:12px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace!important;white-space:pre-wrap;\
background:none!important;color:inherit!important;padding:0}\
.arcloom-table .arcloom-name code{white-space:nowrap}\
.arcloom-table .arcloom-more{opacity:.7}</style>";
/// Columns whose cells are code.
const CODE: &[&str] = &["program", "name", "code", "text"];

/// A table; cells are text. `all` is the number of rows there are, of which these are the first.
pub(crate) fn table(caption: &str, head: &[&str], rows: &[Vec<String>], all: usize) -> String {
    let cell = |(name, text): (&&str, &String)| {
        let text = escaped(text);
        if CODE.contains(name) && !text.is_empty() {
            let class = if *name == "program" { "" } else { " class=\"arcloom-name\"" };
            format!("<td{class}><code>{text}</code></td>")
        } else {
            format!("<td>{text}</td>")
        }
    };
    let row = |row: &Vec<String>| {
        format!("<tr>{}</tr>", head.iter().zip(row).map(cell).collect::<String>())
    };
    let body: String = rows.iter().map(row).collect();
    let names: String = head.iter().map(|name| format!("<th>{}</th>", escaped(name))).collect();
    let more = match all.saturating_sub(rows.len()) {
        0 => String::new(),
        n => {
            format!("<tr class=\"arcloom-more\"><td colspan=\"{}\">{n} more</td></tr>", head.len())
        }
    };
    let caption = escaped(caption);
    format!(
        "{STYLE}<table class=\"arcloom-table\"><caption>{caption}</caption>\
         <thead><tr>{names}</tr></thead><tbody>{body}{more}</tbody></table>"
    )
}

/// Code in monospace, as the notebook's own.
pub(crate) fn code(text: &str) -> String {
    format!(
        "<pre style=\"text-align:left;white-space:pre-wrap;margin:0;background:none;color:inherit;font:13px/1.4 ui-monospace,monospace\">{}</pre>",
        escaped(text)
    )
}
