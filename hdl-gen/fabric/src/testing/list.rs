//! Lists of these fabrics.

use super::Named;
use turnpike_network::routing::given;

/// One fabric for each thing that is unlike in others, for what runs external tools in `make test`:
/// a cube with one VC and one with two, switches without a terminal, a relation by pair around a
/// failed node, several classes of switches, packets that draw their way, a network for flows.
pub const FEW_FABRICS: &[Named] = &[
    "hypercube 2 ecube",
    "hypercube 3 rotation",
    "arc-cube 2 shortest",
    "hypercube 3 around_111.relation",
    "mesh 3x2 dimension-order",
    "wired mixed shortest",
    "hypercube 2 two-phase",
    "mesh 3x2 dimension-order for 0_*>2_1,2_1>0_*",
];

/// Networks wired port to port, as topology files.
///
/// - `mixed`: a ring one way with a channel beside another, a switch (`c`) without terminals, one
///   (`e`) that only takes packets and one (`f`) that only sends, two inject ports at `a`, two eject
///   ports at `d`, a terminal (`u`) whose ends are apart.
/// - `gathered`: one sink, so that no packet needs a header; a source beside it, and a queue that
///   two sources share.
/// - `alone`: one switch, with no channel.
/// - `delayed`: a ring of links with registers of their own, unlike ones there and back.
/// - `crossed`: links both ways that lead from ports of one name to ports of several; the terminals
///   of a switch are not of consecutive addresses.
pub const WIRED: &[(&str, &str)] = &[
    (
        "mixed",
        "turnpike-topology 1\n\
         node a b c d e f\n\
         terminal x a\nsource y a\nsource s b\nsink t d\nsink t2 d\nterminal u d b\n\
         sink v e\nsource w f\n\
         channel a.p0 b.p1\nchannel a.p1 b.p0\nchannel b.p0 c.p0\nchannel c.p0 d.p0\n\
         channel d.p0 a.p0\nchannel d.p1 e.p0\nchannel f.p0 a.p1\n",
    ),
    (
        "gathered",
        "turnpike-topology 1\n\
         node a b c\n\
         sink v c\nsource s a\nsource t b\nsource u c\n\
         link a b\nlink b c\n",
    ),
    ("alone", "turnpike-topology 1\nnode a\nterminal x a\nsource y a\nsink z a\n"),
    (
        "delayed",
        "turnpike-topology 1\n\
         node a b c d\n\
         terminal x a\nterminal y b\nterminal z c\nterminal w d\n\
         link a.e b.w delay=1\nlink b.e c.w delay=2\nlink c.e d.w\n\
         channel d.e a.w delay=2\nchannel a.w d.e delay=1\n",
    ),
    (
        "crossed",
        "turnpike-topology 1\n\
         node a b c d\n\
         terminal x0 a\nterminal y0 b\nterminal x1 a\nterminal z0 d\nterminal x2 a\n\
         link a.east b.east\nlink b.west c.east\nlink c.north a.west\nlink c.west d.north\n",
    ),
];

/// The small fabrics that tests go over: cubes, two kinds of switch, addresses without a terminal
/// (24 of 32 have one), routes by table at the source, switches without a terminal, a relation
/// given by pair around a failed node, switches of several classes at the edges of a grid, packets
/// that draw their way.
pub const FABRICS: &[Named] = &[
    "hypercube 1 ecube",
    "hypercube 2 ecube",
    "hypercube 3 ecube",
    "hypercube 4 ecube",
    "hypercube 1 rotation",
    "hypercube 2 rotation",
    "hypercube 3 rotation",
    "hypercube 4 rotation",
    "hypercube 4 thacker",
    "directed-cube 3 static",
    "ccc 3 two-stage",
    "arc-cube 2 shortest",
    "hypercube 3 around_111.relation",
    "mesh 3x2 dimension-order",
    "torus 4x2 dimension-order",
    "mesh 3x2 dimension-order concentrated 2",
    "hyperx 3x2 dimension-order",
    "dragonfly 2_1_2 minimal",
    "wired mixed shortest",
    "wired gathered up-down",
    "wired alone shortest",
    "wired delayed shortest",
    "hypercube 3 two-phase",
    "mesh 4x2 two-phase",
    "mesh 3x2 two-phase",
    "hypercube 3 two-phase to bits:0,2",
    "mesh 3x2 o1turn",
    "mesh 3x2 random-hop",
    "mesh 2x2x2 random-hop",
    "hypercube 3 random-hop",
    "benes 2 two-phase",
    "hypercube 3 random-path",
];

