//! Analysis of a topology with a routing relation: the turns in use with a witness each, the header
//! bits that are live, deadlock freedom with a certificate and its checker, the properties that
//! papers speak of, the worst permutation.

pub mod certificate;
pub mod collapse;
pub mod deadlock;
mod error;
pub mod expected;
pub mod live_bits;
pub mod network;
pub mod papers;
pub mod pattern_load;
pub mod pattern_routes;
pub mod patterns;
pub mod properties;
pub mod rows;
mod sample;
pub mod shared;
pub mod states;
pub mod symmetry;
pub mod turns;
mod wanted;
pub mod worst;
