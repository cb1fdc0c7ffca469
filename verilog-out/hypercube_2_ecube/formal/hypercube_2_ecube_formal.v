// hypercube_2_ecube_formal
// The terminals obey AXI4-Stream: what is offered stays offered, nothing under reset,
// `tvalid` does not wait for `tready`. Every address is a terminal: nothing is dropped.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest de3b6dd86a12389c
`default_nettype none


module hypercube_2_ecube_formal (
  input wire clk,
  // Free, in every cycle.
  input wire reset_again,
  input wire [3:0] s_axis_tvalid,
  input wire [7:0] s_axis_tdest,
  input wire [127:0] s_axis_tdata,
  input wire [3:0] s_axis_tlast,
  input wire [3:0] m_axis_tready
);

  // ---- A cycle of reset, and any later ---------------------------------------------------
  reg started = 1'b0;
  always @(posedge clk) started <= 1'b1;
  wire rst = ~started | reset_again;
  wire running = ~rst;

  // ---- The fabric ------------------------------------------------------------------------
  wire [3:0] s_axis_tready;
  wire [3:0] s_axis_error;
  wire [3:0] m_axis_tvalid;
  wire [127:0] m_axis_tdata;
  wire [3:0] m_axis_tlast;
  hypercube_2_ecube dut (
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

  // ---- What was offered and not taken in the last cycle ----------------------------------
  reg [3:0] waits = 0;
  // Terminals that have never been ready: `tvalid` must come all the same.
  reg [3:0] never_ready = {4{1'b1}};
  reg [127:0] last_m_axis_tdata;
  reg [3:0] last_m_axis_tlast;
  always @(posedge clk) begin
    waits <= rst ? 0 : m_axis_tvalid & ~m_axis_tready;
    never_ready <= never_ready & ~m_axis_tready;
    last_m_axis_tdata <= m_axis_tdata;
    last_m_axis_tlast <= m_axis_tlast;
  end

  // ---- Properties ------------------------------------------------------------------------
  always @* if (rst) begin
    no_valid_under_reset: assert (m_axis_tvalid == 0);
    no_ready_under_reset: assert (s_axis_tready == 0);
    no_error_under_reset: assert (s_axis_error == 0);
  end
  always @* if (running) begin
    valid_stays: assert ((waits & ~m_axis_tvalid) == 0);
    nothing_is_dropped: assert (s_axis_error == 0);
  end
  genvar t;
  generate
    for (t = 0; t < 4; t = t + 1) begin : terminal
      // What is offered stays as it is.
      always @* if (running & waits[t]) begin
        assert (m_axis_tdata[t*32 +: 32] ==
            last_m_axis_tdata[t*32 +: 32]);
        assert (m_axis_tlast[t*1 +: 1] ==
            last_m_axis_tlast[t*1 +: 1]);
      end
      begin : reached
        // `tvalid` does not wait for `tready`.
        always @* if (running) cover (m_axis_tvalid[t] & never_ready[t] & waits[t]);
      end
    end
  endgenerate

endmodule
