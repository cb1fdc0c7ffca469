//! Attributes of GraphML: a `<key>` declares one, with a default; a `<data>` gives its value.

use super::TagName;
use roxmltree::Node;
use std::collections::HashMap;

/// Element that is at fault, and the fault.
type Wrong<'a, 'i> = (Node<'a, 'i>, String);

/// The attributes that a file declares.
pub(super) struct Keys<'a> {
    /// By id.
    by_id: HashMap<&'a str, Key<'a>>,
}

/// An attribute.
struct Key<'a> {
    name: &'a str,
    /// Elements that have the attribute: `all`, or a tag's name.
    of: &'a str,
    default: Option<String>,
}

impl Key<'_> {
    fn is_of(&self, node: Node) -> bool {
        self.of == "all" || self.of == node.tag_name().name()
    }
}

impl<'a> Keys<'a> {
    /// Keys of a file.
    ///
    /// # Errors
    /// A key of an id that another has.
    pub(super) fn of<'i>(root: Node<'a, 'i>) -> Result<Self, Wrong<'a, 'i>> {
        let mut by_id = HashMap::new();
        for node in root.children().filter(|node| node.has_tag_name_of("key")) {
            let Some(id) = node.attribute("id") else { continue };
            let default = node.children().find(|child| child.has_tag_name_of("default"));
            let key = Key {
                name: node.attribute("attr.name").unwrap_or(id),
                of: node.attribute("for").unwrap_or("all"),
                default: default.map(text),
            };
            if by_id.insert(id, key).is_some() {
                return Err((node, format!("there is a <key> '{id}' already")));
            }
        }
        Ok(Self { by_id })
    }

    /// The value of the attribute of this name at an element; its default, where the element
    /// gives none. A `<data>` whose key is not declared is that of the attribute of its key's name.
    ///
    /// # Errors
    /// A value given twice; one of an attribute of other elements; two attributes of this name.
    pub(super) fn value<'i>(
        &self,
        of: Node<'a, 'i>,
        name: &str,
    ) -> Result<Option<String>, Wrong<'a, 'i>> {
        let mut value = None;
        for data in of.children().filter(|child| child.has_tag_name_of("data")) {
            let Some(id) = data.attribute("key") else { continue };
            let key = self.by_id.get(id);
            if key.map_or(id, |key| key.name) != name {
                continue;
            }
            if let Some(key) = key.filter(|key| !key.is_of(of)) {
                let (tag, other) = (of.tag_name().name(), key.of);
                let text = format!("<data> of a {tag} has the key '{id}', which is for {other}");
                return Err((data, text));
            }
            if value.replace(text(data)).is_some() {
                return Err((data, format!("the <data> of '{name}' stands twice")));
            }
        }
        let keys = self.by_id.values().filter(|key| key.name == name && key.is_of(of));
        match keys.collect::<Vec<_>>()[..] {
            [] => Ok(value),
            [key] => Ok(value.or_else(|| key.default.clone())),
            _ => {
                let tag = of.tag_name().name();
                Err((of, format!("two <key>s of a {tag} have the attr.name '{name}'")))
            }
        }
    }
}

/// The text of an element, without comments, blanks around it left out.
fn text(node: Node) -> String {
    let texts = node.children().filter(Node::is_text).filter_map(|child| child.text());
    texts.collect::<String>().trim().to_owned()
}
