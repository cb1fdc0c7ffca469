// hypercube_2_ecube_switch
// A switch with a crossbar of just the turns that the routing takes.
//
//        dim0 dim1 eject
// inject  X    X     X
// dim0    .    X     X
// dim1    .    .     X
//
// A flit is {last [1], data [32]}.
// Header bits per port: the bits still to be corrected, by number.
//   inject   {1, 0}
//   dim0     {1}
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 2a0aa03eb43bc445
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube_switch (
  input  wire        clk,
  input  wire        rst,
  input  wire        inject_in_valid,
  output wire        inject_in_ready,
  input  wire  [1:0] inject_in_header,
  input  wire [32:0] inject_in_flit,
  input  wire        dim0_in_valid,
  output wire        dim0_in_ready,
  input  wire        dim0_in_header,
  input  wire [32:0] dim0_in_flit,
  input  wire        dim1_in_valid,
  output wire        dim1_in_ready,
  input  wire [32:0] dim1_in_flit,
  output wire        dim0_out_valid,
  input  wire        dim0_out_ready,
  output wire        dim0_out_header,
  output wire [32:0] dim0_out_flit,
  output wire        dim1_out_valid,
  input  wire        dim1_out_ready,
  output wire [32:0] dim1_out_flit,
  output wire        eject_out_valid,
  input  wire        eject_out_ready,
  output wire [32:0] eject_out_flit
);

  // ---- Queue inject ----------------------------------------------------------------------
  wire inject_valid;
  wire inject_pop;
  wire [34:0] inject_head;
  hypercube_2_ecube_fifo_4 #(
    .WIDTH(35)
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
  wire [1:0] inject_header = inject_head[34:33];
  wire inject_to_dim0 = inject_valid & inject_header[0];
  wire inject_to_dim1 = inject_valid & inject_header[1] & ~inject_header[0];
  wire inject_to_eject = inject_valid & ~inject_header[0] & ~inject_header[1];

  // ---- Queue dim0 ------------------------------------------------------------------------
  wire dim0_valid;
  wire dim0_pop;
  wire [33:0] dim0_head;
  hypercube_2_ecube_fifo_4 #(
    .WIDTH(34)
  ) dim0_fifo (
    .clk(clk),
    .rst(rst),
    .in_valid(dim0_in_valid),
    .in_ready(dim0_in_ready),
    .in_data({dim0_in_header, dim0_in_flit}),
    .out_valid(dim0_valid),
    .out_ready(dim0_pop),
    .out_data(dim0_head)
  );
  wire [32:0] dim0_flit = dim0_head[32:0];
  wire dim0_header = dim0_head[33];
  wire dim0_to_dim1 = dim0_valid & dim0_header;
  wire dim0_to_eject = dim0_valid & ~dim0_header;

  // ---- Queue dim1 ------------------------------------------------------------------------
  wire dim1_valid;
  wire dim1_pop;
  wire [32:0] dim1_head;
  hypercube_2_ecube_fifo_4 #(
    .WIDTH(33)
  ) dim1_fifo (
    .clk(clk),
    .rst(rst),
    .in_valid(dim1_in_valid),
    .in_ready(dim1_in_ready),
    .in_data(dim1_in_flit),
    .out_valid(dim1_valid),
    .out_ready(dim1_pop),
    .out_data(dim1_head)
  );
  wire dim1_to_eject = dim1_valid;

  // ---- Output dim0 -----------------------------------------------------------------------
  wire dim0_grant = inject_to_dim0;
  wire dim0_goes = dim0_grant & dim0_out_ready;
  assign dim0_out_flit = inject_flit;
  assign dim0_out_header = inject_header[1];
  assign dim0_out_valid = dim0_goes;

  // ---- Output dim1 -----------------------------------------------------------------------
  wire [1:0] dim1_request = {dim0_to_dim1, inject_to_dim1};
  wire dim1_done;
  wire [1:0] dim1_grant;
  hypercube_2_ecube_arbiter_2 dim1_arbiter (
    .clk(clk),
    .rst(rst),
    .request(dim1_request),
    .done(dim1_done),
    .grant(dim1_grant)
  );
  wire dim1_goes = (|dim1_grant) & dim1_out_ready;
  wire [1:0] dim1_select = {dim1_grant[1], dim1_grant[0]};
  hypercube_2_ecube_mux_2 #(
    .WIDTH(33)
  ) dim1_mux (
    .select(dim1_select),
    .in0(inject_flit),
    .in1(dim0_flit),
    .out(dim1_out_flit)
  );
  assign dim1_done = dim1_goes & dim1_out_flit[32];
  assign dim1_out_valid = dim1_goes;

  // ---- Output eject ----------------------------------------------------------------------
  wire [2:0] eject_request = {dim1_to_eject, dim0_to_eject, inject_to_eject};
  wire eject_done;
  wire [2:0] eject_grant;
  hypercube_2_ecube_arbiter_3 eject_arbiter (
    .clk(clk),
    .rst(rst),
    .request(eject_request),
    .done(eject_done),
    .grant(eject_grant)
  );
  assign eject_out_valid = |eject_grant;
  wire eject_goes = eject_out_valid & eject_out_ready;
  wire [2:0] eject_select = {eject_grant[2], eject_grant[1], eject_grant[0]};
  hypercube_2_ecube_mux_3 #(
    .WIDTH(33)
  ) eject_mux (
    .select(eject_select),
    .in0(inject_flit),
    .in1(dim0_flit),
    .in2(dim1_head),
    .out(eject_out_flit)
  );
  assign eject_done = eject_goes & eject_out_flit[32];

  // ---- Heads that leave ------------------------------------------------------------------
  assign inject_pop = (dim0_grant & dim0_out_ready) | (dim1_grant[0] & dim1_out_ready) |
      (eject_grant[0] & eject_out_ready);
  assign dim0_pop = (dim1_grant[1] & dim1_out_ready) | (eject_grant[1] & eject_out_ready);
  assign dim1_pop = eject_grant[2] & eject_out_ready;

endmodule

`resetall
