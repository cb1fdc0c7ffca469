//! Synchronisers that settle late at random, as those of a chip do.

use std::collections::HashMap;
use std::sync::Arc;
use turnpike_base::hash::Fnv;
use turnpike_netlist::{
    Crossing, Design, Expr, Instance, Item, Module, Net, NetInfo, NetKind, Register, RtlError,
};

/// The design with synchronisers by which a bit that has changed since the edge before, and no other
/// with it, may be seen as it was, a cycle late: by registers of its own that draw for it. Where several
/// have changed one after the other, all but the last were there long before.
///
/// # Errors
/// [`RtlError`] never, unless this is wrong.
pub fn late_synchronisers(design: &Design) -> Result<Design, RtlError> {
    Design::new(&Late::default().module(design.top()))
}

#[derive(Default)]
struct Late {
    /// By name and width.
    made: HashMap<(String, Option<u32>), Arc<Module>>,
}

impl Late {
    fn module(&mut self, module: &Arc<Module>) -> Arc<Module> {
        let key = (module.name.clone(), module.width_parameter);
        if let Some(made) = self.made.get(&key) {
            return Arc::clone(made);
        }
        let mut late = Module::clone(module);
        for item in &mut late.items {
            if let Item::Instance(Instance { module, .. }) = item {
                *module = self.module(&Arc::clone(module));
            }
        }
        let stages = first_stages(module);
        for (number, (net, from)) in stages.into_iter().enumerate() {
            settle_late(&mut late, number, net, from);
        }
        let late = Arc::new(late);
        self.made.insert(key, Arc::clone(&late));
        late
    }
}

/// First stages of synchronisers, with what they take on.
fn first_stages(module: &Module) -> Vec<(Net, Net)> {
    let is_stage = |net: Net| module.net(net).crossing == Some(Crossing::Synchroniser);
    let registers = module.items.iter().filter_map(|item| match item {
        Item::Registers(list) => Some(list),
        _ => None,
    });
    let stages = registers.flatten().filter_map(|register| match register.next {
        Expr::Net(from) if is_stage(register.net) && !is_stage(from) => Some((register.net, from)),
        _ => None,
    });
    stages.collect()
}

/// Lets bits of the first stage `net` of a synchroniser of `from` settle late.
fn settle_late(module: &mut Module, number: usize, net: Net, from: Net) {
    let mut add = |name: &str, width| {
        let name = format!("late{number}_{name}");
        let info = NetInfo {
            name,
            width,
            kind: NetKind::Register,
            parametric: false,
            starts_at_zero: false,
            gathers_unused: false,
            crossing: None,
        };
        module.nets.push(info);
        Net { index: module.nets.len() as u32 - 1, width }
    };
    let before = add("before", from.width);
    // A linear feedback register of 31 bits, x^31 + x^28 + 1, that moves on from 0: its feedback is
    // inverted.
    let drawn = add("drawn", DRAWN);
    let feedback = !(drawn.bit(DRAWN - 1) ^ drawn.bit(27));
    let next = Expr::concat([drawn.slice(0, DRAWN - 1), feedback]);
    let free = |net, next| Register { net, reset: None, enable: None, next };
    let changed = || Expr::from(from) ^ before;
    let several = changed() & (changed() - Expr::constant(from.width, 1));
    // Each synchroniser draws by another bit, so that two of one clock do not draw alike.
    let mut hash = Fnv::default();
    module.name.bytes().for_each(|letter| hash.byte(letter));
    let tap = (hash.0 % u64::from(DRAWN)) as u32;
    let tap = (tap + 7 * number as u32) % DRAWN;
    let is_late = drawn.bit(tap) & !several.any();
    let seen = is_late.mux(before, from);
    for item in &mut module.items {
        if let Item::Registers(list) = item {
            for register in list.iter_mut().filter(|register| register.net == net) {
                register.next = seen.clone();
            }
        }
    }
    module.items.push(Item::Registers(vec![free(before, from.into()), free(drawn, next)]));
}

/// Bits of the register that draws.
const DRAWN: u32 = 31;
