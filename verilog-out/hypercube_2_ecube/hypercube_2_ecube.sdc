# Clock of hypercube_2_ecube: 100 MHz to begin with; set your own period in nanoseconds.
create_clock -name clk -period 10.000 [get_ports clk]
