//! Values by slot: a table of the slot before, and a register behind it.

use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Rows with every open value closed: it is that of the slot before, so that it changes seldom.
pub(super) fn closed(rows: &[Option<u64>]) -> Vec<u64> {
    let first = rows.iter().copied().flatten().next().unwrap_or(0);
    let mut last = first;
    let close = |row: &Option<u64>| {
        last = row.unwrap_or(last);
        last
    };
    rows.iter().map(close).collect()
}

/// Whether a value is the same in all slots, and takes no register.
pub(super) fn is_constant(rows: &[Option<u64>]) -> bool {
    let mut values = rows.iter().flatten();
    let first = values.next();
    values.all(|value| Some(value) == first)
}

/// Value of this slot, of `width` bits, by a row for each slot; any value where that is open. It is a constant
/// where it is one in all slots. `slot` is the number of the slot.
///
/// # Panics
/// Where values differ, and there is but one slot.
pub(super) fn by_slot(
    m: &mut ModuleBuilder,
    slot: Option<Net>,
    name: &str,
    width: u32,
    rows: &[Option<u64>],
) -> Expr {
    let values = closed(rows);
    if is_constant(rows) {
        return Expr::constant(width, values[0]);
    }
    let slot = slot.expect("there are several slots");
    // The register follows the table by a cycle.
    let mut ahead = values.clone();
    ahead.rotate_left(1);
    ahead.resize(1 << slot.width, 0);
    let next = m.wire(format!("{name}_next"), width);
    m.table(next, slot, ahead);
    let net = m.reg(name, width);
    m.registers(vec![Register { net, reset: Some(values[0]), enable: None, next: next.into() }]);
    net.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_values_follow_the_slot_before() {
        let rows = [None, Some(2), None, Some(3), None];
        assert_eq!(closed(&rows), [2, 2, 2, 3, 3]);
        assert!(!is_constant(&rows));
        assert!(is_constant(&[None, Some(1), Some(1)]) && is_constant(&[None]));
    }
}
