//! Choice of the order in which a dateline counts the ports: the one in which routes go on to the
//! next virtual channel least often.

use crate::topology::Port;

/// Every order is tried up to this many ports; beyond, the two that go straight.
const MOST_PORTS: u8 = 6;

/// Orders of the ports, and what each costs the routes seen so far.
#[derive(Debug)]
pub(super) struct Orders(Vec<Order>);

#[derive(Debug)]
struct Order {
    /// Place of each port, by port.
    place: Vec<u8>,
    /// Most turns of a route that do not ascend.
    most: u32,
    /// All such turns.
    total: u64,
}

impl Orders {
    /// Orders to try.
    pub(super) fn of(ports: u8) -> Self {
        let mut all = Vec::new();
        match ports <= MOST_PORTS {
            true => permutations(&mut (0..ports).collect(), 0, &mut all),
            false => all.extend([(0..ports).collect(), (0..ports).rev().collect()]),
        }
        // The straight one first: it stays where no other is better.
        all.sort();
        Self(all.into_iter().map(|place| Order { place, most: 0, total: 0 }).collect())
    }

    /// A route.
    pub(super) fn see(&mut self, route: &[Port]) {
        for order in &mut self.0 {
            let place = |port: Port| order.place[usize::from(port.0)];
            let crosses = |pair: &&[Port]| place(pair[1]) <= place(pair[0]);
            let crossed = route.windows(2).filter(crosses).count() as u32;
            order.most = order.most.max(crossed);
            order.total += u64::from(crossed);
        }
    }

    /// The ports in the best order, and the most turns of a route that do not ascend in it.
    pub(super) fn best(&self) -> (Vec<Port>, u32) {
        let best = self.0.iter().min_by_key(|order| (order.most, order.total));
        let (place, most) = best.map_or((&[][..], 0), |order| (&order.place, order.most));
        let mut ports: Vec<Port> = (0..place.len() as u8).map(Port).collect();
        ports.sort_by_key(|port| place[usize::from(port.0)]);
        (ports, most)
    }
}

fn permutations(ports: &mut Vec<u8>, from: usize, all: &mut Vec<Vec<u8>>) {
    if from == ports.len() {
        all.push(ports.clone());
    }
    for at in from..ports.len() {
        ports.swap(from, at);
        permutations(ports, from + 1, all);
        ports.swap(from, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_travel_is_found() {
        let travel = [2, 0, 3, 1].map(Port);
        let mut orders = Orders::of(4);
        (1..4).for_each(|at| orders.see(&travel[at - 1..]));
        assert_eq!(orders.best(), (travel.to_vec(), 0));
        let mut down = Orders::of(9);
        down.see(&[8, 5, 5, 1].map(Port));
        assert_eq!((down.best().0[0], down.best().1), (Port(8), 1));
        assert_eq!(Orders::of(5).best().0, (0..5).map(Port).collect::<Vec<_>>());
    }
}
