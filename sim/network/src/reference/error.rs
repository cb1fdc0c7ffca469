//! Fabrics that the model cannot run.

/// A plan that the model cannot run.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReferenceError {
    /// More queues or (output, VC)s in a switch than a word has bits.
    #[error("{switch} has {count} queues or outputs; the reference router takes up to 64")]
    Size {
        /// The switch module.
        switch: String,
        /// Number of queues or (output, VC)s.
        count: usize,
    },
    /// More nodes or classes than the tables hold.
    #[error("{nodes} nodes in {classes} classes are more than the reference router takes")]
    Fabric {
        nodes: usize,
        /// Switch classes.
        classes: usize,
    },
    /// The sources of an (output, VC) are missing or do not ascend.
    #[error("{switch}: the sources of {output} are missing or not in the order of the queues")]
    Sources {
        /// The switch module.
        switch: String,
        /// The (output, VC).
        output: String,
    },
    /// An (output, VC) that leads to no queue.
    #[error("{output} of node {node} leads to no queue")]
    Channel {
        /// The node's label.
        node: String,
        /// The (output, VC).
        output: String,
    },
}
