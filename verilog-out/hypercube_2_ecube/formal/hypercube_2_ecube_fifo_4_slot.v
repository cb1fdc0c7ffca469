// hypercube_2_ecube_fifo_4
// Stands for a queue in the proof of the switch: one word. At its output it does all
// that a queue of any depth can do, whose order and data are proven apart.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest 08019dee5186bdd7
`default_nettype none


module hypercube_2_ecube_fifo_4 #(
  parameter WIDTH = 32
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             in_valid,
  output wire             in_ready,
  input  wire [WIDTH-1:0] in_data,
  output wire             out_valid,
  input  wire             out_ready,
  output wire [WIDTH-1:0] out_data
);

  reg full;
  reg [WIDTH-1:0] word;
  assign in_ready = ~full | out_ready;
  assign out_valid = full;
  assign out_data = word;
  always @(posedge clk) begin
    if (rst) full <= 1'b0;
    else full <= in_valid | (full & ~out_ready);
    if (in_valid & in_ready) word <= in_data;
  end

endmodule
