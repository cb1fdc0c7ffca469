// hypercube_2_ecube_arbiter_2_formal
// An arbiter grants one request at a time, holds it through its packet, and passes over
// no request for more packets than there are other requests.
//
// Configuration: hypercube --dim 2 --routing ecube --width 32 --depth 4 --name hypercube_2_ecube
// Turnpike 0.1.0, digest e87a06424b58995e
`default_nettype none


module hypercube_2_ecube_arbiter_2_formal (
  input wire clk,
  // Free, in every cycle.
  input wire reset_again,
  input wire [1:0] request,
  input wire done
);

  // ---- A cycle of reset, and any later ---------------------------------------------------
  reg started = 1'b0;
  always @(posedge clk) started <= 1'b1;
  wire rst = ~started | reset_again;
  wire running = ~rst;

  // ---- The arbiter -----------------------------------------------------------------------
  wire [1:0] grant;
  hypercube_2_ecube_arbiter_2 dut (
    .clk(clk),
    .rst(rst),
    .request(request),
    .done(done),
    .grant(grant)
  );

  // ---- Whose packet is on the way, as the ports tell -------------------------------------
  wire granted = |grant;
  reg [1:0] holder;
  always @(posedge clk) begin
    if (rst) holder <= 0;
    else if (granted) holder <= done ? 0 : grant;
  end

  // ---- Whose turn it is: of the requests the first after the last one that was granted ----
  // After a reset that is request 0.
  reg [1:0] last;
  always @(posedge clk) begin
    if (rst) last <= 2'd1 << 1;
    else if (granted) last <= grant;
  end
  // The requests twice over, so that the search goes around.
  wire [1:0] begins = (last << 1) | (last >> 1);
  wire [3:0] twice = {request, request};
  wire [3:0] found = twice & ~(twice - {2'd0, begins});
  wire [1:0] turn = found[1:0] | found[3:2];

  // ---- Any one request: how many packets went before it while it waited -------------------
  (* anyconst *) reg [1:0] waiter;
  always @* assume (waiter != 0 & (waiter & (waiter - 1'b1)) == 0);
  wire waits = |(request & waiter & ~grant);
  reg [2:0] passed;
  always @(posedge clk) begin
    if (rst | ~waits) passed <= 0;
    else if (granted & done) passed <= passed + 1'b1;
  end

  // ---- Properties ------------------------------------------------------------------------
  always @* if (running) begin
    one_at_a_time: assert ((grant & (grant - 1'b1)) == 0);
    within_requests: assert ((grant & ~request) == 0);
    held_through_a_packet: assert (holder == 0 | (grant & ~holder) == 0);
    goes_on_with_its_packet: assert ((request & holder) == 0 | granted);
    never_idle: assert (holder != 0 | request == 0 | granted);
    in_turn: assert (holder != 0 | grant == turn);
    bounded_wait: assert (passed <= 1);
  end

  // ---- What must be reached --------------------------------------------------------------
  always @* reset_inside_a_packet: cover (started & rst & holder != 0);
  always @* if (running) begin
    grant_0: cover (grant[0] & waiter[0]);
    grant_1: cover (grant[1] & waiter[1]);
    holds: cover (holder != 0 & granted);
    pauses_inside_a_packet: cover (holder != 0 & ~granted & request != 0);
    longest_wait: cover (passed == 1);
  end

endmodule
