//! gen topology k routing out [width depth]
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = turnpike_hdl_gen::network::Network::new(
        "hypercube",
        a[1].parse().unwrap(),
        Some(&a[2]),
        None,
    )
    .unwrap();
    let mut p = turnpike_hdl_gen::plan::Parameters::default();
    if a.len() > 4 {
        p.width = a[4].parse().unwrap();
        p.depth = a[5].parse().unwrap();
    }
    if a.len() > 6 {
        p.source_id = true;
        p.keep = p.width % 8 == 0;
        p.user_width = 3;
    }
    let plan = turnpike_hdl_gen::plan::FabricPlan::new(std::sync::Arc::new(n), p, None).unwrap();
    plan.check_rtl().unwrap();
    let files = turnpike_hdl_gen::emit::render(&plan).unwrap();
    turnpike_hdl_gen::emit::folder::write(a[3].as_ref(), &files, false).unwrap();
}
