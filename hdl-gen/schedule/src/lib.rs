//! Settings of multistage circuit networks: computed beforehand, and checked.
//!
//! A circuit network has no queues. In a slot of time each output of a switch takes one input or
//! is idle; the [`settings::Settings`] say which. Here is how to find settings for what the
//! terminals ask for ([`demand`]), slot by slot ([`slots`]), on butterflies, Beneš networks and
//! Clos networks ([`network`]), and how to check them without trusting what made them
//! ([`check`]).
//!
//! All numbers count from 0.
//!
//! ```
//! use turnpike_schedule::demand::{Demand, Transfer};
//! use turnpike_schedule::{check::check, network::Network, slots::Schedule};
//!
//! let transfer = |source, sink, words| Transfer { source, sink, words };
//! let demand = Demand::new(8, [transfer(0, 3, 2), transfer(5, 3, 1)]).unwrap();
//! let network = Network::benes(3).unwrap();
//! let schedule = Schedule::new(&network, &demand).unwrap();
//! assert_eq!(schedule.slots(), 3);
//! for slot in 0..3 {
//!     let (settings, permutation) = (schedule.settings(slot), schedule.permutation(slot));
//!     check(&network, &settings.unwrap(), &permutation.unwrap()).unwrap();
//! }
//! ```

pub mod check;
pub mod clos;
pub mod colouring;
pub mod count;
pub mod demand;
pub mod frame;
pub mod looping;
pub mod network;
pub mod permutation;
pub mod rearrange;
pub mod self_routing;
pub mod settings;
pub mod slots;
pub mod time_table;
