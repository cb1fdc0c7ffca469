//! Slim flies: networks of diameter 2 with nearly as many switches as any of their degree (Besta and
//! Hoefler, Slim Fly: A Cost Effective Low-Diameter Network Topology, SC 2014, section II-B), the graphs of
//! McKay, Miller and Širáň (A Note on Large Graphs of Diameter Two and Given Maximum Degree, Journal of
//! Combinatorial Theory B 74, 1998). The field is that of the numbers modulo q, an odd prime with
//! q = 4w + δ, δ = 1 or -1.
//!
//! There are two halves of q groups of q switches each. Switch y of group x of the first half is next to
//! those of its group whose y is a step of the set X away, switch c of group m of the second half to those
//! whose c is one of X' away, and (0, x, y) to (1, m, c) where y = mx + c. With a primitive element ξ, X are
//! the even powers of ξ and X' the odd ones where δ = 1; where δ = -1, X are the even powers up to ξ^(2w-2)
//! and the odd ones from ξ^(2w-1) on up to ξ^(4w-3), and X' those times ξ.
//!
//! Switch y of group x of half h is node (h·q + x)·q + y, with label `h_x_y`. Port `near<i>` leads i-th of the
//! steps further on in the group, and packets that came by it came from that step below; port `far<g>` leads
//! to group g of the other half. Terminal t has label `t`; it is at node t / P, by the inject and eject port
//! of number t modulo P.

use super::error::check_terminals;
use super::parameter::{DIM, TERMINALS};
use super::positions::{self, Position};
use super::{
    Limit, Node, Parameter, Port, Range, Size, Sizes, Terminal, Topology, TopologyError,
    TopologyKind, labels,
};

/// Number of elements of the field.
const FIELD: Parameter = Parameter {
    key: "field",
    field: "field",
    option: "field",
    words: "field {}",
    placeholder: "Q",
    help: "Elements of the field that a slim fly is made of, 3, 5, 7, 11, 13, 17 or 19: 2Q^2 switches",
    ..DIM
};
/// Fields there are: the odd primes with up to 1,024 switches.
const FIELDS: [u32; 7] = [3, 5, 7, 11, 13, 17, 19];
/// Most terminals: routes from all of them are walked.
const MOST_TERMINALS: u32 = 4096;

/// The entry in the list of topologies.
pub const KIND: TopologyKind = TopologyKind {
    name: "slim-fly",
    aliases: &[],
    summary: "2Q^2 switches of some 3Q/2 channels each, no two more than two channels apart",
    sizes: Sizes::of(
        [Range::of(&FIELD, "Q", (3, 19)), Range::of(&TERMINALS, "P", (1, 32))],
        Limit::Terminals(MOST_TERMINALS),
    )
    .with_examples(&["3 1", "3 2", "5 1"], &["19 1", "11 3"]),
    default_routing: "shortest",
    of_size: |size| Ok(Box::new(SlimFly::of(size)?)),
};

/// A slim fly.
#[derive(Debug, Clone)]
pub struct SlimFly {
    field: u32,
    terminals: u32,
    /// Steps in a group, by half.
    steps: [Vec<u32>; 2],
}

/// Place of a switch: half, group and number in the group.
type Place = (u32, u32, u32);

impl SlimFly {
    fn of(size: Size) -> Result<Self, TopologyError> {
        let [field, terminals] = [&FIELD, &TERMINALS].map(|parameter| size.expect(parameter));
        if !FIELDS.contains(&field) {
            let (topology, fields) = (KIND.name, &FIELDS[..]);
            return Err(TopologyError::Field { topology, field, fields });
        }
        let network = Self { field, terminals, steps: steps(field) };
        let terminals = u64::from(network.nodes()) * u64::from(terminals);
        check_terminals(KIND.name, terminals, MOST_TERMINALS)?;
        Ok(network)
    }

    fn place(&self, Node(node): Node) -> Place {
        (node / self.field / self.field, node / self.field % self.field, node % self.field)
    }

    fn node_at(&self, (half, group, number): Place) -> Node {
        Node((half * self.field + group) * self.field + number)
    }

    /// Number of the channels to switches of the same group.
    fn near(&self) -> u32 {
        self.steps[0].len() as u32
    }
}

/// The sets X and X', ascending.
fn steps(field: u32) -> [Vec<u32>; 2] {
    let times = |a: u32, b: u32| a * b % field;
    let powers = |of: u32| -> Vec<u32> {
        (0..field - 1)
            .scan(1, |power, _| Some(std::mem::replace(power, times(*power, of))))
            .collect()
    };
    let is_primitive = |of: &u32| powers(*of).iter().filter(|&&power| power == 1).count() == 1;
    let primitive = (2..field).find(is_primitive).expect("a prime has a primitive element");
    let powers = powers(primitive);
    let even = (0..powers.len()).step_by(2);
    let exponents: Vec<usize> = match field % 4 {
        1 => even.collect(),
        _ => {
            let w = (field as usize).div_ceil(4);
            (0..=2 * w - 2).step_by(2).chain((2 * w - 1..=4 * w - 3).step_by(2)).collect()
        }
    };
    [0, 1].map(|further| {
        let power = |exponent: &usize| powers[(exponent + further) % powers.len()];
        let mut steps: Vec<u32> = exponents.iter().map(power).collect();
        steps.sort_unstable();
        steps
    })
}

