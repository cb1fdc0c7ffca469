//! Description of how headers are made, for the head of an injector's file.

use turnpike_base::bits::in_words;
use turnpike_netlist::ModuleBuilder;
use turnpike_network::routing::{Drawn, Injection, Via};

/// Says how headers are made.
pub(super) fn about(m: &mut ModuleBuilder, injection: &Injection) {
    about_place(m, injection);
    about_drawn(m, injection);
    if let Some(top) = injection.view.local_bits.checked_sub(1) {
        let bits = in_words(top, 0);
        m.about(format!(
            "The terminal's number at its switch, {bits} of its address, comes on top of"
        ));
        m.about("the header as it is; the above is of the other bits.");
    }
}

fn about_place(m: &mut ModuleBuilder, injection: &Injection) {
    let view = injection.view;
    if view.is_by_offset() {
        m.about("Makes the header of a packet at injection, by tables from the offset of the");
        m.about("destination in each coordinate: how far to go, and whether down.");
        if view.is_numbered() {
            m.about("`address` is the terminal's coordinates side by side, X lowest.");
        }
        return;
    }
    let (low, top) = (view.difference_bits, view.place_bits().saturating_sub(1));
    match (injection.keeps_view, view.plain_bits) {
        (false, _) => {
            m.about(
                "Looks the route of a packet up at injection. Rows go by source XOR destination,",
            );
            m.about(match view.plain_bits {
                0 => "of the whole address.".to_owned(),
                _ => format!("the destination's own bits from bit {low} of the address up."),
            });
            return;
        }
        (true, 0) => {
            m.about(
                "Makes the header of a packet at injection: source XOR destination, the bits still",
            );
            m.about("to be corrected.");
        }
        (true, _) if low == 0 => {
            m.about(
                "Keeps a packet's destination for its header, from the first flit to the last.",
            );
        }
        (true, _) => {
            m.about(
                "Makes the header of a packet at injection. An address is {position in the ring,",
            );
            m.about(format!(
                "ring [{}:0]}}. The header begins with the ring's bits still to be",
                { low - 1 }
            ));
            m.about(format!("corrected, source XOR destination; bits {top} to {low} are the"));
            m.about("destination's position.");
        }
    }
    for field in &injection.fields {
        match field.name {
            "first_port" => m.about("Above them, one-hot, the first port that the packet takes."),
            name => m.about(format!("Above them `{name}`, by table.")),
        }
    }
}

fn about_drawn(m: &mut ModuleBuilder, injection: &Injection) {
    match &injection.drawn {
        None => {}
        Some(Drawn::Between { via, low, .. }) => {
            m.about(match via {
                Via::Difference(bits) if (bits.len() as u32) < injection.view.place_bits() => {
                    "This is the way to a terminal that is drawn, for each packet, from some near."
                }
                Via::Difference(_) | Via::Address => {
                    "This is the way to a terminal that is drawn from all, for each packet."
                }
                Via::Listed(_) => {
                    "This is the way to a terminal that is drawn from a list, for each packet."
                }
                Via::Between | Via::Within(_) => {
                    "This is the way to a terminal that is drawn from those between."
                }
            });
            m.about(format!("From bit {low} up stands the header from there to the destination."));
        }
        Some(Drawn::Index { bits }) => {
            let routes = 1u64 << bits;
            m.about(format!("There are {routes} rows for each; one is drawn for each packet."));
        }
        Some(Drawn::Field { low, bits }) => {
            let bits = in_words(low + bits - 1, *low);
            m.about(format!("Above it, {bits}, stands what is drawn for the packet."));
        }
    }
}
