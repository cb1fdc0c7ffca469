//! Modules at another value of their parameter `WIDTH`.

use super::expr::{Expr, Net};
use super::module::{Item, Module};

impl Module {
    /// The module with its parameter `WIDTH` at another value; itself where it has none.
    pub fn at_width(&self, width: u32) -> Self {
        let mut module = self.clone();
        if self.width_parameter.is_none_or(|own| own == width) {
            return module;
        }
        module.width_parameter = Some(width);
        let resize = Resize { module: self, width };
        module.nets.iter_mut().filter(|net| net.parametric).for_each(|net| net.width = width);
        let memories = module.memories.iter_mut().filter(|memory| memory.parametric);
        memories.for_each(|memory| memory.width = width);
        module.streams.iter_mut().for_each(|port| port.stream.resize(|net| resize.net(net)));
        module.items.iter_mut().for_each(|item| resize.item(item));
        module.probes.iter_mut().for_each(|(_, net)| resize.net(net));
        for (from, to) in &mut module.paths {
            resize.net(from);
            resize.net(to);
        }
        module
    }
}

struct Resize<'a> {
    module: &'a Module,
    width: u32,
}

impl Resize<'_> {
    fn net(&self, net: &mut Net) {
        if self.module.net(*net).parametric {
            net.width = self.width;
        }
    }

    fn expr(&self, e: &mut Expr) {
        match e {
            Expr::Net(net) | Expr::Slice { net, .. } => self.net(net),
            Expr::Repeat { times, parametric: true, .. } => *times = self.width,
            _ => {}
        }
        e.operands_mut().into_iter().for_each(|e| self.expr(e));
    }

    fn item(&self, item: &mut Item) {
        match item {
            Item::Section(_) | Item::Comment(_) => {}
            Item::Assign { net, value } => {
                self.net(net);
                self.expr(value);
            }
            Item::Table { net, index, .. } => {
                self.net(net);
                self.net(index);
            }
            Item::Registers(list) => {
                for register in list {
                    self.net(&mut register.net);
                    self.expr(&mut register.next);
                    register.enable.iter_mut().for_each(|e| self.expr(e));
                }
            }
            Item::Write { enable, address, data, .. } => {
                [enable, address, data].into_iter().for_each(|e| self.expr(e));
            }
            Item::Instance(instance) => {
                instance.connections.iter_mut().for_each(|e| self.expr(e));
                let domain = &mut instance.domain;
                domain.clock.iter_mut().chain(&mut domain.reset).for_each(|net| self.net(net));
            }
        }
    }
}