/// More of them, which cost more than they add: for what is quick, and for `make test-all`.
pub const MORE_FABRICS: &[Named] = &[
    "directed-cube 4 random-static",
    "ccc 3 shortest",
    "clever-dccc 3 two-stage",
    "pv-ccc 3 two-stage",
    "arc-cube-2 2 shortest",
    "mesh 4x4 dimension-order",
    "torus 3x3 dimension-order",
    "ring 5 dimension-order",
    "directed-ring 5 around",
    "full 5 direct",
    "star 5 direct",
    "dragonfly 2_2_1 two-phase",
    "tree 2_3 up-down",
    "fat-tree 3_2 up-down",
    "de-bruijn 2_3 shift",
    "kautz 2_2 shift",
    "butterfly 2_radix3 greedy",
    "benes 2 shortest",
    "clos 3_2_2 shortest",
    "hypercube 2 rotation concentrated 4",
    "ccc 3 two-stage concentrated 2",
    "directed-cube 3 random-static concentrated 2",
    "star 3 direct concentrated 2",
    "wired mixed random-static",
    "ring 5 two_ways.relation",
    "wired crossed shortest",
    "wired delayed up-down",
    "wired gathered shortest",
    "hypercube 3 romm",
    "mesh 4x2 romm",
    "mesh 3x2 romm",
    "torus 4x2 two-phase",
    "mesh 2x2 o1turn concentrated 2",
    "mesh 3x3 random-hop",
    "mesh 3x2x2 random-hop",
    "hypercube 4 random-hop",
    "mesh 2x3 random-hop concentrated 2",
    "directed-cube 4 random-path",
    "mesh 3x2 random-path concentrated 2",
    "double-butterfly 2 two-phase",
    "clos 4_2_2 two-phase",
    "hypercube 2 two-phase concentrated 2",
    "mesh 3x2 two-phase concentrated 2",
    "hypercube 3 two-phase to 0,3,5-7",
    "mesh 4x2 two-phase to 1,6",
    "torus 3x3 two-phase to 0,4",
    "directed-cube 3 two-phase",
    "fat-tree 2_2 two-phase",
    "wired crossed two-phase",
    "wired mixed random-path",
    "full 4 two-phase concentrated 2",
];

