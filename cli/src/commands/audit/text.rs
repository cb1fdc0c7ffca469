//! An audit in words.

use super::fields::{AuditReport, HeldFields, MendingFields, MoveFields, RuleWord, VerdictWord};

/// The report in words.
pub fn text(report: &AuditReport) -> String {
    let AuditReport { network, switches, channels, terminals, .. } = report;
    let head =
        format!("{network}: {switches} switches, {channels} channels, {terminals} terminals\n\n");
    head + &match report.verdict {
        VerdictWord::DeadlockFree => free(report),
        VerdictWord::Deadlock => deadlock(report),
        VerdictWord::NotDecided => {
            "Not decided: no certificate was found, and no packets that wait \
                                    for each other for ever.\n"
                .to_owned()
        }
    }
}

fn free(report: &AuditReport) -> String {
    let condition = report.condition.as_deref().unwrap_or_default();
    let numbers = match report.rule {
        Some(RuleWord::Some) => "Some next channel of each packet has a greater number",
        Some(RuleWord::Escape) => "Each packet may take an escape channel, and these ascend",
        Some(RuleWord::All) | None => "Every route ascends in the numbers of its channels",
    };
    format!("Deadlock-free {condition}.\n{numbers}: a certificate, checked.\n")
}

fn deadlock(report: &AuditReport) -> String {
    let AuditReport { deadlock, stopped, .. } = report;
    let mut text = format!("Deadlock: {} wait for each other for ever.\n", deadlock.len());
    for HeldFields { holder, class, source, destination, waits_for, route } in deadlock {
        let waits = waits_for.join(", and ");
        let class = class.as_deref().unwrap_or("packet");
        text += &match route.is_empty() {
            true => format!(
                "  {holder}, waits until it has sent a {class} to {destination}: for {waits}\n"
            ),
            false => format!(
                "  {holder} holds a {class} from {source} to {destination}, which waits for {waits}\n"
            ),
        };
    }
    text += &match stopped.len() {
        0 => "\nIn simulation no packets were found that come to this.\n".to_owned(),
        1 => "\nIn simulation 1 packet stops; --stopped FILE writes it.\n".to_owned(),
        several => format!("\nIn simulation {several} packets stop; --stopped FILE writes them.\n"),
    };
    text + &report.mending.as_ref().map(mending).unwrap_or_default()
}

fn mending(mending: &MendingFields) -> String {
    let proven = |proven: bool| if proven { "no fewer do" } else { "not proven least" };
    let mut text = "\n".to_owned();
    match (mending.tables_exist, &mending.moves[..]) {
        (Some(true), moves) => {
            let entries = if moves.len() == 1 { "entry" } else { "entries" };
            let proven = proven(mending.moves_proven);
            text += &format!("Mended by {} table {entries} moved ({proven}):\n", moves.len());
            for MoveFields { switch, destination, from, to } in moves {
                let from = from.as_ref().map(|from| format!(", not {from}")).unwrap_or_default();
                text += &format!("  at {switch}, packets to {destination} take {to}{from}\n");
            }
        }
        (Some(false), _) => text += "No tables of one next hop mend it on these channels.\n",
        (None, _) => text += "No table entries were found that mend it when they are moved.\n",
    }
    if let (Some(vcs), Some(moved), Some(routes)) =
        (mending.added_vcs, mending.moved_routes, mending.routes)
    {
        let s = if vcs == 1 { "" } else { "s" };
        let proven = proven(mending.added_vcs_proven);
        text += &format!(
            "Mended by {vcs} virtual channel{s} more on each link ({proven}), for {moved} of {routes} \
             routes.\n"
        );
    } else {
        text += "How many virtual channels mend it was not found.\n";
    }
    text
}
