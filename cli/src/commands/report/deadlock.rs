//! The certificate against deadlock, channel by channel, or the cycle that prevents it.

use crate::commands::analyze::deadlock::{route, section};
use turnpike_fabric::report::Analysis;

/// Most channels of a certificate that are listed.
const LISTED: usize = 256;

/// Section of the page on deadlock.
pub struct Deadlock {
    /// Text of the section, as `analyze` prints it.
    pub section: String,
    /// Title of the table.
    pub title: &'static str,
    /// The names of its columns.
    pub columns: &'static [&'static str],
    /// Rows of the table.
    pub rows: Vec<Vec<String>>,
    /// Note on rows that are left out.
    pub left_out: Option<String>,
}

/// Section on a fabric.
pub fn of(analysis: &Analysis) -> Deadlock {
    let section = section(analysis);
    if let Some(cycle) = &analysis.deadlock_cycle {
        let row = |(place, wait): (usize, &turnpike_fabric::report::LabelledWait)| {
            let channel = format!("{} -{}-> {}", wait.from, wait.output, wait.to);
            let places = [place.to_string(), channel, wait.vc.to_string(), wait.to.clone()];
            places.into_iter().chain([route(&wait.route)]).collect()
        };
        return Deadlock {
            section,
            title: "The cycle: each channel is held by a packet that waits for the next one, the last \
                    for the first",
            columns: &["place", "channel held", "vc", "packet waits at", "packet's route"],
            rows: (1..).zip(cycle).map(row).collect(),
            left_out: None,
        };
    }
    let mut numbers: Vec<_> = analysis.certificate.iter().flat_map(|all| &all.numbers).collect();
    numbers.sort_by_key(|number| number.number);
    let left_out = (numbers.len() > LISTED).then(|| {
        let all = numbers.len();
        format!("the certificate beyond the first {LISTED} of {all} channels (turnpike analyze --format json has all)")
    });
    let rows = numbers.iter().take(LISTED).map(|channel| {
        let from = channel.from.clone().unwrap_or_else(|| "every node".to_owned());
        vec![channel.number.to_string(), from, channel.output.clone(), channel.vc.to_string()]
    });
    Deadlock {
        section,
        title: "The certificate: on every route the numbers of the channels ascend",
        columns: &["number", "leaves", "by", "vc"],
        rows: rows.collect(),
        left_out,
    }
}
