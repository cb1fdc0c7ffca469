//! The settings memory: two banks of slots, of which one is read by the stages while the other is
//! written.

use crate::layout::Layout;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Size of a settings memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Bits of a bank and a slot together.
    pub address: u32,
    /// Bits of the number of a word of a slot.
    pub word: u32,
    /// Bits of the widest word.
    pub data: u32,
}

/// The module `<prefix>_settings`. Output `word<i>` is word i of the slot at `group<g>_address` in
/// the cycle before, where g is the word's group of stages; it stays while `enable` is low.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn settings(
    prefix: &str,
    layout: &Layout,
    groups: u32,
    size: Size,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_settings"));
    m.about("The settings of every slot, in two banks: the top bit of an address. Each word of a");
    m.about("slot has a memory of its own, for the stages are not in the same slot at once.");
    let enable = m.input("enable", 1);
    let write = m.input("write", 1);
    let write_address = m.input("write_address", size.address);
    let write_word = m.input("write_word", size.word);
    let write_data = m.input("write_data", size.data);
    let read_address = m.input("read_address", size.address);
    let read_word = m.input("read_word", size.word);
    let read_data = m.output("read_data", size.data);
    let addresses: Vec<Net> =
        (0..groups).map(|g| m.input(format!("group{g}_address"), size.address)).collect();
    let words = layout.words().iter().enumerate();
    let outputs = words.map(|(i, word)| m.output(format!("word{i}"), word.width));
    let outputs: Vec<Net> = outputs.collect();
    let mut back = Vec::new();
    for (i, (word, &output)) in layout.words().iter().zip(&outputs).enumerate() {
        m.section(format!("Word {i}, of group {}", word.group));
        let memory = m.memory(format!("slots{i}"), word.width, 1 << size.address);
        let number = || Expr::constant(size.word, i as u64);
        let writes = Expr::from(write) & Expr::from(write_word).equals(number());
        m.write(memory, writes, write_address.into(), write_data.slice(0, word.width));
        let read = |at: Net| Expr::Read { memory, address: Box::new(at.into()) };
        let address = addresses[word.group as usize];
        let (reset, enable) = (None, Some(enable.into()));
        m.registers(vec![Register { net: output, reset, enable, next: read(address) }]);
        let net = m.reg(format!("back{i}"), word.width);
        m.registers(vec![Register { net, reset: None, enable: None, next: read(read_address) }]);
        let selected = Expr::from(read_word).equals(number());
        let selected = m.define(format!("back{i}_selected"), 1, selected);
        let shown = Expr::from(net) & Expr::from(selected).repeat(word.width);
        let shown = m.define(format!("back{i}_shown"), word.width, shown);
        back.push(match size.data - word.width {
            0 => shown.into(),
            more => Expr::concat([Expr::constant(more, 0), shown.into()]),
        });
    }
    m.section("Read back");
    m.assign(read_data, Expr::any_of(back));
    m.finish()
}
