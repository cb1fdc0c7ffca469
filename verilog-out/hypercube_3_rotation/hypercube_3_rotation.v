// hypercube_3_rotation
// The whole network: 8 terminals at 8 switches, 24 channels.
// Terminal t is the node with address t; its slice of a port of W bits per terminal
// is [t*W +: W]. tdest is read on the first beat of a packet.
//
// Configuration: hypercube --dim 3 --routing rotation --width 32 --depth 4 --name
//   hypercube_3_rotation
// Turnpike 0.1.0, digest 73af30c09e370553
`resetall
`timescale 1ns / 1ps
`default_nettype none

module hypercube_3_rotation (
  input  wire         clk,
  input  wire         rst,
  input  wire   [7:0] s_axis_tvalid,
  output wire   [7:0] s_axis_tready,
  input  wire  [23:0] s_axis_tdest,
  input  wire [255:0] s_axis_tdata,
  input  wire   [7:0] s_axis_tlast,
  output wire   [7:0] s_axis_error,
  output wire   [7:0] m_axis_tvalid,
  input  wire   [7:0] m_axis_tready,
  output wire [255:0] m_axis_tdata,
  output wire   [7:0] m_axis_tlast
);

  // ---- Node 000 --------------------------------------------------------------------------
  wire n000_inject_accepts;
  wire n000_inject_valid;
  wire n000_inject_ready;
  wire [5:0] n000_inject_header;
  wire [32:0] n000_inject_flit;
  hypercube_3_rotation_injector n000_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd0),
    .in_valid(s_axis_tvalid[0]),
    .in_ready(n000_inject_accepts),
    .in_dest(s_axis_tdest[2:0]),
    .in_flit({s_axis_tlast[0], s_axis_tdata[31:0]}),
    .out_valid(n000_inject_valid),
    .out_ready(n000_inject_ready),
    .out_header(n000_inject_header),
    .out_flit(n000_inject_flit)
  );
  wire n000_eject_ready = m_axis_tready[0];
  wire n001_dim0_valid;
  wire n001_dim0_ready;
  wire n001_dim0_header;
  wire [32:0] n001_dim0_flit;
  wire n010_dim1_valid;
  wire n010_dim1_ready;
  wire n010_dim1_header;
  wire [32:0] n010_dim1_flit;
  wire n100_dim2_vc0_valid;
  wire n100_dim2_vc0_ready;
  wire n100_dim2_vc1_valid;
  wire n100_dim2_vc1_ready;
  wire [1:0] n100_dim2_header;
  wire [32:0] n100_dim2_flit;
  wire n000_dim0_valid;
  wire n000_dim0_ready;
  wire n000_dim0_header;
  wire [32:0] n000_dim0_flit;
  wire n000_dim1_valid;
  wire n000_dim1_ready;
  wire n000_dim1_header;
  wire [32:0] n000_dim1_flit;
  wire n000_dim2_vc0_valid;
  wire n000_dim2_vc0_ready;
  wire n000_dim2_vc1_valid;
  wire n000_dim2_vc1_ready;
  wire [1:0] n000_dim2_header;
  wire [32:0] n000_dim2_flit;
  wire n000_eject_valid;
  wire [32:0] n000_eject_flit;
  hypercube_3_rotation_switch n000_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n000_inject_valid),
    .inject_in_ready(n000_inject_ready),
    .inject_in_header(n000_inject_header),
    .inject_in_flit(n000_inject_flit),
    .dim0_in_valid(n001_dim0_valid),
    .dim0_in_ready(n001_dim0_ready),
    .dim0_in_header(n001_dim0_header),
    .dim0_in_flit(n001_dim0_flit),
    .dim1_in_valid(n010_dim1_valid),
    .dim1_in_ready(n010_dim1_ready),
    .dim1_in_header(n010_dim1_header),
    .dim1_in_flit(n010_dim1_flit),
    .dim2_in_vc0_valid(n100_dim2_vc0_valid),
    .dim2_in_vc0_ready(n100_dim2_vc0_ready),
    .dim2_in_vc1_valid(n100_dim2_vc1_valid),
    .dim2_in_vc1_ready(n100_dim2_vc1_ready),
    .dim2_in_header(n100_dim2_header),
    .dim2_in_flit(n100_dim2_flit),
    .dim0_out_valid(n000_dim0_valid),
    .dim0_out_ready(n000_dim0_ready),
    .dim0_out_header(n000_dim0_header),
    .dim0_out_flit(n000_dim0_flit),
    .dim1_out_valid(n000_dim1_valid),
    .dim1_out_ready(n000_dim1_ready),
    .dim1_out_header(n000_dim1_header),
    .dim1_out_flit(n000_dim1_flit),
    .dim2_out_vc0_valid(n000_dim2_vc0_valid),
    .dim2_out_vc0_ready(n000_dim2_vc0_ready),
    .dim2_out_vc1_valid(n000_dim2_vc1_valid),
    .dim2_out_vc1_ready(n000_dim2_vc1_ready),
    .dim2_out_header(n000_dim2_header),
    .dim2_out_flit(n000_dim2_flit),
    .eject_out_valid(n000_eject_valid),
    .eject_out_ready(n000_eject_ready),
    .eject_out_flit(n000_eject_flit)
  );

  // ---- Node 001 --------------------------------------------------------------------------
  wire n001_inject_accepts;
  wire n001_inject_valid;
  wire n001_inject_ready;
  wire [5:0] n001_inject_header;
  wire [32:0] n001_inject_flit;
  hypercube_3_rotation_injector n001_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd1),
    .in_valid(s_axis_tvalid[1]),
    .in_ready(n001_inject_accepts),
    .in_dest(s_axis_tdest[5:3]),
    .in_flit({s_axis_tlast[1], s_axis_tdata[63:32]}),
    .out_valid(n001_inject_valid),
    .out_ready(n001_inject_ready),
    .out_header(n001_inject_header),
    .out_flit(n001_inject_flit)
  );
  wire n001_eject_ready = m_axis_tready[1];
  wire n011_dim1_valid;
  wire n011_dim1_ready;
  wire n011_dim1_header;
  wire [32:0] n011_dim1_flit;
  wire n101_dim2_vc0_valid;
  wire n101_dim2_vc0_ready;
  wire n101_dim2_vc1_valid;
  wire n101_dim2_vc1_ready;
  wire [1:0] n101_dim2_header;
  wire [32:0] n101_dim2_flit;
  wire n001_dim1_valid;
  wire n001_dim1_ready;
  wire n001_dim1_header;
  wire [32:0] n001_dim1_flit;
  wire n001_dim2_vc0_valid;
  wire n001_dim2_vc0_ready;
  wire n001_dim2_vc1_valid;
  wire n001_dim2_vc1_ready;
  wire [1:0] n001_dim2_header;
  wire [32:0] n001_dim2_flit;
  wire n001_eject_valid;
  wire [32:0] n001_eject_flit;
  hypercube_3_rotation_switch n001_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n001_inject_valid),
    .inject_in_ready(n001_inject_ready),
    .inject_in_header(n001_inject_header),
    .inject_in_flit(n001_inject_flit),
    .dim0_in_valid(n000_dim0_valid),
    .dim0_in_ready(n000_dim0_ready),
    .dim0_in_header(n000_dim0_header),
    .dim0_in_flit(n000_dim0_flit),
    .dim1_in_valid(n011_dim1_valid),
    .dim1_in_ready(n011_dim1_ready),
    .dim1_in_header(n011_dim1_header),
    .dim1_in_flit(n011_dim1_flit),
    .dim2_in_vc0_valid(n101_dim2_vc0_valid),
    .dim2_in_vc0_ready(n101_dim2_vc0_ready),
    .dim2_in_vc1_valid(n101_dim2_vc1_valid),
    .dim2_in_vc1_ready(n101_dim2_vc1_ready),
    .dim2_in_header(n101_dim2_header),
    .dim2_in_flit(n101_dim2_flit),
    .dim0_out_valid(n001_dim0_valid),
    .dim0_out_ready(n001_dim0_ready),
    .dim0_out_header(n001_dim0_header),
    .dim0_out_flit(n001_dim0_flit),
    .dim1_out_valid(n001_dim1_valid),
    .dim1_out_ready(n001_dim1_ready),
    .dim1_out_header(n001_dim1_header),
    .dim1_out_flit(n001_dim1_flit),
    .dim2_out_vc0_valid(n001_dim2_vc0_valid),
    .dim2_out_vc0_ready(n001_dim2_vc0_ready),
    .dim2_out_vc1_valid(n001_dim2_vc1_valid),
    .dim2_out_vc1_ready(n001_dim2_vc1_ready),
    .dim2_out_header(n001_dim2_header),
    .dim2_out_flit(n001_dim2_flit),
    .eject_out_valid(n001_eject_valid),
    .eject_out_ready(n001_eject_ready),
    .eject_out_flit(n001_eject_flit)
  );

  // ---- Node 010 --------------------------------------------------------------------------
  wire n010_inject_accepts;
  wire n010_inject_valid;
  wire n010_inject_ready;
  wire [5:0] n010_inject_header;
  wire [32:0] n010_inject_flit;
  hypercube_3_rotation_injector n010_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd2),
    .in_valid(s_axis_tvalid[2]),
    .in_ready(n010_inject_accepts),
    .in_dest(s_axis_tdest[8:6]),
    .in_flit({s_axis_tlast[2], s_axis_tdata[95:64]}),
    .out_valid(n010_inject_valid),
    .out_ready(n010_inject_ready),
    .out_header(n010_inject_header),
    .out_flit(n010_inject_flit)
  );
  wire n010_eject_ready = m_axis_tready[2];
  wire n011_dim0_valid;
  wire n011_dim0_ready;
  wire n011_dim0_header;
  wire [32:0] n011_dim0_flit;
  wire n110_dim2_vc0_valid;
  wire n110_dim2_vc0_ready;
  wire n110_dim2_vc1_valid;
  wire n110_dim2_vc1_ready;
  wire [1:0] n110_dim2_header;
  wire [32:0] n110_dim2_flit;
  wire n010_dim0_valid;
  wire n010_dim0_ready;
  wire n010_dim0_header;
  wire [32:0] n010_dim0_flit;
  wire n010_dim2_vc0_valid;
  wire n010_dim2_vc0_ready;
  wire n010_dim2_vc1_valid;
  wire n010_dim2_vc1_ready;
  wire [1:0] n010_dim2_header;
  wire [32:0] n010_dim2_flit;
  wire n010_eject_valid;
  wire [32:0] n010_eject_flit;
  hypercube_3_rotation_switch n010_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n010_inject_valid),
    .inject_in_ready(n010_inject_ready),
    .inject_in_header(n010_inject_header),
    .inject_in_flit(n010_inject_flit),
    .dim0_in_valid(n011_dim0_valid),
    .dim0_in_ready(n011_dim0_ready),
    .dim0_in_header(n011_dim0_header),
    .dim0_in_flit(n011_dim0_flit),
    .dim1_in_valid(n000_dim1_valid),
    .dim1_in_ready(n000_dim1_ready),
    .dim1_in_header(n000_dim1_header),
    .dim1_in_flit(n000_dim1_flit),
    .dim2_in_vc0_valid(n110_dim2_vc0_valid),
    .dim2_in_vc0_ready(n110_dim2_vc0_ready),
    .dim2_in_vc1_valid(n110_dim2_vc1_valid),
    .dim2_in_vc1_ready(n110_dim2_vc1_ready),
    .dim2_in_header(n110_dim2_header),
    .dim2_in_flit(n110_dim2_flit),
    .dim0_out_valid(n010_dim0_valid),
    .dim0_out_ready(n010_dim0_ready),
    .dim0_out_header(n010_dim0_header),
    .dim0_out_flit(n010_dim0_flit),
    .dim1_out_valid(n010_dim1_valid),
    .dim1_out_ready(n010_dim1_ready),
    .dim1_out_header(n010_dim1_header),
    .dim1_out_flit(n010_dim1_flit),
    .dim2_out_vc0_valid(n010_dim2_vc0_valid),
    .dim2_out_vc0_ready(n010_dim2_vc0_ready),
    .dim2_out_vc1_valid(n010_dim2_vc1_valid),
    .dim2_out_vc1_ready(n010_dim2_vc1_ready),
    .dim2_out_header(n010_dim2_header),
    .dim2_out_flit(n010_dim2_flit),
    .eject_out_valid(n010_eject_valid),
    .eject_out_ready(n010_eject_ready),
    .eject_out_flit(n010_eject_flit)
  );

  // ---- Node 011 --------------------------------------------------------------------------
  wire n011_inject_accepts;
  wire n011_inject_valid;
  wire n011_inject_ready;
  wire [5:0] n011_inject_header;
  wire [32:0] n011_inject_flit;
  hypercube_3_rotation_injector n011_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd3),
    .in_valid(s_axis_tvalid[3]),
    .in_ready(n011_inject_accepts),
    .in_dest(s_axis_tdest[11:9]),
    .in_flit({s_axis_tlast[3], s_axis_tdata[127:96]}),
    .out_valid(n011_inject_valid),
    .out_ready(n011_inject_ready),
    .out_header(n011_inject_header),
    .out_flit(n011_inject_flit)
  );
  wire n011_eject_ready = m_axis_tready[3];
  wire n111_dim2_vc0_valid;
  wire n111_dim2_vc0_ready;
  wire n111_dim2_vc1_valid;
  wire n111_dim2_vc1_ready;
  wire [1:0] n111_dim2_header;
  wire [32:0] n111_dim2_flit;
  wire n011_dim2_vc0_valid;
  wire n011_dim2_vc0_ready;
  wire n011_dim2_vc1_valid;
  wire n011_dim2_vc1_ready;
  wire [1:0] n011_dim2_header;
  wire [32:0] n011_dim2_flit;
  wire n011_eject_valid;
  wire [32:0] n011_eject_flit;
  hypercube_3_rotation_switch n011_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n011_inject_valid),
    .inject_in_ready(n011_inject_ready),
    .inject_in_header(n011_inject_header),
    .inject_in_flit(n011_inject_flit),
    .dim0_in_valid(n010_dim0_valid),
    .dim0_in_ready(n010_dim0_ready),
    .dim0_in_header(n010_dim0_header),
    .dim0_in_flit(n010_dim0_flit),
    .dim1_in_valid(n001_dim1_valid),
    .dim1_in_ready(n001_dim1_ready),
    .dim1_in_header(n001_dim1_header),
    .dim1_in_flit(n001_dim1_flit),
    .dim2_in_vc0_valid(n111_dim2_vc0_valid),
    .dim2_in_vc0_ready(n111_dim2_vc0_ready),
    .dim2_in_vc1_valid(n111_dim2_vc1_valid),
    .dim2_in_vc1_ready(n111_dim2_vc1_ready),
    .dim2_in_header(n111_dim2_header),
    .dim2_in_flit(n111_dim2_flit),
    .dim0_out_valid(n011_dim0_valid),
    .dim0_out_ready(n011_dim0_ready),
    .dim0_out_header(n011_dim0_header),
    .dim0_out_flit(n011_dim0_flit),
    .dim1_out_valid(n011_dim1_valid),
    .dim1_out_ready(n011_dim1_ready),
    .dim1_out_header(n011_dim1_header),
    .dim1_out_flit(n011_dim1_flit),
    .dim2_out_vc0_valid(n011_dim2_vc0_valid),
    .dim2_out_vc0_ready(n011_dim2_vc0_ready),
    .dim2_out_vc1_valid(n011_dim2_vc1_valid),
    .dim2_out_vc1_ready(n011_dim2_vc1_ready),
    .dim2_out_header(n011_dim2_header),
    .dim2_out_flit(n011_dim2_flit),
    .eject_out_valid(n011_eject_valid),
    .eject_out_ready(n011_eject_ready),
    .eject_out_flit(n011_eject_flit)
  );

  // ---- Node 100 --------------------------------------------------------------------------
  wire n100_inject_accepts;
  wire n100_inject_valid;
  wire n100_inject_ready;
  wire [5:0] n100_inject_header;
  wire [32:0] n100_inject_flit;
  hypercube_3_rotation_injector n100_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd4),
    .in_valid(s_axis_tvalid[4]),
    .in_ready(n100_inject_accepts),
    .in_dest(s_axis_tdest[14:12]),
    .in_flit({s_axis_tlast[4], s_axis_tdata[159:128]}),
    .out_valid(n100_inject_valid),
    .out_ready(n100_inject_ready),
    .out_header(n100_inject_header),
    .out_flit(n100_inject_flit)
  );
  wire n100_eject_ready = m_axis_tready[4];
  wire n101_dim0_valid;
  wire n101_dim0_ready;
  wire n101_dim0_header;
  wire [32:0] n101_dim0_flit;
  wire n110_dim1_valid;
  wire n110_dim1_ready;
  wire n110_dim1_header;
  wire [32:0] n110_dim1_flit;
  wire n100_dim0_valid;
  wire n100_dim0_ready;
  wire n100_dim0_header;
  wire [32:0] n100_dim0_flit;
  wire n100_dim1_valid;
  wire n100_dim1_ready;
  wire n100_dim1_header;
  wire [32:0] n100_dim1_flit;
  wire n100_eject_valid;
  wire [32:0] n100_eject_flit;
  hypercube_3_rotation_switch n100_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n100_inject_valid),
    .inject_in_ready(n100_inject_ready),
    .inject_in_header(n100_inject_header),
    .inject_in_flit(n100_inject_flit),
    .dim0_in_valid(n101_dim0_valid),
    .dim0_in_ready(n101_dim0_ready),
    .dim0_in_header(n101_dim0_header),
    .dim0_in_flit(n101_dim0_flit),
    .dim1_in_valid(n110_dim1_valid),
    .dim1_in_ready(n110_dim1_ready),
    .dim1_in_header(n110_dim1_header),
    .dim1_in_flit(n110_dim1_flit),
    .dim2_in_vc0_valid(n000_dim2_vc0_valid),
    .dim2_in_vc0_ready(n000_dim2_vc0_ready),
    .dim2_in_vc1_valid(n000_dim2_vc1_valid),
    .dim2_in_vc1_ready(n000_dim2_vc1_ready),
    .dim2_in_header(n000_dim2_header),
    .dim2_in_flit(n000_dim2_flit),
    .dim0_out_valid(n100_dim0_valid),
    .dim0_out_ready(n100_dim0_ready),
    .dim0_out_header(n100_dim0_header),
    .dim0_out_flit(n100_dim0_flit),
    .dim1_out_valid(n100_dim1_valid),
    .dim1_out_ready(n100_dim1_ready),
    .dim1_out_header(n100_dim1_header),
    .dim1_out_flit(n100_dim1_flit),
    .dim2_out_vc0_valid(n100_dim2_vc0_valid),
    .dim2_out_vc0_ready(n100_dim2_vc0_ready),
    .dim2_out_vc1_valid(n100_dim2_vc1_valid),
    .dim2_out_vc1_ready(n100_dim2_vc1_ready),
    .dim2_out_header(n100_dim2_header),
    .dim2_out_flit(n100_dim2_flit),
    .eject_out_valid(n100_eject_valid),
    .eject_out_ready(n100_eject_ready),
    .eject_out_flit(n100_eject_flit)
  );

  // ---- Node 101 --------------------------------------------------------------------------
  wire n101_inject_accepts;
  wire n101_inject_valid;
  wire n101_inject_ready;
  wire [5:0] n101_inject_header;
  wire [32:0] n101_inject_flit;
  hypercube_3_rotation_injector n101_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd5),
    .in_valid(s_axis_tvalid[5]),
    .in_ready(n101_inject_accepts),
    .in_dest(s_axis_tdest[17:15]),
    .in_flit({s_axis_tlast[5], s_axis_tdata[191:160]}),
    .out_valid(n101_inject_valid),
    .out_ready(n101_inject_ready),
    .out_header(n101_inject_header),
    .out_flit(n101_inject_flit)
  );
  wire n101_eject_ready = m_axis_tready[5];
  wire n111_dim1_valid;
  wire n111_dim1_ready;
  wire n111_dim1_header;
  wire [32:0] n111_dim1_flit;
  wire n101_dim1_valid;
  wire n101_dim1_ready;
  wire n101_dim1_header;
  wire [32:0] n101_dim1_flit;
  wire n101_eject_valid;
  wire [32:0] n101_eject_flit;
  hypercube_3_rotation_switch n101_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n101_inject_valid),
    .inject_in_ready(n101_inject_ready),
    .inject_in_header(n101_inject_header),
    .inject_in_flit(n101_inject_flit),
    .dim0_in_valid(n100_dim0_valid),
    .dim0_in_ready(n100_dim0_ready),
    .dim0_in_header(n100_dim0_header),
    .dim0_in_flit(n100_dim0_flit),
    .dim1_in_valid(n111_dim1_valid),
    .dim1_in_ready(n111_dim1_ready),
    .dim1_in_header(n111_dim1_header),
    .dim1_in_flit(n111_dim1_flit),
    .dim2_in_vc0_valid(n001_dim2_vc0_valid),
    .dim2_in_vc0_ready(n001_dim2_vc0_ready),
    .dim2_in_vc1_valid(n001_dim2_vc1_valid),
    .dim2_in_vc1_ready(n001_dim2_vc1_ready),
    .dim2_in_header(n001_dim2_header),
    .dim2_in_flit(n001_dim2_flit),
    .dim0_out_valid(n101_dim0_valid),
    .dim0_out_ready(n101_dim0_ready),
    .dim0_out_header(n101_dim0_header),
    .dim0_out_flit(n101_dim0_flit),
    .dim1_out_valid(n101_dim1_valid),
    .dim1_out_ready(n101_dim1_ready),
    .dim1_out_header(n101_dim1_header),
    .dim1_out_flit(n101_dim1_flit),
    .dim2_out_vc0_valid(n101_dim2_vc0_valid),
    .dim2_out_vc0_ready(n101_dim2_vc0_ready),
    .dim2_out_vc1_valid(n101_dim2_vc1_valid),
    .dim2_out_vc1_ready(n101_dim2_vc1_ready),
    .dim2_out_header(n101_dim2_header),
    .dim2_out_flit(n101_dim2_flit),
    .eject_out_valid(n101_eject_valid),
    .eject_out_ready(n101_eject_ready),
    .eject_out_flit(n101_eject_flit)
  );

  // ---- Node 110 --------------------------------------------------------------------------
  wire n110_inject_accepts;
  wire n110_inject_valid;
  wire n110_inject_ready;
  wire [5:0] n110_inject_header;
  wire [32:0] n110_inject_flit;
  hypercube_3_rotation_injector n110_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd6),
    .in_valid(s_axis_tvalid[6]),
    .in_ready(n110_inject_accepts),
    .in_dest(s_axis_tdest[20:18]),
    .in_flit({s_axis_tlast[6], s_axis_tdata[223:192]}),
    .out_valid(n110_inject_valid),
    .out_ready(n110_inject_ready),
    .out_header(n110_inject_header),
    .out_flit(n110_inject_flit)
  );
  wire n110_eject_ready = m_axis_tready[6];
  wire n111_dim0_valid;
  wire n111_dim0_ready;
  wire n111_dim0_header;
  wire [32:0] n111_dim0_flit;
  wire n110_dim0_valid;
  wire n110_dim0_ready;
  wire n110_dim0_header;
  wire [32:0] n110_dim0_flit;
  wire n110_eject_valid;
  wire [32:0] n110_eject_flit;
  hypercube_3_rotation_switch n110_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n110_inject_valid),
    .inject_in_ready(n110_inject_ready),
    .inject_in_header(n110_inject_header),
    .inject_in_flit(n110_inject_flit),
    .dim0_in_valid(n111_dim0_valid),
    .dim0_in_ready(n111_dim0_ready),
    .dim0_in_header(n111_dim0_header),
    .dim0_in_flit(n111_dim0_flit),
    .dim1_in_valid(n100_dim1_valid),
    .dim1_in_ready(n100_dim1_ready),
    .dim1_in_header(n100_dim1_header),
    .dim1_in_flit(n100_dim1_flit),
    .dim2_in_vc0_valid(n010_dim2_vc0_valid),
    .dim2_in_vc0_ready(n010_dim2_vc0_ready),
    .dim2_in_vc1_valid(n010_dim2_vc1_valid),
    .dim2_in_vc1_ready(n010_dim2_vc1_ready),
    .dim2_in_header(n010_dim2_header),
    .dim2_in_flit(n010_dim2_flit),
    .dim0_out_valid(n110_dim0_valid),
    .dim0_out_ready(n110_dim0_ready),
    .dim0_out_header(n110_dim0_header),
    .dim0_out_flit(n110_dim0_flit),
    .dim1_out_valid(n110_dim1_valid),
    .dim1_out_ready(n110_dim1_ready),
    .dim1_out_header(n110_dim1_header),
    .dim1_out_flit(n110_dim1_flit),
    .dim2_out_vc0_valid(n110_dim2_vc0_valid),
    .dim2_out_vc0_ready(n110_dim2_vc0_ready),
    .dim2_out_vc1_valid(n110_dim2_vc1_valid),
    .dim2_out_vc1_ready(n110_dim2_vc1_ready),
    .dim2_out_header(n110_dim2_header),
    .dim2_out_flit(n110_dim2_flit),
    .eject_out_valid(n110_eject_valid),
    .eject_out_ready(n110_eject_ready),
    .eject_out_flit(n110_eject_flit)
  );

  // ---- Node 111 --------------------------------------------------------------------------
  wire n111_inject_accepts;
  wire n111_inject_valid;
  wire n111_inject_ready;
  wire [5:0] n111_inject_header;
  wire [32:0] n111_inject_flit;
  hypercube_3_rotation_injector n111_injector (
    .clk(clk),
    .rst(rst),
    .address(3'd7),
    .in_valid(s_axis_tvalid[7]),
    .in_ready(n111_inject_accepts),
    .in_dest(s_axis_tdest[23:21]),
    .in_flit({s_axis_tlast[7], s_axis_tdata[255:224]}),
    .out_valid(n111_inject_valid),
    .out_ready(n111_inject_ready),
    .out_header(n111_inject_header),
    .out_flit(n111_inject_flit)
  );
  wire n111_eject_ready = m_axis_tready[7];
  wire n111_eject_valid;
  wire [32:0] n111_eject_flit;
  hypercube_3_rotation_switch n111_switch (
    .clk(clk),
    .rst(rst),
    .inject_in_valid(n111_inject_valid),
    .inject_in_ready(n111_inject_ready),
    .inject_in_header(n111_inject_header),
    .inject_in_flit(n111_inject_flit),
    .dim0_in_valid(n110_dim0_valid),
    .dim0_in_ready(n110_dim0_ready),
    .dim0_in_header(n110_dim0_header),
    .dim0_in_flit(n110_dim0_flit),
    .dim1_in_valid(n101_dim1_valid),
    .dim1_in_ready(n101_dim1_ready),
    .dim1_in_header(n101_dim1_header),
    .dim1_in_flit(n101_dim1_flit),
    .dim2_in_vc0_valid(n011_dim2_vc0_valid),
    .dim2_in_vc0_ready(n011_dim2_vc0_ready),
    .dim2_in_vc1_valid(n011_dim2_vc1_valid),
    .dim2_in_vc1_ready(n011_dim2_vc1_ready),
    .dim2_in_header(n011_dim2_header),
    .dim2_in_flit(n011_dim2_flit),
    .dim0_out_valid(n111_dim0_valid),
    .dim0_out_ready(n111_dim0_ready),
    .dim0_out_header(n111_dim0_header),
    .dim0_out_flit(n111_dim0_flit),
    .dim1_out_valid(n111_dim1_valid),
    .dim1_out_ready(n111_dim1_ready),
    .dim1_out_header(n111_dim1_header),
    .dim1_out_flit(n111_dim1_flit),
    .dim2_out_vc0_valid(n111_dim2_vc0_valid),
    .dim2_out_vc0_ready(n111_dim2_vc0_ready),
    .dim2_out_vc1_valid(n111_dim2_vc1_valid),
    .dim2_out_vc1_ready(n111_dim2_vc1_ready),
    .dim2_out_header(n111_dim2_header),
    .dim2_out_flit(n111_dim2_flit),
    .eject_out_valid(n111_eject_valid),
    .eject_out_ready(n111_eject_ready),
    .eject_out_flit(n111_eject_flit)
  );

  // ---- Terminals -------------------------------------------------------------------------
  // Nothing is offered or accepted under reset.
  assign s_axis_tready = {8{~rst}} & {n111_inject_accepts, n110_inject_accepts, n101_inject_accepts,
      n100_inject_accepts, n011_inject_accepts, n010_inject_accepts, n001_inject_accepts,
      n000_inject_accepts};
  assign m_axis_tvalid = {8{~rst}} & {n111_eject_valid, n110_eject_valid, n101_eject_valid,
      n100_eject_valid, n011_eject_valid, n010_eject_valid, n001_eject_valid, n000_eject_valid};
  assign m_axis_tdata = {n111_eject_flit[31:0], n110_eject_flit[31:0], n101_eject_flit[31:0],
      n100_eject_flit[31:0], n011_eject_flit[31:0], n010_eject_flit[31:0], n001_eject_flit[31:0],
      n000_eject_flit[31:0]};
  assign m_axis_tlast = {n111_eject_flit[32], n110_eject_flit[32], n101_eject_flit[32],
      n100_eject_flit[32], n011_eject_flit[32], n010_eject_flit[32], n001_eject_flit[32],
      n000_eject_flit[32]};
  // Every address is a live terminal of this network: no packet is refused.
  assign s_axis_error = 8'd0;

endmodule

`resetall
