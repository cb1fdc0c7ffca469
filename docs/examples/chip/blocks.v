// The blocks of a small chip that speak packets: see chip.v, where they stand.
// A request is a word {strobes[3:0], address[27:0]} and, where a strobe is set, a word to write. Its
// reply is the word that was read. These blocks are the chip's own: they would be the same on any
// network of packets.
`timescale 1ns / 1ps
`default_nettype none

// A processor's bus on the network: a request for each access. It ends with the reply, or with the
// request where there is none.
module bus_port #(
  parameter REPLIES = 1
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        bus_valid,
  output wire        bus_ready,
  input  wire [31:0] bus_addr,
  input  wire [31:0] bus_wdata,
  input  wire  [3:0] bus_wstrb,
  output wire [31:0] bus_rdata,
  output wire        request_tvalid,
  input  wire        request_tready,
  output wire [31:0] request_tdata,
  output wire        request_tlast,
  input  wire        reply_tvalid,
  output wire        reply_tready,
  input  wire [31:0] reply_tdata,
  input  wire        reply_tlast
);
  localparam HEADER = 2'd0, DATA = 2'd1, REPLY = 2'd2, DONE = 2'd3;
  reg [1:0] state;
  reg first;
  reg [31:0] word;
  wire writes = |bus_wstrb;
  assign request_tvalid = bus_valid && (state == HEADER || state == DATA);
  assign request_tdata = state == HEADER ? {bus_wstrb, bus_addr[27:0]} : bus_wdata;
  assign request_tlast = state == DATA || !writes;
  assign reply_tready = state == REPLY;
  assign bus_ready = state == DONE;
  assign bus_rdata = word;
  always @(posedge clk) begin
    if (request_tvalid && request_tready)
      state <= !request_tlast ? DATA : REPLIES ? REPLY : DONE;
    if (reply_tvalid && reply_tready) begin
      // A memory of wider words fills its last one: the first word counts.
      if (first) word <= reply_tdata;
      first <= reply_tlast;
      if (reply_tlast) state <= DONE;
    end
    if (state == DONE) state <= HEADER;
    if (rst) begin
      state <= HEADER;
      first <= 1;
    end
  end
endmodule

// 4 KiB of memory behind words of 64 bits: a request is one word, and so is its reply. The
// requester's address comes with the request (tid), and goes with the reply (tdest).
module memory #(
  parameter CONTENTS = "",
  parameter ADDRESS_BITS = 3
) (
  input  wire                    clk,
  input  wire                    rst,
  input  wire                    request_tvalid,
  output wire                    request_tready,
  input  wire             [63:0] request_tdata,
  input  wire [ADDRESS_BITS-1:0] request_tid,
  output reg                     reply_tvalid,
  input  wire                    reply_tready,
  output wire             [63:0] reply_tdata,
  output reg  [ADDRESS_BITS-1:0] reply_tdest
);
  reg [31:0] words[0:1023];
  initial if (CONTENTS != "") $readmemh(CONTENTS, words);
  wire [9:0] index = request_tdata[11:2];
  reg [31:0] read;
  assign reply_tdata = {32'd0, read};
  assign request_tready = !reply_tvalid || reply_tready;
  integer i;
  always @(posedge clk) begin
    if (reply_tready) reply_tvalid <= 0;
    if (request_tvalid && request_tready) begin
      for (i = 0; i < 4; i = i + 1)
        if (request_tdata[28+i]) words[index][8*i+:8] <= request_tdata[32+8*i+:8];
      read <= words[index];
      reply_tdest <= request_tid;
      reply_tvalid <= 1;
    end
    if (rst) reply_tvalid <= 0;
  end
endmodule

// Copies bytes from the memory to a stream. A command is a write of {8-byte words to send, address
// of the first}; the bytes leave as one packet. It takes no other command before the last byte has left.
module dma (
  input  wire        clk,
  input  wire        rst,
  input  wire        command_tvalid,
  output wire        command_tready,
  input  wire [63:0] command_tdata,
  output wire        request_tvalid,
  input  wire        request_tready,
  output wire [63:0] request_tdata,
  input  wire        reply_tvalid,
  output wire        reply_tready,
  input  wire [63:0] reply_tdata,
  output wire        frame_tvalid,
  input  wire        frame_tready,
  output wire [63:0] frame_tdata,
  output wire        frame_tlast
);
  localparam IDLE = 2'd0, ASK = 2'd1, TAKE = 2'd2, SEND = 2'd3;
  reg [1:0] state;
  reg [7:0] left;
  reg [23:0] address;
  reg [63:0] words;
  assign command_tready = state == IDLE;
  assign request_tvalid = state == ASK;
  assign request_tdata = {36'd0, 4'd0, address};
  assign reply_tready = state == TAKE;
  assign frame_tvalid = state == SEND;
  assign frame_tdata = words;
  assign frame_tlast = left == 1;
  always @(posedge clk) begin
    case (state)
      IDLE: if (command_tvalid) begin
        {left, address} <= command_tdata[63:32];
        state <= ASK;
      end
      ASK: if (request_tready) state <= TAKE;
      TAKE: if (reply_tvalid) begin
        words <= {reply_tdata[31:0], words[63:32]};
        address <= address + 4;
        state <= address[2] ? SEND : ASK;
      end
      SEND: if (frame_tready) begin
        left <= left - 1;
        state <= frame_tlast ? IDLE : ASK;
      end
    endcase
    if (rst) state <= IDLE;
  end
endmodule
`default_nettype wire
