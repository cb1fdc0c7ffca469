# Clock of hypercube_3_rotation: 100 MHz to begin with; set your own period in nanoseconds.
create_clock -name clk -period 10.000 [get_ports clk]
