//! Ways of packets through routers, by the tables and rules that FlooNoC has.

use super::super::error::{Fault, File, ReadError};
use super::parse::{End, NETWORKS, Router, Rule, Top};
use crate::model::Routed;
use rustc_hash::FxHashMap;

/// Word for routes that packets bring along.
pub const SOURCE: &str = "SourceRouting";

/// By source number, then destination number, the bits of a route, low bits first.
pub fn tables(package: &str) -> Vec<Vec<Vec<bool>>> {
    let Some((_, rest)) = package.split_once("RoutingTables = ") else { return Vec::new() };
    let mut all: Vec<Vec<Vec<bool>>> = Vec::new();
    for line in rest.lines().skip(1) {
        let line = line.split("//").next().unwrap_or_default().trim();
        if line.starts_with("'{") {
            all.push(Vec::new());
        } else if let Some((_, bits)) = line.split_once("'b")
            && let Some(last) = all.last_mut()
        {
            let bits = bits.trim_end_matches([',', '}', ' ']);
            last.push(bits.bytes().rev().map(|bit| bit == b'1').collect());
        } else if line.contains(';') {
            break;
        }
    }
    // An array begins with its last element.
    all.iter_mut().for_each(|of_source| of_source.reverse());
    all.reverse();
    all
}

/// Ways of packets through routers.
pub struct Ways<'a> {
    pub top: &'a Top<'a>,
    pub behind: &'a FxHashMap<(usize, usize, u32), End>,
    /// By router and next router, the link.
    pub links: &'a FxHashMap<(usize, usize), u32>,
    /// By interface, its router.
    pub homes: &'a [usize],
    pub package: Vec<Vec<Vec<bool>>>,
}

impl Ways<'_> {
    /// Tables of routers that look at the destination.
    pub fn by_destination(&self, routed: &mut Routed) {
        let routers = self.top.routers.len();
        let (count, networks) = (self.links.len(), routed.channels.len() / self.links.len().max(1));
        for (network, &name) in NETWORKS.iter().enumerate().take(networks) {
            for to in 0..self.top.interfaces.len() {
                for (at, router) in self.top.routers.iter().enumerate() {
                    let Some(port) = self.port(router, to, name) else { continue };
                    let (table, to) = ((network * routers + at) as u32, to as u32);
                    match self.behind.get(&(network, at, port)) {
                        Some(&End::Router(next, _)) if self.homes[to as usize] == at => {
                            let name = self.top.routers[next].name.to_owned();
                            routed.elsewhere.insert((table, to), name);
                        }
                        Some(&End::Router(next, _)) => {
                            if let Some(link) = self.links.get(&(at, next)) {
                                let channel = (network * count) as u32 + link;
                                routed.tables.set(table, to, &[channel]);
                            }
                        }
                        Some(&End::Interface(other)) if other as u32 != to => {
                            let name = self.top.interfaces[other].name.to_owned();
                            routed.elsewhere.insert((table, to), name);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// Output port of a router for packets to an interface, on a network of links; `None` where no
    /// table says it.
    fn port(&self, router: &Router<'_>, to: usize, network: &str) -> Option<u32> {
        let id = self.top.interfaces[to].id;
        let x_first = match router.algorithm {
            "IdTable" => {
                let number = *self.top.numbers.get(id)?;
                let rules = self.top.maps.get(router.map)?;
                let holds = |rule: &&Rule| (rule.0..rule.1).contains(&number);
                return rules.iter().find(holds).map(|rule| rule.2);
            }
            "XYRouting" => true,
            "YXRouting" => false,
            "XYRoutingMirrored" => network != "rsp",
            "YXRoutingMirrored" => network == "rsp",
            _ => return None,
        };
        let (x, y, port) = *self.top.places.get(id)?;
        let (own_x, own_y, _) = *self.top.places.get(router.id)?;
        // Ports 0 to 3 are north, east, south and west; from 4 on terminals.
        let along_x = (x != own_x).then_some(if x < own_x { 3 } else { 1 });
        let along_y = (y != own_y).then_some(if y < own_y { 2 } else { 0 });
        let [first, second] = if x_first { [along_x, along_y] } else { [along_y, along_x] };
        first.or(second).or_else(|| u32::try_from(4 + port).ok())
    }

    /// Follows the routes that packets bring along, and makes tables by channel of them.
    pub fn by_source(&self, routed: &mut Routed) -> Result<(), ReadError> {
        if self.package.is_empty() {
            let what =
                "the routes of source routing are in the package; give it as the file of routes";
            return Err(Fault::Syntax(what.to_owned()).of(File::Network));
        }
        // A table for each channel, beside those of injection; none of them is in hardware.
        routed.copies = 0;
        for channel in 0..routed.channels.len() {
            routed.of_channel[channel] = routed.tables.copy(routed.of_channel[channel])?;
        }
        let interfaces = &self.top.interfaces;
        for (from, source) in interfaces.iter().enumerate() {
            for (to, destination) in interfaces.iter().enumerate() {
                let number = |id: &str| self.top.numbers.get(id).map(|&number| number as usize);
                let route = number(source.id)
                    .and_then(|from| self.package.get(from))
                    .zip(number(destination.id))
                    .and_then(|(of_source, to)| of_source.get(to));
                let talk = from != to
                    && (source.is_manager && destination.is_subordinate
                        || source.is_subordinate && destination.is_manager);
                let Some(route) = route.filter(|_| talk) else { continue };
                for network in 0..routed.channels.len() / self.links.len().max(1) {
                    self.follow(network, from, to, route, routed)?;
                }
            }
        }
        Ok(())
    }

    /// Follows one route on one network.
    fn follow(
        &self,
        network: usize,
        from: usize,
        to: usize,
        route: &[bool],
        routed: &mut Routed,
    ) -> Result<(), ReadError> {
        let (mut at, mut by, mut bits) = (self.homes[from], None, route);
        while !bits.is_empty() {
            let ports = self.top.routers[at].ports;
            let width = (u32::BITS - ports.saturating_sub(1).leading_zeros()) as usize;
            let (own, rest) = bits.split_at(width.clamp(1, bits.len()));
            bits = rest;
            let port = own.iter().rev().fold(0, |port, &bit| port << 1 | u32::from(bit));
            let table = match by {
                None => routed.injection(network, at as u32),
                Some(by) => routed.of_channel[by as usize],
            };
            match self.behind.get(&(network, at, port)) {
                Some(&End::Router(next, _)) if at != self.homes[to] => {
                    let Some(link) = self.links.get(&(at, next)) else { return Ok(()) };
                    let new = [(network * self.links.len()) as u32 + link];
                    let old = routed.tables.next(table, to as u32);
                    if !old.is_empty() && old != new {
                        let what = format!(
                            "routes to {} part at {} by their source, which tables by destination \
                             cannot say",
                            self.top.interfaces[to].name, self.top.routers[at].name
                        );
                        return Err(Fault::Syntax(what).of(File::Routes));
                    }
                    routed.tables.set(table, to as u32, &new);
                    (at, by) = (next, Some(new[0]));
                }
                Some(&End::Interface(other)) if other != to => {
                    let name = self.top.interfaces[other].name.to_owned();
                    routed.elsewhere.insert((table, to as u32), name);
                    return Ok(());
                }
                Some(&End::Router(next, _)) => {
                    let name = self.top.routers[next].name.to_owned();
                    routed.elsewhere.insert((table, to as u32), name);
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }
}
