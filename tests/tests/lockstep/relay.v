`resetall
`timescale 1ns / 1ps
`default_nettype none
// A stand-in for a fabric: terminal t sends to the next one through one register, and
// raises an error where a packet's address is no terminal.
module relay #(
  parameter T = 3,
  parameter A = 2,
  parameter W = 37,
  parameter K = 1,
  parameter U = 1
) (
  input wire clk,
  input wire rst,
  input wire [T-1:0] s_axis_tvalid,
  output wire [T-1:0] s_axis_tready,
  input wire [T*W-1:0] s_axis_tdata,
  input wire [T*K-1:0] s_axis_tkeep,
  input wire [T*U-1:0] s_axis_tuser,
  input wire [T*A-1:0] s_axis_tdest,
  input wire [T-1:0] s_axis_tlast,
  output wire [T-1:0] s_axis_error,
  output wire [T-1:0] m_axis_tvalid,
  input wire [T-1:0] m_axis_tready,
  output wire [T*W-1:0] m_axis_tdata,
  output wire [T*K-1:0] m_axis_tkeep,
  output wire [T*U-1:0] m_axis_tuser,
  output wire [T*A-1:0] m_axis_tid,
  output wire [T-1:0] m_axis_tlast
);
  genvar t;
  generate
    for (t = 0; t < T; t = t + 1) begin : relays
      localparam NEXT = (t + 1) % T;
      reg running;
      reg full;
      reg [W+K+U:0] flit;
      wire taken = s_axis_tvalid[t] && s_axis_tready[t];
      assign s_axis_tready[t] = running && !full;
      assign s_axis_error[t] = taken && {1'b0, s_axis_tdest[t*A +: A]} >= T[A:0];
      assign m_axis_tvalid[NEXT] = full;
      assign {m_axis_tlast[NEXT], m_axis_tuser[NEXT*U +: U], m_axis_tkeep[NEXT*K +: K],
              m_axis_tdata[NEXT*W +: W]} = flit;
      assign m_axis_tid[NEXT*A +: A] = t[A-1:0];
      always @(posedge clk) begin
        if (rst) begin
          running <= 1'b0;
          full <= 1'b0;
          flit <= {W+K+U+1{1'b0}};
        end else begin
          running <= 1'b1;
          if (taken) begin
            full <= 1'b1;
            flit <= {s_axis_tlast[t], s_axis_tuser[t*U +: U], s_axis_tkeep[t*K +: K],
                     s_axis_tdata[t*W +: W]};
          end else if (m_axis_tready[NEXT]) begin
            full <= 1'b0;
          end
        end
      end
    end
  endgenerate
endmodule
`resetall