/// Fabrics for flows, and for flows of message classes: terminals that send to few, terminals without a
/// stream, switches and queues that are not there, several inject ports at a switch of which some are used.
pub const FLOW_FABRICS: &[Named] = &[
    "mesh 3x2 dimension-order for 0_*>2_1,2_1>0_*",
    "hypercube 3 rotation for 000>*,010>111",
    "wired mixed shortest for x>t,y>t,s>u,w>v,u>x",
    "mesh 3x2 dimension-order for request:0_*>2_1,reply:2_1>0_*",
    "mesh 3x2 dimension-order concentrated 2 for 0_0_*>2_1_1,2_1_0>0_0_*,1_1_1>1_1_1",
    "mesh 3x3 dimension-order without 1_1 for 0_0>2_2,0_1>2_*",
    "hypercube 3 two-phase for 0*>111,111>000",
    "torus 4x2 dimension-order for 0_0>3_1,3_1>*",
    "ccc 3 shortest for *0>*1",
    "fat-tree 2_2 up-down for *>0",
    "mesh 3x3 random-hop for 0_0>2_2,2_2>0_0",
    "mesh 2x2 dimension-order for 0_0>1_1",
    "torus 4x2 dimension-order for request:*>0_0,reply:0_0>*",
    "hypercube 3 rotation for ask:0*>1*,say:1*>0*,done:0*>1*",
    "wired mixed shortest for one:x>t,one:s>u,two:u>x",
    "wired delayed shortest for one:x>z,one:y>w,two:z>x,two:w>y",
    "mesh 3x2 o1turn for request:0_*>2_1,reply:2_1>0_*",
    "hypercube 3 two-phase for ask:0*>111,say:111>0*",
    "mesh 3x2 random-path for one:0_0>2_1,one:1_0>0_1,two:2_1>1_0",
    "mesh 2x2 dimension-order concentrated 2 for ask:0_0_*>1_1_1,say:1_1_1>0_0_*,say:1_1_0>1_1_1",
    "mesh 3x3 dimension-order without 1_1 for ask:0_*>2_1,say:2_1>0_*",
    "mesh 3x2 dimension-order concentrated 2 at cpu0=0_0,mem=2_1,cpu1=0_0 for ask:cpu*>mem,say:mem>cpu*",
    "mesh 2x2 dimension-order concentrated 2 for ask:0_0_0>1_1_0,say:1_1_0>0_0_0",
    "mesh 3x3 dimension-order concentrated 2 for 1_1_0>2_2_0,2_0_0>0_0_1",
    "torus 3x3 dimension-order concentrated 2 for ask:0_0_*>1_1_0,say:1_1_0>0_0_*,say:1_1_0>2_2_0",
    "fat-tree 2_2 up-down at one=0,last=3,two=1",
    "mesh 3x2 dimension-order separate ask:0_*>2_1,say:2_1>0_*",
    "torus 4x2 dimension-order concentrated 2 separate ask:0_0_*>3_1_0,say:3_1_0>0_0_*",
    "mesh 3x3 o1turn separate ask:0_*>2_1,say:2_1>0_*",
    "mesh 3x2 dimension-order for one/2:0_*>2_*,two:0_*>2_1,three:*>2_0",
    "torus 4x2 dimension-order for ask/1:*>0_0,say:0_0>*,do:0_*>*",
];

/// Fabrics for `tkeep` and 32 bits whose terminals have widths of their own: each ratio of a power of
/// two and others, terminals that only send or only take, packets that overtake, message classes.
pub const WIDTH_FABRICS: &[Named] = &[
    "mesh 2x2 dimension-order as 0_0=8,1_0=24,0_1=64,1_1=40",
    "mesh 2x2 dimension-order as *=512",
    "hypercube 3 rotation as 1*=8,000=64,001=96",
    "hypercube 3 adaptive as 0*=8,11*=128",
    "wired mixed shortest as x=8,s=64,t=16",
    "mesh 3x3 dimension-order for request:*>1_1,reply:1_1>* as 1_1=64,0_0=8",
];

/// Fabrics for `tkeep` and 32 bits whose terminals have addresses of their own: few and many bits, beside widths,
/// clocks and counters, terminals that only send or only take, a failed one, packets that overtake, message classes.
pub const ADDRESS_FABRICS: &[Named] = &[
    "mesh 2x2 dimension-order as 0_0=@16,1_1=@7",
    "mesh 2x2 dimension-order as *=@1000,0_0=8,1_0=64,1_1=slow_clk",
    "hypercube 3 rotation as 00*=@2147483640,counters",
    "hypercube 2 adaptive as 00=@3,11=@0",
    "mesh 2x2 dimension-order as counters,0_0=8,1_0=64,1_1=@9,0_1=slow_clk",
    "wired mixed shortest as x=@9,s=@14,t=64",
    "mesh 3x3 dimension-order without 1_1 as 0_0=@100",
    "mesh 3x3 dimension-order for request:*>1_1,reply:1_1>* as 1_1=@32,0_0=io_clk",
];

/// Fabrics for `tkeep` and 32 bits whose terminals have clocks of their own: one and several, with widths
/// on both sides of the network's, terminals that only send or only take, message classes.
pub const CLOCK_FABRICS: &[Named] = &[
    "mesh 2x2 dimension-order as 0_0=slow_clk,1_1=fast_clk,1_1=8,0_0=64,1_0=24",
    "hypercube 2 ecube as *=io_clk",
    "hypercube 2 adaptive as 0*=io_clk,0*=24",
    "wired mixed shortest as x=a_clk,s=b_clk,t=c_clk",
    "mesh 2x2 dimension-order for request:*>1_1,reply:1_1>* as 1_1=mem_clk,0_0=io_clk",
];

