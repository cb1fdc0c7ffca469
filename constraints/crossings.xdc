# What passes between the clocks of {{ name }}, for Vivado, where {{ name }} is an instance in your design:
# read_xdc -ref {{ name }} {{ name }}.xdc, after your clocks. It does not count where the clocks are
# in asynchronous groups (set_clock_groups), or paths between them are false.
# A path into a synchroniser, or of a word that is still by the time it is read, is at most as long as
# the period of the fastest clock, so that of a pointer in Gray code no two bits that changed one after
# the other are seen at once.
set clocks [get_clocks -of_objects [get_ports {clk{% for clock in others %} {{ clock }}{% endfor %}}]]
set ends [get_cells -hierarchical -filter {NAME =~ *_sync1_reg* || NAME =~ *_cross/reader/out_data_reg*}]
set_max_delay -datapath_only -from $clocks -to $ends [get_property -min PERIOD $clocks]

