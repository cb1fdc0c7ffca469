// hypercube_2_ecube_switch
// Stands for a switch in the proof of the terminals: it does anything at all, but for
// what is proven of it apart.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 2c216e4b01a3e31c
`default_nettype none


module hypercube_2_ecube_switch (
  input wire [0:0] inject_in_valid,
  output wire [0:0] inject_in_ready,
  input wire [1:0] inject_in_header,
  input wire [32:0] inject_in_flit,
  input wire [0:0] dim0_in_valid,
  output wire [0:0] dim0_in_ready,
  input wire [0:0] dim0_in_header,
  input wire [32:0] dim0_in_flit,
  input wire [0:0] dim1_in_valid,
  output wire [0:0] dim1_in_ready,
  input wire [32:0] dim1_in_flit,
  output wire [0:0] dim0_out_valid,
  input wire [0:0] dim0_out_ready,
  output wire [0:0] dim0_out_header,
  output wire [32:0] dim0_out_flit,
  output wire [0:0] dim1_out_valid,
  input wire [0:0] dim1_out_ready,
  output wire [32:0] dim1_out_flit,
  output wire [0:0] eject_out_valid,
  input wire [0:0] eject_out_ready,
  output wire [32:0] eject_out_flit,
  input wire clk,
  input wire rst
);

  (* anyseq *) reg [0:0] any_inject_in_ready;
  assign inject_in_ready = any_inject_in_ready;
  (* anyseq *) reg [0:0] any_dim0_in_ready;
  assign dim0_in_ready = any_dim0_in_ready;
  (* anyseq *) reg [0:0] any_dim1_in_ready;
  assign dim1_in_ready = any_dim1_in_ready;
  (* anyseq *) reg [0:0] any_dim0_out_valid;
  assign dim0_out_valid = any_dim0_out_valid;
  (* anyseq *) reg [0:0] any_dim0_out_header;
  assign dim0_out_header = any_dim0_out_header;
  (* anyseq *) reg [32:0] any_dim0_out_flit;
  assign dim0_out_flit = any_dim0_out_flit;
  (* anyseq *) reg [0:0] any_dim1_out_valid;
  assign dim1_out_valid = any_dim1_out_valid;
  (* anyseq *) reg [32:0] any_dim1_out_flit;
  assign dim1_out_flit = any_dim1_out_flit;
  (* anyseq *) reg [0:0] any_eject_out_valid;
  assign eject_out_valid = any_eject_out_valid;
  (* anyseq *) reg [32:0] any_eject_out_flit;
  assign eject_out_flit = any_eject_out_flit;

  // What is ejected stays until it is taken.
  reg waits = 1'b0;
  reg [32:0] last_flit;
  always @(posedge clk) begin
    waits <= ~rst & eject_out_valid & ~eject_out_ready;
    last_flit <= eject_out_flit;
  end
  always @* if (~rst & waits) begin
    assume (eject_out_valid);
    assume (eject_out_flit == last_flit);
  end

endmodule