impl Topology for SlimFly {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of([(&FIELD, self.field), (&TERMINALS, self.terminals)])
    }
    fn nodes(&self) -> u32 {
        2 * self.field * self.field
    }
    fn terminals(&self) -> u32 {
        self.nodes() * self.terminals
    }
    fn label(&self, node: Node) -> String {
        let (half, group, number) = self.place(node);
        format!("{half}_{group}_{number}")
    }
    fn position(&self, node: Node) -> Option<Position> {
        let (half, group, number) = self.place(node);
        let apart = f64::from(self.field) / 3.0 + 3.0;
        let middle = positions::on_circle(half * self.field + group, 2 * self.field);
        let place = positions::on_circle(number, self.field);
        Some((middle.0 * apart + place.0, middle.1 * apart + place.1))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let mut numbers = label.split('_').map(labels::parse_number);
        let mut below = |most: u32| numbers.next().flatten().filter(|&number| number < most);
        let place = (below(2), below(self.field), below(self.field));
        match (place, numbers.next()) {
            ((Some(half), Some(group), Some(number)), None) => {
                Ok(self.node_at((half, group, number)))
            }
            _ => Err(TopologyError::Label {
                topology: KIND.name,
                label: label.to_owned(),
                expected: format!(
                    "a half, a group and a switch of it, such as {}",
                    self.label(Node(self.nodes() - 1))
                ),
            }),
        }
    }
    fn ports(&self) -> u8 {
        (self.near() + self.field) as u8
    }
    fn port_name(&self, Port(port): Port) -> String {
        match u32::from(port).checked_sub(self.near()) {
            None => format!("near{port}"),
            Some(group) => format!("far{group}"),
        }
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        if output.0 >= self.ports() {
            return None;
        }
        let (q, (half, group, number)) = (self.field, self.place(from));
        Some(match u32::from(output.0).checked_sub(self.near()) {
            None => {
                let step = self.steps[half as usize][usize::from(output.0)];
                (self.node_at((half, group, (number + step) % q)), output)
            }
            Some(other) => {
                // y = mx + c.
                let product = group * other % q;
                let there = match half {
                    0 => (number + q - product) % q,
                    _ => (number + product) % q,
                };
                (self.node_at((1 - half, other, there)), Port((self.near() + group) as u8))
            }
        })
    }
    fn at_each_node(&self) -> u32 {
        self.terminals
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        terminal.0.to_string()
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        labels::numbered_terminal(KIND.name, label, self.terminals())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests::keeps_the_contract;

    fn of(field: u32, terminals: u32) -> Result<SlimFly, TopologyError> {
        let size = Size::of([(&FIELD, field), (&TERMINALS, terminals)]);
        KIND.sizes.check(KIND.name, size)?;
        SlimFly::of(size)
    }

    /// Besta and Hoefler, section II-B: 2q² switches of (3q - δ)/2 channels, no two further apart than two
    /// channels; a channel each way between two that are next to each other. Moore's bound on their number is
    /// 1 + k².
    #[test]
    fn figures_are_those_of_the_paper() {
        for field in FIELDS {
            let network = of(field, 1).unwrap();
            keeps_the_contract(&network);
            let degree = match field % 4 {
                1 => (3 * field - 1) / 2,
                _ => (3 * field).div_ceil(2),
            };
            assert_eq!((network.nodes(), u32::from(network.ports())), (2 * field * field, degree));
            assert!(network.nodes() <= 1 + degree * degree);
            for node in network.all_nodes() {
                assert_eq!(network.distances(node).into_iter().max(), Some(2), "{field} {node:?}");
                let near = |from: Node| -> Vec<Node> {
                    let ports = (0..network.ports()).map(Port);
                    ports.filter_map(|port| network.channel(from, port)).map(|(to, _)| to).collect()
                };
                let mut there = near(node);
                assert!(there.iter().all(|&other| near(other).contains(&node)));
                there.sort_unstable();
                there.dedup();
                assert_eq!(there.len() as u32, degree, "{field} {node:?}");
            }
        }
    }

    /// The sets of the paper's example: Hoffman and Singleton's graph is the slim fly of the field of 5.
    #[test]
    fn steps_are_those_of_the_example() {
        assert_eq!(steps(5), [vec![1, 4], vec![2, 3]]);
        assert_eq!(of(5, 1).unwrap().nodes(), 50);
    }

    #[test]
    fn sizes_and_labels_are_bounded() {
        let error = |field, terminals| of(field, terminals).unwrap_err().to_string();
        assert_eq!(error(2, 1), "slim-fly: field 2 is out of range; use 3 to 19");
        assert_eq!(
            error(9, 1),
            "slim-fly: there is none of field 9; use 3, 5, 7, 11, 13, 17 or 19"
        );
        assert_eq!(error(19, 6), "slim-fly: 4332 terminals are more than 4096; make it smaller");
        let network = of(3, 2).unwrap();
        for wrong in ["2_0_0", "0_3_0", "0_0_3", "0_0", "0_0_0_0", "0_0_00", "a", ""] {
            let error = network.node(wrong).unwrap_err().to_string();
            assert!(error.contains("a half, a group and a switch of it, such as 1_2_2"), "{error}");
        }
        assert!(network.terminal("36").unwrap_err().to_string().contains("from 0 to 35"));
    }
}
