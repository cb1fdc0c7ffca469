//! Reasons that a certificate does not hold.

/// A certificate that does not hold.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CertificateError {
    /// A route uses a channel that has no number.
    #[error(
        "the certificate has no number for {port} vc{vc} of {at}, which the route from \
             {source_label} to {destination} uses"
    )]
    Missing {
        /// The switch.
        at: String,
        /// The output port.
        port: String,
        /// The virtual channel.
        vc: u8,
        source_label: String,
        /// Destination label.
        destination: String,
    },
    /// A route does not ascend.
    #[error(
        "the route from {source_label} to {destination} does not ascend at {at}: number \
             {after} follows {before}"
    )]
    Descends {
        /// The switch.
        at: String,
        /// The number before.
        before: u32,
        /// The number after.
        after: u32,
        source_label: String,
        /// Destination label.
        destination: String,
    },
    /// A row whose numbers are not above those of the rows before it.
    #[error(
        "the number {before} of {earlier} is not below the number {after} of {later}, which routes \
             may go on by"
    )]
    NotAbove {
        /// A port of an earlier dimension.
        earlier: String,
        /// The largest number there.
        before: u32,
        /// A port of the next one.
        later: String,
        /// The least number there.
        after: u32,
    },
    /// Message classes whose numbers do not stand in the order in which they wait.
    #[error(
        "the number {after} of class {later} is not above the number {before} of class {earlier}, whose \
         messages may wait for it"
    )]
    Classes {
        /// The class that waits.
        earlier: String,
        /// The largest number there.
        before: u32,
        /// The class that it waits for.
        later: String,
        /// The least number there.
        after: u32,
    },
    /// A packet that leaves where it must not.
    #[error(
        "the packet from {source_label} to {destination} may leave by {output} at {at}, where \
             it does not belong"
    )]
    Astray {
        /// The switch.
        at: String,
        output: String,
        source_label: String,
        /// Destination label.
        destination: String,
    },
    /// An escape route that does not lead out.
    #[error(
        "the escape route of the packet from {source_label} to {destination} ends at {at}, or \
             goes back to an adaptive channel there"
    )]
    NoEscape {
        /// The switch.
        at: String,
        source_label: String,
        /// Destination label.
        destination: String,
    },
}
