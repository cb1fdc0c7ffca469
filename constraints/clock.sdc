{% if clocked -%}
# Clock of {{ name }}: 100 MHz to begin with; set your own period in nanoseconds.
create_clock -name clk -period 10.000 [get_ports clk]
{%- else -%}
# {{ name }} has no clock: a bound on its paths to begin with, in nanoseconds; set your own.
set_max_delay 10.000 -from [all_inputs] -to [all_outputs]
{%- endif %}

