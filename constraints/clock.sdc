{% if clocked -%}
# Clock of {{ name }}: 100 MHz to begin with; set your own period in nanoseconds.
{%- if others.is_empty() %}
create_clock -name clk -period 10.000 [get_ports clk]
{%- else %}
set clk_period 10.000
{%- for clock in others %}
set {{ clock }}_period 10.000
{%- endfor %}
create_clock -name clk -period $clk_period [get_ports clk]
{%- for clock in others %}
create_clock -name {{ clock }} -period ${{ clock }}_period [get_ports {{ clock }}]
{%- endfor %}

# What passes between two clocks of {{ name }} is synchronisers, and words that are still by the time they
# are read. Its path is at most as long as the period of the faster clock, so that of a pointer in Gray
# code no two bits that changed one after the other are seen at once. These bounds are on all paths
# between the clocks, those of your own around it too.
{%- for clock in others %}
set bound [expr {min($clk_period, ${{ clock }}_period)}]
set_max_delay $bound -from [get_clocks clk] -to [get_clocks {{ clock }}]
set_max_delay $bound -from [get_clocks {{ clock }}] -to [get_clocks clk]
set_false_path -hold -from [get_clocks clk] -to [get_clocks {{ clock }}]
set_false_path -hold -from [get_clocks {{ clock }}] -to [get_clocks clk]
{%- endfor %}
{%- endif %}
{%- else -%}
# {{ name }} has no clock: a bound on its paths to begin with, in nanoseconds; set your own.
set_max_delay 10.000 -from [all_inputs] -to [all_outputs]
{%- endif %}

