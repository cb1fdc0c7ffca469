# What passes between the clocks of {{ name }}, for Vivado, where {{ name }} is an instance in your design:
# read_xdc -ref {{ name }} {{ name }}.xdc, after your clocks. It does not count where the clocks are
# in asynchronous groups (set_clock_groups), or paths between them are false.
# A path into a synchroniser, or from where a word is kept to where it is read, is at most as long as the
# period of the fastest clock: of a pointer in Gray code no two bits that changed one after the other are
# seen at once, and a word is still by the time it is read. Only paths between two clocks begin and end
# there, so no check of hold within a clock is lost.
set clocks [get_clocks -of_objects [get_ports {clk{% for clock in others %} {{ clock }}{% endfor %}}]]
set period [get_property -min PERIOD $clocks]
set synchronisers [get_cells -hierarchical -filter {NAME =~ *_sync1_reg*}]
set_max_delay -datapath_only -from $clocks -to $synchronisers $period
set kept [get_cells -hierarchical -filter {NAME =~ *_cross/writer/words_reg*}]
set read [get_cells -hierarchical -filter {NAME =~ *_cross/reader/out_data_reg*}]
set_max_delay -datapath_only -from $kept -to $read $period

