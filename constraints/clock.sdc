{% if clocked -%}
# Clock of {{ name }}: 100 MHz to begin with; set your own period in nanoseconds.
create_clock -name clk -period 10.000 [get_ports clk]
{%- for clock in others %}
create_clock -name {{ clock }} -period 10.000 [get_ports {{ clock }}]
{%- endfor %}
{%- for clock in others %}
{%- if loop.first %}

# What passes between two clocks: synchronisers, and words that are still by the time they are read. The
# path is at most as long as the period of the faster clock, so that of a pointer in Gray code no two
# bits that changed one after the other are seen at once. Nothing else passes, so no cell is named.
{%- endif %}
set_max_delay 10.000 -from [get_clocks clk] -to [get_clocks {{ clock }}]
set_max_delay 10.000 -from [get_clocks {{ clock }}] -to [get_clocks clk]
set_false_path -hold -from [get_clocks clk] -to [get_clocks {{ clock }}]
set_false_path -hold -from [get_clocks {{ clock }}] -to [get_clocks clk]
{%- endfor %}
{%- else -%}
# {{ name }} has no clock: a bound on its paths to begin with, in nanoseconds; set your own.
set_max_delay 10.000 -from [all_inputs] -to [all_outputs]
{%- endif %}

