//! The name of a bus fabric that the user gives none.

use crate::plan::Parameters;
use crate::protocol::Protocol;
use turnpike_base::names::fitted;

/// Network, protocol, and each number that is not the usual one, in one identifier:
/// `mob_8x8_backoff_w64`. `usual` is the protocol with its usual numbers.
pub(crate) fn default_name(
    network: String,
    protocol: Protocol,
    usual: Protocol,
    parameters: Parameters,
) -> String {
    let kind = protocol.kind().name;
    let with_number = match protocol {
        Protocol::Window(window) => format!("{kind}{}", window.slots()),
        Protocol::Backoff(backoff) => format!("{kind}_exponent{}", backoff.most()),
        Protocol::Thinning(thinning) => format!("{kind}_window{}", thinning.first()),
        Protocol::Rotor => kind.to_owned(),
    };
    let own = if protocol == usual { kind.to_owned() } else { with_number };
    let mut words = vec![network, own];
    let base = Parameters::default();
    let Parameters { width, depth, source_id, reset_low, draw_seed } = parameters;
    words.extend((width != base.width).then(|| format!("w{width}")));
    words.extend((depth != base.depth).then(|| format!("d{depth}")));
    words.extend(source_id.then(|| "id".to_owned()));
    words.extend(reset_low.then(|| "reset_low".to_owned()));
    let draws = protocol.draw_bits() > 0 && draw_seed != base.draw_seed;
    words.extend(draws.then(|| format!("draw{draw_seed}")));
    fitted(&words.join("_"))
}

#[cfg(test)]
mod tests {
    use crate::Grid;
    use crate::plan::{BusPlan, Parameters};
    use crate::protocol::{Backoff, PROTOCOLS, Protocol};
    use crate::testing::plans;
    use std::collections::BTreeMap;

    #[test]
    fn names_tell_what_is_not_usual() {
        let base = Parameters::default();
        let name = |protocol, parameters| {
            let grid = Grid::new(&[8, 8]).unwrap();
            BusPlan::new(grid, protocol, parameters, None).unwrap().name
        };
        let usual = (PROTOCOLS[0].usual)(8, base.depth);
        assert_eq!(name(usual, base), "mob_8x8_backoff");
        let wide = Parameters { width: 64, source_id: true, draw_seed: 9, ..base };
        assert_eq!(name(usual, wide), "mob_8x8_backoff_w64_id_draw9");
        let other = Protocol::Backoff(Backoff::new(1).unwrap());
        assert_eq!(name(other, base), "mob_8x8_backoff_exponent1");
    }

    #[test]
    fn no_two_fabrics_have_one_name() {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for plan in plans() {
            let before = names.insert(plan.name.clone(), plan.canonical());
            assert_eq!(before.filter(|before| *before != plan.canonical()), None, "{}", plan.name);
        }
        assert!(names.len() > 5, "{}", names.len());
    }
}