/// Fabrics whose packets choose, for what runs external tools in `make test`: with escape channels
/// and without, and among virtual channels alone.
pub const FEW_ADAPTIVE_FABRICS: &[Named] =
    &["hypercube 2 adaptive", "mesh 3x2 odd-even", "mesh 3x2 dimension-order vcs 2"];

/// More of them: cubes, grids, each turn model, several virtual channels in a class.
pub const ADAPTIVE_FABRICS: &[Named] = &[
    "hypercube 1 adaptive",
    "hypercube 2 adaptive",
    "hypercube 3 adaptive",
    "hypercube 4 adaptive",
    "directed-cube 3 adaptive",
    "directed-cube 4 adaptive",
    "directed-cube 5 adaptive",
    "mesh 3x3 adaptive",
    "torus 3x3 adaptive",
    "mesh 3x3 west-first",
    "mesh 3x3 north-last",
    "mesh 3x3 negative-first",
    "mesh 3x2 odd-even",
    "mesh 4x3 odd-even",
    "fat-tree 2_3 adaptive",
    "fat-tree 3_2 adaptive",
    "hypercube 2 adaptive concentrated 2",
    "mesh 3x2 west-first concentrated 2",
    "hypercube 3 adaptive for 000>*,*>000",
    "mesh 3x3 west-first for 0_*>2_*,2_*>0_*",
    "mesh 3x3 adaptive for *>0_0",
    "mesh 3x3 adaptive for 0_0>1_1,1_1>0_0",
    "hypercube 3 adaptive for ask:0*>111,say:111>0*",
    "mesh 3x2 odd-even for ask:0_*>2_*,say:2_*>0_*",
    "mesh 2x2 adaptive concentrated 2 for ask:0_0_*>1_1_*,say:1_1_*>0_0_*",
    "mesh 3x2 adaptive separate ask:0_*>2_1,say:2_1>0_*",
    "hypercube 3 rotation vcs 4",
    "hypercube 3 rotation vcs 4,kept",
    "mesh 3x2 dimension-order vcs 2",
    "mesh 2x2 dimension-order vcs 8,kept",
    "torus 4x2 dimension-order vcs 4",
    "wired mixed shortest vcs 4",
    "hypercube 2 two-phase vcs 4,kept",
    "mesh 2x2 o1turn vcs 4",
    "hypercube 2 adaptive vcs 4",
    "mesh 3x2 odd-even vcs 2,kept",
    "fat-tree 2_2 adaptive vcs 2",
    "mesh 2x2 dimension-order concentrated 2 vcs 2",
    "mesh 3x2 dimension-order for request:0_*>2_1,reply:2_1>0_* vcs 4",
    "hypercube 2 adaptive for ask:0*>11,say:11>0* vcs 6",
    "hypercube 2 adaptive for one/1:*>11,two:*>01",
    "mesh 3x2 dimension-order for one/1:0_*>2_*,two:0_*>2_*,three:*>1_* vcs 6",
];

/// All whose packets have no choice.
pub fn every_fabric() -> impl Iterator<Item = Named<'static>> + Clone {
    FABRICS.iter().chain(MORE_FABRICS).chain(FLOW_FABRICS).copied()
}

/// Fabrics whose terminals are all alive, and send to all.
pub fn whole_fabrics() -> impl Iterator<Item = Named<'static>> + Clone {
    let all = FABRICS.iter().chain(MORE_FABRICS).copied();
    all.filter(|fabric| !fabric.ends_with(given::ENDING))
}

