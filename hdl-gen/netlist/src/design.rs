//! A hierarchy of modules, gathered: the one list that is printed, proven and simulated.

use super::RtlError;
use super::module::{Instance, Module, NetInfo};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The modules of a hierarchy, each name once. Verilog is printed from this list, and the
/// simulator runs the modules of this list: what an instance places is looked up in it by name.
///
/// There is no other way to a `Design` than [`Design::new`], which refuses two modules of one
/// name that differ in more than their parameter `WIDTH`.
#[derive(Clone, Debug)]
pub struct Design {
    /// The top first, then in order of name.
    modules: Vec<Arc<Module>>,
    /// The modules of the list, by name, at every width at which they are placed.
    placed: HashMap<(String, Option<u32>), Arc<Module>>,
}

impl Design {
    /// Gathers `top` and all modules below it.
    ///
    /// # Errors
    /// [`RtlError::Clash`] where two unequal modules have one name.
    pub fn new(top: &Arc<Module>) -> Result<Self, RtlError> {
        let mut gatherer = Gatherer::default();
        gatherer.visit(top)?;
        let Gatherer { mut found, placed, .. } = gatherer;
        found.remove(&top.name);
        let modules = std::iter::once(Arc::clone(top)).chain(found.into_values()).collect();
        Ok(Self { modules, placed })
    }

    /// The module on top.
    pub fn top(&self) -> &Arc<Module> {
        &self.modules[0]
    }

    /// Every module once: the top first, then in order of name. One with the parameter `WIDTH`
    /// stands here at one of its widths.
    pub fn modules(&self) -> &[Arc<Module>] {
        &self.modules
    }

    /// Module that an instance of this design places: the module of the list that has the name, at
    /// the instance's width.
    ///
    /// # Panics
    /// If the instance is of another design.
    pub fn placed(&self, instance: &Instance) -> &Arc<Module> {
        let module = &instance.module;
        let key = (module.name.clone(), module.width_parameter);
        self.placed.get(&key).unwrap_or_else(|| panic!("no module {} in this design", key.0))
    }
}

#[derive(Default)]
struct Gatherer {
    /// By name.
    found: BTreeMap<String, Arc<Module>>,
    placed: HashMap<(String, Option<u32>), Arc<Module>>,
    /// Modules that were looked at. They live as long as the top.
    visited: HashSet<*const Module>,
}

impl Gatherer {
    fn visit(&mut self, module: &Arc<Module>) -> Result<(), RtlError> {
        if !self.visited.insert(Arc::as_ptr(module)) {
            return Ok(());
        }
        let name = &module.name;
        let first = self.found.entry(name.clone()).or_insert_with(|| Arc::clone(module));
        let key = (name.clone(), module.width_parameter);
        // The module of the list stands for this one, so it has to be the same at this width.
        let listed = match module.width_parameter {
            Some(width) if first.width_parameter.is_some_and(|own| own != width) => {
                Arc::new(first.at_width(width))
            }
            _ => Arc::clone(first),
        };
        if let Some(difference) = difference(&listed, module) {
            return Err(RtlError::Clash { module: name.clone(), difference });
        }
        self.placed.entry(key).or_insert(listed);
        module.instances().try_for_each(|instance| self.visit(&instance.module))
    }
}

/// Difference between two modules, in words, if there is one.
fn difference(a: &Module, b: &Module) -> Option<String> {
    if a == b {
        return None;
    }
    let parameter = |m: &Module| match m.width_parameter {
        Some(_) => "with the parameter WIDTH",
        None => "without a parameter",
    };
    if parameter(a) != parameter(b) {
        return Some(format!("one is {}, the other {}", parameter(a), parameter(b)));
    }
    let nets = a.nets.iter().zip(&b.nets).find(|(a, b)| a != b);
    if let Some((one, other)) = nets {
        let net = |net: &NetInfo| format!("{} [{}]", net.name, net.width);
        return Some(format!("one has a net {}, the other {}", net(one), net(other)));
    }
    let items = || a.items.iter().zip(&b.items);
    let at = items().position(|(a, b)| a != b).unwrap_or(items().count());
    let width = match (a.width_parameter, b.width_parameter) {
        (Some(width), _) => format!(", at width {width}"),
        _ => String::new(),
    };
    Some(format!("they differ from item {at} on{width}"))
}

#[cfg(test)]
mod tests {
    use super::super::{Expr, ModuleBuilder};
    use super::*;

    /// `out` = `a` where `on` is high.
    fn gate(width: u32, fill: impl Fn(Expr) -> Expr) -> Arc<Module> {
        let mut m = ModuleBuilder::new("gate");
        m.width_parameter(width);
        let on = m.input("on", 1);
        let (a, out) = (m.input("a", width), m.output("out", width));
        for net in [a, out] {
            m.parametric(net);
        }
        m.assign(out, fill(on.into()) & a);
        m.finish().unwrap()
    }

    fn side_by_side(modules: &[Arc<Module>]) -> Arc<Module> {
        let mut m = ModuleBuilder::new("top");
        let on = m.input("on", 1);
        let width = |module: &Module| module.port("a").unwrap().width;
        let numbered = || modules.iter().enumerate();
        let ports: Vec<_> = numbered()
            .map(|(i, module)| {
                let width = width(module);
                (m.input(format!("a{i}"), width), m.output(format!("out{i}"), width))
            })
            .collect();
        for ((i, module), (a, out)) in numbered().zip(ports) {
            let connections = [("on", on.into()), ("a", a.into()), ("out", out.into())];
            m.instance(format!("gate{i}"), module, connections);
        }
        m.finish().unwrap()
    }

    #[test]
    fn a_module_at_two_widths_is_one() {
        let gates = [1, 2, 70, 2].map(|width| gate(width, |on| on.fill(width)));
        let design = Design::new(&side_by_side(&gates)).unwrap();
        let names: Vec<&str> = design.modules().iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["top", "gate"]);
        for (instance, gate) in design.top().instances().zip(&gates) {
            assert_eq!(design.placed(instance), gate);
        }
    }

    /// A repetition that is no fill is right at one width alone. This is how a multiplexer
    /// stage at width 1 once gave its text to those at other widths.
    #[test]
    fn two_modules_of_one_name_are_refused() {
        for widths in [[1, 2], [2, 1], [8, 9]] {
            let gates = widths.map(|width| gate(width, |on| on.repeat(width)));
            let error = Design::new(&side_by_side(&gates)).unwrap_err();
            assert!(matches!(&error, RtlError::Clash { module, .. } if module == "gate"));
            let said = error.to_string();
            assert!(said.contains("two modules that differ are called gate"), "{said}");
            assert!(said.contains(&format!("at width {}", widths[1])), "{said}");
        }
    }

    #[test]
    fn what_differs_is_named() {
        let said = |other: Arc<Module>| {
            let gates = [gate(4, |on| on.fill(4)), other];
            Design::new(&side_by_side(&gates)).unwrap_err().to_string()
        };
        let inverted = said(gate(4, |on| !on.fill(4)));
        assert!(inverted.contains("differ from item 0 on, at width 4"), "{inverted}");
        let plain = |name: &str| {
            let mut m = ModuleBuilder::new("gate");
            let on = m.input(name, 1);
            let (a, out) = (m.input("a", 4), m.output("out", 4));
            m.assign(out, Expr::from(on).repeat(4) & a);
            m.finish().unwrap()
        };
        let parameter = said(plain("on"));
        assert!(parameter.contains("with the parameter WIDTH, the other without"), "{parameter}");
    }
}
