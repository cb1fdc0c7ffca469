//! The condition under which messages are promised to arrive. Every claim that a fabric is free of
//! deadlock is printed with it: a certificate speaks of packets that wait for channels, and of nothing
//! that terminals wait for.

/// Condition of freedom from deadlock, to stand behind the claim.
pub const CONDITION: &str =
    "as long as each sink takes what it is offered, whatever the other terminals do";

/// Condition of freedom from deadlock of messages of several classes: those that no class comes after
/// are the last. Sinks of the others may wait until their terminals have sent what comes after.
pub const CONDITION_OF_CLASSES: &str =
    "as long as sinks of the last message class take what they are offered";

/// Line for the head of a file of a fabric with a certificate: the claim with its [`CONDITION`].
pub fn claim() -> String {
    claim_under(CONDITION)
}

/// Line for the head of a file of a fabric with a certificate: the claim with its condition.
pub fn claim_under(condition: &str) -> String {
    format!("Deadlock-free {condition}.")
}

#[cfg(test)]
mod tests {
    /// Lines of emitted Verilog have 100 columns at most, and a comment begins with three.
    #[test]
    fn the_claim_fits_a_line() {
        for condition in [super::CONDITION, super::CONDITION_OF_CLASSES] {
            assert!(super::claim_under(condition).len() <= 97);
        }
    }
}
