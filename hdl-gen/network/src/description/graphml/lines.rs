//! Lines of elements.

use roxmltree::Node;

/// Bytes at which the lines of a text begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at + 1).collect())
    }

    /// The line in which an element begins, counted from 1.
    pub(super) fn line(&self, node: Node) -> usize {
        let start = node.range().start;
        1 + self.0.partition_point(|&begin| begin <= start)
    }
}
