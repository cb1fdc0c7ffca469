//! Pages, read as XML.

use roxmltree::{Document, Node, ParsingOptions};

/// A page as XML.
#[track_caller]
pub fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The element of this name.
pub fn by_id<'a>(page: &'a Document<'a>, id: &str) -> Option<Node<'a, 'a>> {
    page.descendants().find(|node| node.attribute("id") == Some(id))
}

/// All its text.
pub fn words(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// The words of the element of this name.
#[track_caller]
pub fn said(page: &Document<'_>, id: &str) -> String {
    words(by_id(page, id).unwrap_or_else(|| panic!("no {id}")))
}

/// The cells of a table's body.
pub fn cells(page: &Document<'_>, id: &str) -> Vec<Vec<String>> {
    let named = |node: &Node<'_, '_>, name: &str| node.tag_name().name() == name;
    let table = by_id(page, id).unwrap_or_else(|| panic!("no {id}"));
    let rows = table.descendants().filter(|node| named(node, "tr"));
    let of_row = |row: Node<'_, '_>| -> Vec<String> {
        row.children().filter(|node| named(node, "td")).map(words).collect()
    };
    rows.map(of_row).filter(|row| !row.is_empty()).collect()
}
