//! The condition under which messages are promised to arrive. Every claim that a fabric is free of
//! deadlock is printed with it: a certificate speaks of packets that wait for channels, and of nothing
//! that terminals wait for.

/// Condition of freedom from deadlock, to stand behind the claim.
pub const CONDITION: &str =
    "as long as each sink takes what it is offered, whatever the other terminals do";

/// Line for the head of a file of a fabric with a certificate: the claim with its [`CONDITION`].
pub fn claim() -> String {
    format!("Deadlock-free {CONDITION}.")
}

#[cfg(test)]
mod tests {
    /// Lines of emitted Verilog have 100 columns at most, and a comment begins with three.
    #[test]
    fn the_claim_fits_a_line() {
        assert!(super::claim().len() <= 97);
    }
}
