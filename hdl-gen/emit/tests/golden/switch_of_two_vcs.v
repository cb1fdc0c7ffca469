// hypercube_3_rotation_switch
// A switch with a crossbar of just the turns that the routing takes.
//
//          dim0_vc0 dim1_vc0 dim2_vc0 dim2_vc1 eject
// inject      X        X        X        .       X
// dim0_vc0    .        .        .        X       X
// dim1_vc0    X        .        .        .       X
// dim2_vc0    .        X        .        .       X
// dim2_vc1    .        .        .        .       X
//
// A flit is {last [1], data [32]}.
// Header bits per port: the bits still to be corrected, by number.
// Bits 5 to 3, at inject: the first port, one-hot.
//   inject   {5, 4, 3, 2, 1, 0}
//   dim0     {2}
//   dim1     {0}
//   dim2     {1, 0}
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_3_rotation_switch (
  input  wire        clk,
  input  wire        rst,
  input  wire        inject_in_valid,
  output wire        inject_in_ready,
  input  wire  [5:0] inject_in_header,
  input  wire [32:0] inject_in_flit,
  input  wire        dim0_in_valid,
  output wire        dim0_in_ready,
  input  wire        dim0_in_header,
  input  wire [32:0] dim0_in_flit,
  input  wire        dim1_in_valid,
  output wire        dim1_in_ready,
  input  wire        dim1_in_header,
  input  wire [32:0] dim1_in_flit,
  input  wire        dim2_in_vc0_valid,
  output wire        dim2_in_vc0_ready,
  input  wire        dim2_in_vc1_valid,
  output wire        dim2_in_vc1_ready,
  input  wire  [1:0] dim2_in_header,
  input  wire [32:0] dim2_in_flit,
  output wire        dim0_out_valid,
  input  wire        dim0_out_ready,
  output wire        dim0_out_header,
  output wire [32:0] dim0_out_flit,
  output wire        dim1_out_valid,
  input  wire        dim1_out_ready,
  output wire        dim1_out_header,
  output wire [32:0] dim1_out_flit,
  output wire        dim2_out_vc0_valid,
  input  wire        dim2_out_vc0_ready,
  output wire        dim2_out_vc1_valid,
  input  wire        dim2_out_vc1_ready,
  output wire  [1:0] dim2_out_header,
  output wire [32:0] dim2_out_flit,
  output wire        eject_out_valid,
  input  wire        eject_out_ready,
  output wire [32:0] eject_out_flit
);

  // ---- Queue inject ----------------------------------------------------------------------
  wire inject_valid;
  wire inject_pop;
  wire [38:0] inject_head;
  hypercube_3_rotation_fifo_4 #(
    .WIDTH(39)
  ) inject_fifo (
    .clk(clk),
    .rst(rst),
    .in_valid(inject_in_valid),
    .in_ready(inject_in_ready),
    .in_data({inject_in_header, inject_in_flit}),
    .out_valid(inject_valid),
    .out_ready(inject_pop),
    .out_data(inject_head)
  );
  wire [32:0] inject_flit = inject_head[32:0];
  wire [5:0] inject_header = inject_head[38:33];
  wire inject_to_dim0 = inject_valid & inject_header[3];
  wire inject_to_dim1 = inject_valid & inject_header[4];
  wire inject_to_dim2 = inject_valid & inject_header[5];
  wire inject_to_eject = inject_valid & ~inject_header[3] & ~inject_header[4] & ~inject_header[5];

  // ---- Queue dim0_vc0 --------------------------------------------------------------------
  wire dim0_vc0_valid;
  wire dim0_vc0_pop;
  wire [33:0] dim0_vc0_head;
  hypercube_3_rotation_fifo_4 #(
    .WIDTH(34)
  ) dim0_vc0_fifo (
    .clk(clk),
    .rst(rst),
    .in_valid(dim0_in_valid),
    .in_ready(dim0_in_ready),
    .in_data({dim0_in_header, dim0_in_flit}),
    .out_valid(dim0_vc0_valid),
    .out_ready(dim0_vc0_pop),
    .out_data(dim0_vc0_head)
  );
  wire [32:0] dim0_vc0_flit = dim0_vc0_head[32:0];
  wire dim0_vc0_header = dim0_vc0_head[33];
  wire dim0_vc0_to_dim2 = dim0_vc0_valid & dim0_vc0_header;
  wire dim0_vc0_to_eject = dim0_vc0_valid & ~dim0_vc0_header;

  // ---- Queue dim1_vc0 --------------------------------------------------------------------
  wire dim1_vc0_valid;
  wire dim1_vc0_pop;
  wire [33:0] dim1_vc0_head;
  hypercube_3_rotation_fifo_4 #(
    .WIDTH(34)
  ) dim1_vc0_fifo (
    .clk(clk),
    .rst(rst),
    .in_valid(dim1_in_valid),
    .in_ready(dim1_in_ready),
    .in_data({dim1_in_header, dim1_in_flit}),
    .out_valid(dim1_vc0_valid),
    .out_ready(dim1_vc0_pop),
    .out_data(dim1_vc0_head)
  );
  wire [32:0] dim1_vc0_flit = dim1_vc0_head[32:0];
  wire dim1_vc0_header = dim1_vc0_head[33];
  wire dim1_vc0_to_dim0 = dim1_vc0_valid & dim1_vc0_header;
  wire dim1_vc0_to_eject = dim1_vc0_valid & ~dim1_vc0_header;

  // ---- Queue dim2_vc0 --------------------------------------------------------------------
  wire dim2_vc0_valid;
  wire dim2_vc0_pop;
  wire [34:0] dim2_vc0_head;
  hypercube_3_rotation_fifo_4 #(
    .WIDTH(35)
  ) dim2_vc0_fifo (
    .clk(clk),
    .rst(rst),
    .in_valid(dim2_in_vc0_valid),
    .in_ready(dim2_in_vc0_ready),
    .in_data({dim2_in_header, dim2_in_flit}),
    .out_valid(dim2_vc0_valid),
    .out_ready(dim2_vc0_pop),
    .out_data(dim2_vc0_head)
  );
  wire [32:0] dim2_vc0_flit = dim2_vc0_head[32:0];
  wire [1:0] dim2_vc0_header = dim2_vc0_head[34:33];
  wire dim2_vc0_to_dim1 = dim2_vc0_valid & dim2_vc0_header[1];
  wire dim2_vc0_to_eject = dim2_vc0_valid & ~dim2_vc0_header[1];

  // ---- Queue dim2_vc1 --------------------------------------------------------------------
  wire dim2_vc1_valid;
  wire dim2_vc1_pop;
  wire [32:0] dim2_vc1_head;
  hypercube_3_rotation_fifo_4 #(
    .WIDTH(33)
  ) dim2_vc1_fifo (
    .clk(clk),
    .rst(rst),
    .in_valid(dim2_in_vc1_valid),
    .in_ready(dim2_in_vc1_ready),
    .in_data(dim2_in_flit),
    .out_valid(dim2_vc1_valid),
    .out_ready(dim2_vc1_pop),
    .out_data(dim2_vc1_head)
  );
  wire dim2_vc1_to_eject = dim2_vc1_valid;

  // ---- Output dim0 -----------------------------------------------------------------------
  wire [1:0] dim0_vc0_request = {dim1_vc0_to_dim0, inject_to_dim0};
  wire dim0_vc0_done;
  wire [1:0] dim0_vc0_grant;
  hypercube_3_rotation_arbiter_2 dim0_vc0_arbiter (
    .clk(clk),
    .rst(rst),
    .request(dim0_vc0_request),
    .done(dim0_vc0_done),
    .grant(dim0_vc0_grant)
  );
  wire dim0_vc0_goes = (|dim0_vc0_grant) & dim0_out_ready;
  wire [1:0] dim0_select = {dim0_vc0_grant[1], dim0_vc0_grant[0]};
  hypercube_3_rotation_mux_2 #(
    .WIDTH(33)
  ) dim0_mux (
    .select(dim0_select),
    .in0(inject_flit),
    .in1(dim1_vc0_flit),
    .out(dim0_out_flit)
  );
  assign dim0_out_header = dim0_select[0] & inject_header[2];
  assign dim0_vc0_done = dim0_vc0_goes & dim0_out_flit[32];
  assign dim0_out_valid = dim0_vc0_goes;

  // ---- Output dim1 -----------------------------------------------------------------------
  wire [1:0] dim1_vc0_request = {dim2_vc0_to_dim1, inject_to_dim1};
  wire dim1_vc0_done;
  wire [1:0] dim1_vc0_grant;
  hypercube_3_rotation_arbiter_2 dim1_vc0_arbiter (
    .clk(clk),
    .rst(rst),
    .request(dim1_vc0_request),
    .done(dim1_vc0_done),
    .grant(dim1_vc0_grant)
  );
  wire dim1_vc0_goes = (|dim1_vc0_grant) & dim1_out_ready;
  wire [1:0] dim1_select = {dim1_vc0_grant[1], dim1_vc0_grant[0]};
  hypercube_3_rotation_mux_2 #(
    .WIDTH(33)
  ) dim1_mux (
    .select(dim1_select),
    .in0(inject_flit),
    .in1(dim2_vc0_flit),
    .out(dim1_out_flit)
  );
  assign dim1_out_header = (dim1_select[0] & inject_header[0]) | (dim1_select[1] &
      dim2_vc0_header[0]);
  assign dim1_vc0_done = dim1_vc0_goes & dim1_out_flit[32];
  assign dim1_out_valid = dim1_vc0_goes;

  // ---- Output dim2 -----------------------------------------------------------------------
  wire dim2_vc0_grant = inject_to_dim2;
  wire dim2_vc1_grant = dim0_vc0_to_dim2;
  // The VCs share the link flit by flit: none holds it against another.
  wire [1:0] dim2_link_request = {dim2_vc1_grant & dim2_out_vc1_ready, dim2_vc0_grant &
      dim2_out_vc0_ready};
  wire [1:0] dim2_link_grant;
  hypercube_3_rotation_arbiter_2 dim2_link_arbiter (
    .clk(clk),
    .rst(rst),
    .request(dim2_link_request),
    .done(1'd1),
    .grant(dim2_link_grant)
  );
  wire dim2_vc0_goes = dim2_link_grant[0];
  wire dim2_vc1_goes = dim2_link_grant[1];
  wire [1:0] dim2_select = {dim2_vc1_grant & dim2_vc1_goes, dim2_vc0_grant & dim2_vc0_goes};
  hypercube_3_rotation_mux_2 #(
    .WIDTH(33)
  ) dim2_mux (
    .select(dim2_select),
    .in0(inject_flit),
    .in1(dim0_vc0_flit),
    .out(dim2_out_flit)
  );
  assign dim2_out_header = {dim2_select[0] & inject_header[1], dim2_select[0] & inject_header[0]};
  assign dim2_out_vc0_valid = dim2_vc0_goes;
  assign dim2_out_vc1_valid = dim2_vc1_goes;

  // ---- Output eject ----------------------------------------------------------------------
  wire [4:0] eject_request = {dim2_vc1_to_eject, dim2_vc0_to_eject, dim1_vc0_to_eject,
      dim0_vc0_to_eject, inject_to_eject};
  wire eject_done;
  wire [4:0] eject_grant;
  hypercube_3_rotation_arbiter_5 eject_arbiter (
    .clk(clk),
    .rst(rst),
    .request(eject_request),
    .done(eject_done),
    .grant(eject_grant)
  );
  assign eject_out_valid = |eject_grant;
  wire eject_goes = eject_out_valid & eject_out_ready;
  wire [4:0] eject_select = {eject_grant[4], eject_grant[3], eject_grant[2], eject_grant[1],
      eject_grant[0]};
  hypercube_3_rotation_mux_5 #(
    .WIDTH(33)
  ) eject_mux (
    .select(eject_select),
    .in0(inject_flit),
    .in1(dim0_vc0_flit),
    .in2(dim1_vc0_flit),
    .in3(dim2_vc0_flit),
    .in4(dim2_vc1_head),
    .out(eject_out_flit)
  );
  assign eject_done = eject_goes & eject_out_flit[32];

  // ---- Heads that leave ------------------------------------------------------------------
  assign inject_pop = (dim0_vc0_grant[0] & dim0_out_ready) | (dim1_vc0_grant[0] & dim1_out_ready) |
      (dim2_vc0_grant & dim2_vc0_goes) | (eject_grant[0] & eject_out_ready);
  assign dim0_vc0_pop = (dim2_vc1_grant & dim2_vc1_goes) | (eject_grant[1] & eject_out_ready);
  assign dim1_vc0_pop = (dim0_vc0_grant[1] & dim0_out_ready) | (eject_grant[2] & eject_out_ready);
  assign dim2_vc0_pop = (dim1_vc0_grant[1] & dim1_out_ready) | (eject_grant[3] & eject_out_ready);
  assign dim2_vc1_pop = eject_grant[4] & eject_out_ready;

endmodule

`resetall
