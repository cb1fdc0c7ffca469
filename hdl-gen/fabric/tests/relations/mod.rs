//! Relations as the networks and fabrics that they make.

mod adaptive;
mod avoiding;
mod concentrated;
mod dimension_order;
mod directed_static;
mod given;
mod invariant;
mod random_static;
mod several_vcs;
mod shift;
mod small;
mod turn_models;
mod two_stage;
mod up_down_tree;
