//! The network in the proof of swaps: where words go, as the settings of a slot have it. It follows
//! from the network and the layout of the settings, not from the RTL.

use std::collections::HashMap;
use turnpike_circuit::layout::FieldSetting;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_schedule::network::{Lead, Place};

/// Links between two stages, at most: the words in the vector `now`.
pub(super) fn most_links(plan: &CircuitPlan) -> u32 {
    let network = &plan.network;
    let links = (0..network.stages()).map(|stage| network.switches(stage) * network.inputs(stage));
    links.chain([plan.terminals()]).max().unwrap_or(0)
}

/// Lines of Verilog. `settings<i>` is word i of the settings. Group 0 of the stages takes the words
/// that are offered, each later one those in `now`; `after<g>` is what leaves group g. Of a link
/// there is whether there is a word, its tlast, and as many bits of its tdata as are followed.
pub(super) fn lines(plan: &CircuitPlan, followed: u32) -> Vec<String> {
    let bits = followed + 2;
    let (network, layout) = (&plan.network, plan.layout());
    let set: HashMap<FieldSetting, String> = layout
        .fields()
        .iter()
        .map(|f| (f.of, format!("settings{}[{} +: {}]", f.word, f.low, f.width)))
        .collect();
    let width = plan.parameters.width;
    let mut lines = Vec::new();
    // By switch and input of the stage that comes next.
    let mut comes: HashMap<Place, String> = HashMap::new();
    for t in 0..plan.terminals() {
        let place = network.entry(t).expect("every terminal is a source");
        let data = t * width;
        let word = format!(
            "{{s_axis_tvalid[{t}], s_axis_tlast[{t}], s_axis_tdata[{data} +: {followed}]}}"
        );
        comes.insert(place, word);
    }
    let wire = |lines: &mut Vec<String>, name: String, value: String| {
        lines.push(format!("wire [{}:0] {name} = {value};", bits - 1));
        name
    };
    for stage in 0..network.stages() {
        let mut leaves: HashMap<u32, String> = HashMap::new();
        let mut next: HashMap<Place, String> = HashMap::new();
        for switch in 0..network.switches(stage) {
            let at = |port| Place { switch, port };
            let ins: Vec<String> = (0..network.inputs(stage))
                .map(|i| {
                    let name = format!("stage{stage}_{switch}_in{i}");
                    wire(&mut lines, name, comes[&at(i)].clone())
                })
                .collect();
            for o in 0..network.outputs(stage) {
                let value = leaving(plan, &set, (stage, switch, o), &ins, bits);
                let name = wire(&mut lines, format!("stage{stage}_{switch}_out{o}"), value);
                match network.lead(stage, at(o)).expect("every output leads somewhere") {
                    Lead::Input(place) => {
                        leaves.insert(
                            place.switch * network.inputs(stage + 1) + place.port,
                            name.clone(),
                        );
                        next.insert(place, name);
                    }
                    Lead::Sink(sink) => {
                        let open = &set[&FieldSetting::Open { sink }];
                        let rest = bits - 2;
                        let value = format!("{{{name}[{}] & {open}, {name}[{rest}:0]}}", bits - 1);
                        let name = wire(&mut lines, format!("sink{sink}"), value);
                        leaves.insert(sink, name);
                    }
                }
            }
        }
        if plan.is_registered(stage) || stage + 1 == network.stages() {
            let none = format!("{bits}'d0");
            let all = (0..most_links(plan)).rev().map(|link| leaves.get(&link).unwrap_or(&none));
            let all: Vec<&str> = all.map(String::as_str).collect();
            let (high, group) = (most_links(plan) * bits - 1, plan.group(stage));
            lines.push(format!("wire [{high}:0] after{group} = {{"));
            lines.extend(all.chunks(4).enumerate().map(|(i, part)| {
                let end = if (i + 1) * 4 >= all.len() { "};" } else { "," };
                format!("  {}{end}", part.join(", "))
            }));
            if stage + 1 < network.stages() {
                let inputs = network.inputs(stage + 1);
                for (place, link) in &mut next {
                    let low = (place.switch * inputs + place.port) * bits;
                    *link = format!("now[{low} +: {bits}]");
                }
            }
        }
        comes = next;
    }
    lines
}

/// Expression of the word that leaves an output of a switch.
fn leaving(
    plan: &CircuitPlan,
    set: &HashMap<FieldSetting, String>,
    (stage, switch, output): (u32, u32, u32),
    ins: &[String],
    bits: u32,
) -> String {
    if plan.network.is_wire(stage, switch) {
        return ins[output as usize].clone();
    }
    if let Some(crossed) = set.get(&FieldSetting::Crossed { stage, switch }) {
        let [straight, other] = [output, 1 - output].map(|i| &ins[i as usize]);
        return format!("{crossed} ? {other} : {straight}");
    }
    let taken = |output| &set[&FieldSetting::Taken { stage, switch, output }];
    // The lowest of the outputs that are told to take an input does.
    let lower =
        (0..output).map(|lower| format!("{} == {} ? {bits}'d0 : ", taken(lower), taken(output)));
    let lower: String = lower.collect();
    let cases =
        ins.iter().enumerate().map(|(i, word)| format!("{} == {i} ? {word} : ", taken(output)));
    let cases: String = cases.collect();
    format!("{lower}{cases}{bits}'d0")
}
