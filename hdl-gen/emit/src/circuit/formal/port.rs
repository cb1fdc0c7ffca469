//! Proof of the AXI4-Lite port.

use super::{Context, Port, ports};
use crate::EmitError;
use crate::formal::{Kind, Proofs, files_below, tasks_of};
use askama::Template;
use turnpike_circuit::rtl::registers::Address;

/// Cycles within which everything is reached: two requests, one after the other, each of at most
/// three cycles, after the one of reset.
const REACH: u32 = 10;

#[derive(Template)]
#[template(path = "formal/circuit/registers.v.askama", escape = "none")]
struct RegistersFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    reset: (&'static str, String),
    ports: Vec<Port>,
    address: u32,
    slots: u32,
    slot_bits: u32,
    words: u32,
    word_bits: u32,
    data: u32,
    /// The word address that asks for a swap.
    swap: u32,
}

pub(super) fn port(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let (module, map) = (context.part("registers"), context.plan.map());
    let name = format!("{}_formal", module.name);
    let about = [
        "The AXI4-Lite port, whatever its master does: one response to each request and none besides,",
        "which stays until it is taken; nothing is written while a swap is pending or words are on",
        "the way in the other bank, and what is written is what was asked for.",
    ];
    let text = RegistersFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &module.name,
        reset: module.reset_port("rst").expect("it has registers"),
        ports: ports(module),
        address: map.address_bits(),
        slots: map.slots,
        slot_bits: map.slot_bits,
        words: map.words,
        word_bits: map.word_bits,
        data: map.data,
        swap: Address::Swap as u32,
    };
    let mut files = files_below(module)?;
    files.push(proofs.module(&name, text.render()?));
    let kinds = [
        (
            Kind::Proof,
            "AXI4-Lite: a response to each request, stable, OKAY or SLVERR, none under reset; \
             settings written as asked, and only while their bank is free",
        ),
        (Kind::Cover(REACH), "writes, reads, refusals, swaps, responses that wait are reached"),
    ];
    proofs.proof(
        "port",
        "The AXI4-Lite port.",
        tasks_of(module, &name, "", &files, kinds).collect(),
    );
    Ok(())
}
