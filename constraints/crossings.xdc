# What passes between the clocks of {{ name }}, for Vivado: read_xdc -ref {{ name }} {{ name }}.xdc
# The path is at most as long as the period of the faster clock, so that of a pointer in Gray code no
# two bits that changed one after the other are seen at once. Nothing but synchronisers and words that
# are still by the time they are read passes from one clock to another, so no cell is named.
set network [get_clocks -of_objects [get_ports clk]]
{%- for clock in others %}
set other [get_clocks -of_objects [get_ports {{ clock }}]]
set period [expr {min([get_property -min PERIOD $network], [get_property -min PERIOD $other])}]
set_max_delay -datapath_only -from $network -to $other $period
set_max_delay -datapath_only -from $other -to $network $period
{%- endfor %}

