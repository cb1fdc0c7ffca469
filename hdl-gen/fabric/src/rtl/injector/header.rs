//! The header that an injector makes of what it sees.

use turnpike_netlist::{Expr, ModuleBuilder, Net};
use turnpike_network::routing::{Drawn, FieldTable, Injection};

/// The header bits that are carried, of what is seen ([`super::seen`]).
pub(super) fn header(
    m: &mut ModuleBuilder,
    injection: &Injection,
    seen: &[Net],
    carried: &[u32],
) -> Expr {
    let view = injection.view;
    let bits = |net: Net, low: u32, count: u32| (0..count).map(move |bit| Some(net.bit(low + bit)));
    let mut header = leg(m, injection, seen[0], "", carried, 0);
    // What stands above the place of the destination.
    let mut number = (view.local_bits > 0).then(|| (seen[0], view.place_bits()));
    match &injection.drawn {
        None => {}
        Some(Drawn::Index { bits }) => number = number.map(|(net, low)| (net, low + bits)),
        Some(Drawn::Between { low, second, .. }) => {
            header.resize(*low as usize, None);
            header.extend(leg(m, second, seen[1], "_onward", carried, *low));
            number = number.and(seen.get(2)).map(|&net| (net, 0));
        }
        Some(Drawn::Field { low, bits: count }) => {
            header.resize(*low as usize, None);
            header.extend(bits(seen[1], 0, *count));
        }
    }
    if let Some((net, low)) = number {
        header.resize(injection.local_at as usize, None);
        header.extend(bits(net, low, view.local_bits));
    }
    let bit = |at: &u32| header[*at as usize].clone().unwrap_or(Expr::constant(1, 0));
    Expr::concat(carried.iter().rev().map(bit))
}

/// Header that leads from one place to another, as an expression whose lowest bit is the whole
/// header's bit `low`; `None` for bits that are not carried.
fn leg(
    m: &mut ModuleBuilder,
    injection: &Injection,
    seen: Net,
    suffix: &str,
    carried: &[u32],
    low: u32,
) -> Vec<Option<Expr>> {
    let view = injection.view;
    let kept = match injection.keeps_view {
        true => (0..view.place_bits()).map(|bit| Some(seen.bit(bit))).collect(),
        false => Vec::new(),
    };
    let own: Vec<u32> = carried.iter().filter_map(|at| at.checked_sub(low)).collect();
    fields(m, kept, &injection.fields, seen, suffix, &own)
}

/// Every bit of the header, where one is carried: those that are there, and above them the
/// fields.
fn fields(
    m: &mut ModuleBuilder,
    mut bits: Vec<Option<Expr>>,
    tables: &[FieldTable],
    seen: Net,
    suffix: &str,
    carried: &[u32],
) -> Vec<Option<Expr>> {
    for table in tables {
        let low = bits.len() as u32;
        bits.resize((low + table.bits) as usize, None);
        let kept: Vec<u32> = (0..table.bits).filter(|bit| carried.contains(&(low + bit))).collect();
        if kept.is_empty() {
            continue;
        }
        let title = match table.name {
            "first_port" => "First port, by table from the bits to correct".to_owned(),
            name => format!("{name}, by table", name = name.replace('_', " ")),
        };
        m.section(title);
        let index = match table.index_bits == seen.width {
            true => seen,
            false => {
                let slice = seen.slice(table.low, table.index_bits);
                m.define(format!("{}{suffix}_index", table.name), table.index_bits, slice)
            }
        };
        if (kept.len() as u32) < table.bits {
            m.comment(format!(
                "Those of the table's {} bits that some switch looks at.",
                table.bits
            ));
        }
        let field = m.wire(format!("{}{suffix}", table.name), kept.len() as u32);
        let packed = |row: &u64| {
            (0..).zip(&kept).fold(0, |packed, (at, bit)| packed | (row >> bit & 1) << at)
        };
        m.table(field, index, table.rows.iter().map(packed).collect());
        for (at, bit) in (0..).zip(&kept) {
            bits[(low + bit) as usize] = Some(field.bit(at));
        }
    }
    bits
}