/// Fabrics with memory-mapped ends: a network, and the list of ends.
pub const ENDS_FABRICS: &[(Named, &str)] = &[
    (
        "mesh 2x2 dimension-order",
        "name,protocol,role,id-width,outstanding,burst,range\n\
         0_0,axi4,manager,4,8,256,\n0_1,axi4,manager,2,4,16,\n\
         1_1,axi4,subordinate,,8,,0x80000000..0xbfffffff 0x0..0xfff\n\
         1_0,axi4,subordinate,,2,,0x10000000..0x10002fff\n",
    ),
    (
        "hypercube 1 ecube",
        "name,protocol,role,data-width,id-width,outstanding,burst,range\n\
         0,axi4,manager,8,1,1,1,\n1,axi4,subordinate,8,,2,,0x0..0xffffffff\n",
    ),
    (
        "mesh 3x3 dimension-order",
        "name,protocol,role,data-width,id-width,outstanding,burst,range,reach\n\
         0_0,axi4,manager,64,1,2,4,,1_1 2_2\n2_0,axi4,manager,64,3,16,32,,\n\
         0_2,axi4,manager,64,4,3,256,,2_*\n1_1,axi4,subordinate,64,,3,,0x4000..0xafff,\n\
         2_2,axi4,subordinate,64,,8,,0xfff000000..0xfffffffff,\n\
         2_1,axi4,subordinate,64,,64,,0x0..0xfff,\n",
    ),
    (
        "torus 4x2 dimension-order separate ends",
        "name,protocol,role,data-width,outstanding,range\n\
         0_0,axi4,manager,16,2,\n1_0,axi4,manager,16,8,\n2_0,axi4,manager,16,8,\n3_0,axi4,manager,16,4,\n\
         0_1,axi4,subordinate,16,8,0x0..0xffff\n2_1,axi4,subordinate,16,2,0x10000..0x1ffff\n",
    ),
    (
        "wired mixed shortest",
        "name,protocol,role,data-width,range\nx,axi4,manager,256,\nu,axi4,subordinate,256,0x1000..0x1fff\n",
    ),
    (
        "fat-tree 2_2 up-down",
        "name,protocol,role,data-width,burst,range\n\
         0,axi4,manager,512,8,\n1,axi4,subordinate,512,,0x0..0xfff\n\
         2,axi4,manager,512,16,\n3,axi4,subordinate,512,,0x1000..0x7fffffffffffffff\n",
    ),
    (
        "mesh 3x3 dimension-order",
        "name,protocol,role,data-width,burst,range\n\
         0_0,axi4,manager,64,16,\n1_0,axi4-lite,manager,32,,\n2_0,apb,manager,32,,\n\
         0_2,wishbone,manager,32,,\n2_2,wishbone-pipelined,manager,64,,\n\
         0_1,axi4,subordinate,64,,0x80000000..0xffffffff\n1_1,axi4-lite,subordinate,32,,0x0..0xfff\n\
         2_1,apb,subordinate,32,,0x1000..0x1fff\n1_2,wishbone,subordinate,32,,0x2000..0x3fff\n",
    ),
    (
        "mesh 3x3 dimension-order",
        "name,protocol,role,data-width,id-width,burst,range\n\
         0_0,axi4,manager,128,2,256,\n1_0,axi4,manager,8,3,16,\n2_0,apb,manager,8,,,\n\
         0_2,axi4,manager,32,1,32,\n2_2,wishbone,manager,16,,,\n\
         0_1,wishbone-pipelined,subordinate,8,,,0x1000000000..0x1000000fff\n\
         1_1,axi4-lite,subordinate,64,,,0x0..0xfff\n2_1,apb,subordinate,8,,,0x1000..0x1fff\n\
         1_2,axi4,subordinate,16,,,0x2000..0x3fff\n",
    ),
    (
        "mesh 2x2 adaptive",
        "name,protocol,role,id-width,outstanding,burst,range\n\
         0_0,axi4,manager,2,4,16,\n1_0,axi4,manager,3,8,4,\n\
         0_1,axi4,subordinate,,8,,0x0..0xfff\n1_1,axi4,subordinate,,4,,0x1000..0xffff\n",
    ),
    (
        "mesh 3x2 dimension-order",
        "name,protocol,role,data-width,id-width,outstanding,burst,reorder,range\n\
         0_0,axi4,manager,64,2,4,16,16,\n1_0,axi4,manager,32,1,5,4,256,\n2_0,axi4-lite,manager,32,,3,,4,\n\
         0_1,axi4,subordinate,64,,8,,,0x0..0xfff\n1_1,axi4,subordinate,64,,2,,,0x1000..0xffff\n\
         2_1,apb,subordinate,32,,,,,0x10000..0x10fff\n",
    ),
];
