//! The condition under which messages are promised to arrive. Every claim that a fabric is free of
//! deadlock is printed with it: a certificate speaks of packets that wait for channels, and of nothing
//! that terminals wait for.

/// Condition of freedom from deadlock, to stand behind the claim.
pub const CONDITION: &str =
    "as long as each sink takes what it is offered, whatever the other terminals do";

/// Condition of freedom from deadlock of message classes that come after each other. The last are
/// those that no class comes after.
pub const CONDITION_OF_CLASSES: &str = "as long as sinks of the last message classes take what they are offered, and the others wait only \
     until their terminals have sent what comes after";

/// Condition under which messages arrive where classes have unlike priorities.
pub const CONDITION_OF_PRIORITIES: &str = "as long as each sink takes what it is offered, whatever the other terminals do, and classes of a higher \
     priority leave each link free from time to time";

/// Condition under which messages arrive of classes that come after each other and have unlike priorities.
pub const CONDITION_OF_PRIORITIES_IN_ORDER: &str = "as long as sinks of the last message classes take what they are offered, and the others wait only \
     until their terminals have sent what comes after, and classes of a higher priority leave each link free from \
     time to time";

/// Condition of freedom from deadlock of memory-mapped ends.
pub const CONDITION_OF_ENDS: &str = "as long as subordinates take and answer what they are asked, none of it waiting for a later \
     transaction, and managers take the data that they read, whatever else they wait for";

/// Sentence for the head of a file of a fabric with a certificate: the claim with its condition.
pub fn claim_under(condition: &str) -> String {
    format!("Deadlock-free {condition}.")
}
