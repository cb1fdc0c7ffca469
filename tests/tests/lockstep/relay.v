`resetall
`timescale 1ns / 1ps
`default_nettype none
// A stand-in for a fabric: terminal t sends to the next one through one register each,
// and raises an error where a packet's address is no terminal.
module relay #(
  parameter T = 3,
  parameter W = 37,
  parameter A = 2
) (
  input wire clk,
  input wire rst,
  input wire [T-1:0] s_axis_tvalid,
  output wire [T-1:0] s_axis_tready,
  input wire [T*W-1:0] s_axis_tdata,
  input wire [T*A-1:0] s_axis_tdest,
  input wire [T-1:0] s_axis_tlast,
  output wire [T-1:0] s_axis_error,
  output wire [T-1:0] m_axis_tvalid,
  input wire [T-1:0] m_axis_tready,
  output wire [T*W-1:0] m_axis_tdata,
  output wire [T-1:0] m_axis_tlast
);
  genvar t;
  generate
    for (t = 0; t < T; t = t + 1) begin : relays
      localparam NEXT = (t + 1) % T;
      reg full;
      reg last;
      reg [W-1:0] data;
      reg running;
      wire taken = s_axis_tvalid[t] && s_axis_tready[t];
      assign s_axis_tready[t] = running && !full;
      assign s_axis_error[t] = taken && {1'b0, s_axis_tdest[t*A +: A]} >= T[A:0];
      assign m_axis_tvalid[NEXT] = full;
      assign m_axis_tlast[NEXT] = last;
      assign m_axis_tdata[NEXT*W +: W] = data;
      always @(posedge clk) begin
        if (rst) begin
          running <= 1'b0;
          full <= 1'b0;
          last <= 1'b0;
          data <= {W{1'b0}};
        end else begin
          running <= 1'b1;
          if (taken) begin
            full <= 1'b1;
            last <= s_axis_tlast[t];
            data <= s_axis_tdata[t*W +: W];
          end else if (m_axis_tready[NEXT]) begin
            full <= 1'b0;
          end
        end
      end
    end
  endgenerate
endmodule
`resetall
