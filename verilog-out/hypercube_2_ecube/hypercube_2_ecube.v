// hypercube_2_ecube
// The whole network: 4 terminals at 4 switches, 8 channels.
// Terminal t is the node with address t; its slice of a port of W bits per terminal
// is [t*W +: W]. tdest is read on the first beat of a packet.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Deadlock-free as long as each sink takes what it is offered, whatever the other terminals do.
// Turnpike 0.1.0, digest 736027948b5cfcf2
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_2_ecube (
  input  wire         clk,
  input  wire         rst,
  input  wire   [3:0] s_axis_tvalid,
  output wire   [3:0] s_axis_tready,
  input  wire   [7:0] s_axis_tdest,
  input  wire [127:0] s_axis_tdata,
  input  wire   [3:0] s_axis_tlast,
  output wire   [3:0] s_axis_error,
  output wire   [3:0] m_axis_tvalid,
  input  wire   [3:0] m_axis_tready,
  output wire [127:0] m_axis_tdata,
  output wire   [3:0] m_axis_tlast
);

  // ---- Node 00 ---------------------------------------------------------------------------
  wire n00_inject_accepts;
  wire n00_inject_valid;
  wire n00_inject_ready;
  wire [1:0] n00_inject_header;
  wire [32:0] n00_inject_flit;
  hypercube_2_ecube_injector n00_injector (
    .clk(clk),
    .rst(rst),
    .address(2'd0),
    .in_valid(s_axis_tvalid[0]),
    .in_ready(n00_inject_accepts),
    .in_dest(s_axis_tdest[1:0]),
    .in_flit({s_axis_tlast[0], s_axis_tdata[31:0]}),
    .out_valid(n00_inject_valid),
    .out_ready(n00_inject_ready),
    .out_header(n00_inject_header),
    .out_flit(n00_inject_flit)
  );
  wire n00_eject_ready = m_axis_tready[0];
  wire n01_dim0_valid;
  wire n01_dim0_ready;
  wire n01_dim0_header;
  wire [32:0] n01_dim0_flit;
  wire n10_dim1_valid;
  wire n10_dim1_ready;
  wire [32:0] n10_dim1_flit;
  wire n00_dim0_valid;
  wire n00_dim0_ready;
  wire n00_dim0_header;
  wire [32:0] n00_dim0_flit;
  wire n00_dim1_valid;
  wire n00_dim1_ready;
  wire [32:0] n00_dim1_flit;
  wire n00_eject_valid;
  wire [32:0] n00_eject_flit;
  hypercube_2_ecube_switch n00_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n00_inject_valid),
    .inject_in_ready(n00_inject_ready),
    .inject_in_header(n00_inject_header),
    .inject_in_flit(n00_inject_flit),
    .dim0_in_valid(n01_dim0_valid),
    .dim0_in_ready(n01_dim0_ready),
    .dim0_in_header(n01_dim0_header),
    .dim0_in_flit(n01_dim0_flit),
    .dim1_in_valid(n10_dim1_valid),
    .dim1_in_ready(n10_dim1_ready),
    .dim1_in_flit(n10_dim1_flit),
    .dim0_out_valid(n00_dim0_valid),
    .dim0_out_ready(n00_dim0_ready),
    .dim0_out_header(n00_dim0_header),
    .dim0_out_flit(n00_dim0_flit),
    .dim1_out_valid(n00_dim1_valid),
    .dim1_out_ready(n00_dim1_ready),
    .dim1_out_flit(n00_dim1_flit),
    .eject_out_valid(n00_eject_valid),
    .eject_out_ready(n00_eject_ready),
    .eject_out_flit(n00_eject_flit)
  );

  // ---- Node 01 ---------------------------------------------------------------------------
  wire n01_inject_accepts;
  wire n01_inject_valid;
  wire n01_inject_ready;
  wire [1:0] n01_inject_header;
  wire [32:0] n01_inject_flit;
  hypercube_2_ecube_injector n01_injector (
    .clk(clk),
    .rst(rst),
    .address(2'd1),
    .in_valid(s_axis_tvalid[1]),
    .in_ready(n01_inject_accepts),
    .in_dest(s_axis_tdest[3:2]),
    .in_flit({s_axis_tlast[1], s_axis_tdata[63:32]}),
    .out_valid(n01_inject_valid),
    .out_ready(n01_inject_ready),
    .out_header(n01_inject_header),
    .out_flit(n01_inject_flit)
  );
  wire n01_eject_ready = m_axis_tready[1];
  wire n11_dim1_valid;
  wire n11_dim1_ready;
  wire [32:0] n11_dim1_flit;
  wire n01_dim1_valid;
  wire n01_dim1_ready;
  wire [32:0] n01_dim1_flit;
  wire n01_eject_valid;
  wire [32:0] n01_eject_flit;
  hypercube_2_ecube_switch n01_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n01_inject_valid),
    .inject_in_ready(n01_inject_ready),
    .inject_in_header(n01_inject_header),
    .inject_in_flit(n01_inject_flit),
    .dim0_in_valid(n00_dim0_valid),
    .dim0_in_ready(n00_dim0_ready),
    .dim0_in_header(n00_dim0_header),
    .dim0_in_flit(n00_dim0_flit),
    .dim1_in_valid(n11_dim1_valid),
    .dim1_in_ready(n11_dim1_ready),
    .dim1_in_flit(n11_dim1_flit),
    .dim0_out_valid(n01_dim0_valid),
    .dim0_out_ready(n01_dim0_ready),
    .dim0_out_header(n01_dim0_header),
    .dim0_out_flit(n01_dim0_flit),
    .dim1_out_valid(n01_dim1_valid),
    .dim1_out_ready(n01_dim1_ready),
    .dim1_out_flit(n01_dim1_flit),
    .eject_out_valid(n01_eject_valid),
    .eject_out_ready(n01_eject_ready),
    .eject_out_flit(n01_eject_flit)
  );

  // ---- Node 10 ---------------------------------------------------------------------------
  wire n10_inject_accepts;
  wire n10_inject_valid;
  wire n10_inject_ready;
  wire [1:0] n10_inject_header;
  wire [32:0] n10_inject_flit;
  hypercube_2_ecube_injector n10_injector (
    .clk(clk),
    .rst(rst),
    .address(2'd2),
    .in_valid(s_axis_tvalid[2]),
    .in_ready(n10_inject_accepts),
    .in_dest(s_axis_tdest[5:4]),
    .in_flit({s_axis_tlast[2], s_axis_tdata[95:64]}),
    .out_valid(n10_inject_valid),
    .out_ready(n10_inject_ready),
    .out_header(n10_inject_header),
    .out_flit(n10_inject_flit)
  );
  wire n10_eject_ready = m_axis_tready[2];
  wire n11_dim0_valid;
  wire n11_dim0_ready;
  wire n11_dim0_header;
  wire [32:0] n11_dim0_flit;
  wire n10_dim0_valid;
  wire n10_dim0_ready;
  wire n10_dim0_header;
  wire [32:0] n10_dim0_flit;
  wire n10_eject_valid;
  wire [32:0] n10_eject_flit;
  hypercube_2_ecube_switch n10_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n10_inject_valid),
    .inject_in_ready(n10_inject_ready),
    .inject_in_header(n10_inject_header),
    .inject_in_flit(n10_inject_flit),
    .dim0_in_valid(n11_dim0_valid),
    .dim0_in_ready(n11_dim0_ready),
    .dim0_in_header(n11_dim0_header),
    .dim0_in_flit(n11_dim0_flit),
    .dim1_in_valid(n00_dim1_valid),
    .dim1_in_ready(n00_dim1_ready),
    .dim1_in_flit(n00_dim1_flit),
    .dim0_out_valid(n10_dim0_valid),
    .dim0_out_ready(n10_dim0_ready),
    .dim0_out_header(n10_dim0_header),
    .dim0_out_flit(n10_dim0_flit),
    .dim1_out_valid(n10_dim1_valid),
    .dim1_out_ready(n10_dim1_ready),
    .dim1_out_flit(n10_dim1_flit),
    .eject_out_valid(n10_eject_valid),
    .eject_out_ready(n10_eject_ready),
    .eject_out_flit(n10_eject_flit)
  );

  // ---- Node 11 ---------------------------------------------------------------------------
  wire n11_inject_accepts;
  wire n11_inject_valid;
  wire n11_inject_ready;
  wire [1:0] n11_inject_header;
  wire [32:0] n11_inject_flit;
  hypercube_2_ecube_injector n11_injector (
    .clk(clk),
    .rst(rst),
    .address(2'd3),
    .in_valid(s_axis_tvalid[3]),
    .in_ready(n11_inject_accepts),
    .in_dest(s_axis_tdest[7:6]),
    .in_flit({s_axis_tlast[3], s_axis_tdata[127:96]}),
    .out_valid(n11_inject_valid),
    .out_ready(n11_inject_ready),
    .out_header(n11_inject_header),
    .out_flit(n11_inject_flit)
  );
  wire n11_eject_ready = m_axis_tready[3];
  wire n11_eject_valid;
  wire [32:0] n11_eject_flit;
  hypercube_2_ecube_switch n11_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n11_inject_valid),
    .inject_in_ready(n11_inject_ready),
    .inject_in_header(n11_inject_header),
    .inject_in_flit(n11_inject_flit),
    .dim0_in_valid(n10_dim0_valid),
    .dim0_in_ready(n10_dim0_ready),
    .dim0_in_header(n10_dim0_header),
    .dim0_in_flit(n10_dim0_flit),
    .dim1_in_valid(n01_dim1_valid),
    .dim1_in_ready(n01_dim1_ready),
    .dim1_in_flit(n01_dim1_flit),
    .dim0_out_valid(n11_dim0_valid),
    .dim0_out_ready(n11_dim0_ready),
    .dim0_out_header(n11_dim0_header),
    .dim0_out_flit(n11_dim0_flit),
    .dim1_out_valid(n11_dim1_valid),
    .dim1_out_ready(n11_dim1_ready),
    .dim1_out_flit(n11_dim1_flit),
    .eject_out_valid(n11_eject_valid),
    .eject_out_ready(n11_eject_ready),
    .eject_out_flit(n11_eject_flit)
  );

  // ---- Terminals -------------------------------------------------------------------------
  // Nothing is offered or accepted under reset.
  assign s_axis_tready = {4{~rst}} & {n11_inject_accepts, n10_inject_accepts, n01_inject_accepts,
      n00_inject_accepts};
  assign m_axis_tvalid = {4{~rst}} & {n11_eject_valid, n10_eject_valid, n01_eject_valid,
      n00_eject_valid};
  assign m_axis_tdata = {n11_eject_flit[31:0], n10_eject_flit[31:0], n01_eject_flit[31:0],
      n00_eject_flit[31:0]};
  assign m_axis_tlast = {n11_eject_flit[32], n10_eject_flit[32], n01_eject_flit[32],
      n00_eject_flit[32]};
  // Every address is a live terminal of this network: no packet is refused.
  assign s_axis_error = 4'd0;

endmodule

`resetall
