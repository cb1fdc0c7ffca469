//! Tests of `turnpike-search` through its public interface.

mod answers;
mod design;
mod exhaustive;
mod flows;
mod growing;
mod placing;
mod task_graphs;
mod time_tables;
