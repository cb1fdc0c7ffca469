//! Lines of bounded width.

/// Lines are at most this wide.
pub(super) const COLUMNS: usize = 100;
/// Marks where a line may be broken.
pub(super) const BREAK: char = '\u{1}';

/// Breaks a statement into lines at its marks, where it is too long.
pub(super) fn wrap(indent: usize, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = " ".repeat(indent);
    let mut empty = true;
    for chunk in text.split(BREAK) {
        if !empty && line.len() + chunk.trim_end().len() > COLUMNS {
            lines.push(line.trim_end().to_owned());
            line = " ".repeat(indent + 4);
        }
        line += chunk;
        empty = false;
    }
    lines.push(line.trim_end().to_owned());
    lines
}
