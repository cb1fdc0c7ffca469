//! Transactions that wait to go: one of each direction.

use super::{Builder, Waiting, bounds_writes};
use crate::rtl::ends::in_flight::Order;
use crate::rtl::ends::zeros;
use crate::rtl::registers::held;
use turnpike_ends::protocol::axi4::Channel;
use turnpike_netlist::{Expr, Register};

impl Builder<'_> {
    /// The register of a channel of addresses, the terminal that answers there, and the table of what is
    /// in flight.
    pub(super) fn addresses(&mut self, channel: Channel) -> Waiting {
        let is_read = channel == Channel::Ar;
        let channel = self.axi.channel(channel);
        let (layout, shape) = (&self.shape.layout, self.shape);
        let m = &mut self.m;
        let what = if is_read { "read" } else { "write" };
        m.section(format!("The {what} that waits, who answers it, and those in flight"));
        let full = m.reg(format!("{what}_waits"), 1);
        let take = m.wire(format!("{what}_goes"), 1);
        m.assign(channel.ready, !Expr::Reset & !Expr::from(full));
        let comes = m.define(format!("{what}_comes"), 1, channel.fires());
        let stays = Expr::from(full) & !Expr::from(take);
        m.registers(vec![held(full, 0, Expr::from(comes) | stays)]);
        let mut payload = Vec::new();
        let mut registers = Vec::new();
        for (signal, from) in channel.payload {
            let net = m.reg(format!("{what}_{signal}"), from.width);
            let enable = Some(Expr::from(comes));
            registers.push(Register { net, reset: None, enable, next: from.into() });
            payload.push((signal, net));
        }
        m.registers(registers);
        let field = |name: &str| {
            let found = payload.iter().find(|(known, _)| *known == name);
            found.expect("a signal of AXI4").1
        };
        let terminal = m.wire(format!("{what}_terminal"), layout.terminal);
        let nobody = m.wire(format!("{what}_nobody"), 1);
        let connections = [
            ("address", Expr::from(field("addr"))),
            ("terminal", terminal.into()),
            ("nobody", nobody.into()),
        ];
        m.instance(format!("{what}_decode"), &self.decoder, connections);
        let tag_bits = turnpike_ends::tag_bits(shape.outstanding);
        let [may, done] = ["may", "done"].map(|name| m.wire(format!("{what}_{name}"), 1));
        let [tag, done_tag] =
            ["tag", "done_tag"].map(|name| m.wire(format!("{what}_{name}"), tag_bits));
        let done_id = m.wire(format!("{what}_done_id"), shape.id_width);
        let refused = match !is_read && bounds_writes(shape) {
            false => nobody,
            true => {
                m.comment("AxLEN is beats less one.");
                let limit = Expr::constant(9, u64::from(shape.burst));
                let length = Expr::concat([zeros(1), field("len").into()]);
                let room = m.define("write_room", 9, length - limit);
                m.gather_unused("write_room", room.slice(0, 8));
                m.define("write_refused", 1, Expr::from(nobody) | !room.bit(8))
            }
        };
        let target = (shape.order == Order::OneTarget).then(|| {
            m.comment(
                "What the end answers itself has a target of its own: an ID is with one at a time.",
            );
            ("target", Expr::concat([Expr::from(refused), terminal.into()]))
        });
        let connections = [
            ("id", Expr::from(field("id"))),
            ("may", may.into()),
            ("tag", tag.into()),
            ("take", take.into()),
            ("done_tag", done_tag.into()),
            ("done_id", done_id.into()),
            ("done", done.into()),
        ];
        let connections = connections.into_iter().chain(target);
        m.instance(format!("{what}s_in_flight"), &self.table, connections);
        Waiting {
            full,
            payload,
            terminal,
            nobody,
            refused,
            may,
            tag,
            take,
            done_tag,
            done_id,
            done,
        }
    }
}
