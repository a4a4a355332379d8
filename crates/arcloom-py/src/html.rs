//! Small pieces of HTML for notebooks. Nothing in them is fetched.

/// Text that may stand in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A table; cells are text.
pub(crate) fn table(caption: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let row = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells: String = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>")
    };
    let body: String = rows.iter().map(|r| row("td", &mut r.iter().map(String::as_str))).collect();
    let head = row("th", &mut head.iter().copied());
    let caption = escaped(caption);
    format!("<table><caption>{caption}</caption><thead>{head}</thead><tbody>{body}</tbody></table>")
}
