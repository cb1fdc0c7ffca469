// hypercube_2_ecube_instance
// An instance of the fabric, and a wire by the name of each of its ports: for the body of
// a module that has clk, rst, to be included before the wires are used.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 1755dc3438654d58

wire   [3:0] s_axis_tvalid;
wire   [3:0] s_axis_tready;
wire   [7:0] s_axis_tdest;
wire [127:0] s_axis_tdata;
wire   [3:0] s_axis_tlast;
wire   [3:0] s_axis_error;
wire   [3:0] m_axis_tvalid;
wire   [3:0] m_axis_tready;
wire [127:0] m_axis_tdata;
wire   [3:0] m_axis_tlast;

hypercube_2_ecube hypercube_2_ecube_instance (
  .clk(clk),
  .rst(rst),
  .s_axis_tvalid(s_axis_tvalid),
  .s_axis_tready(s_axis_tready),
  .s_axis_tdest(s_axis_tdest),
  .s_axis_tdata(s_axis_tdata),
  .s_axis_tlast(s_axis_tlast),
  .s_axis_error(s_axis_error),
  .m_axis_tvalid(m_axis_tvalid),
  .m_axis_tready(m_axis_tready),
  .m_axis_tdata(m_axis_tdata),
  .m_axis_tlast(m_axis_tlast)
);
