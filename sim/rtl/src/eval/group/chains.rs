//! Words put together of many values.

use super::{Builder, Group};
use crate::eval::program::Op;
use crate::eval::values::Slot;
use rustc_hash::FxHashMap;

impl Builder<'_> {
    /// Words put together of several values, in one place of the netlist only (the ports of the
    /// top, for the most part): by the last instruction of each its values, each with its shift;
    /// nothing by the others.
    pub fn chains(
        &self,
        groups: &[Group],
        nets: &[Option<Vec<Slot>>],
    ) -> FxHashMap<Slot, Option<Vec<(Slot, u8)>>> {
        let mut uses = vec![0u32; self.values.initial.len()];
        let mut using = |slot: Slot| uses[slot as usize] += 1;
        let all = self.program.all.iter();
        all.for_each(|i| i.slots()[..i.operands()].iter().copied().for_each(&mut using));
        nets.iter().flatten().flatten().copied().for_each(&mut using);
        let registers = self.program.registers.iter();
        registers.for_each(|r| [r.next, r.enable].into_iter().for_each(&mut using));
        let writes = self.program.writes.iter();
        writes.for_each(|w| [w.enable, w.address, w.data].into_iter().for_each(&mut using));
        let mut chains: FxHashMap<Slot, Option<Vec<(Slot, u8)>>> = FxHashMap::default();
        let single = |group: &&Group| group.members.len() == 1;
        for i in groups.iter().filter(single).map(|group| group.members[0]) {
            if i.op != Op::PlaceUp {
                continue;
            }
            let before = chains.get_mut(&i.a).filter(|_| uses[i.a as usize] == 1);
            let mut parts = before.and_then(Option::take).unwrap_or_else(|| vec![(i.a, 0)]);
            parts.push((i.b, i.c as u8));
            chains.insert(i.to, Some(parts));
        }
        chains
    }
}
