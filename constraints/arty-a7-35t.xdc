# Pins of the Arty A7-35T (xc7a35ticsg324-1L) for the self-test of a fabric.
# Source: Arty-A7-35-Master.xdc of its maker, Digilent.
set_property CONFIG_VOLTAGE 3.3 [current_design]
set_property CFGBVS VCCO [current_design]

# The oscillator.
set_property -dict {PACKAGE_PIN E3 IOSTANDARD LVCMOS33} [get_ports clk]
create_clock -name clk -period 10.000 [get_ports clk]

# Button RESET: low while pressed; it is brought in step with the clock inside.
set_property -dict {PACKAGE_PIN C2 IOSTANDARD LVCMOS33} [get_ports restart_n]
set_false_path -from [get_ports restart_n]

# LEDs LD4 to LD7, then the red of LD0 to LD3.
set_property -dict {PACKAGE_PIN H5 IOSTANDARD LVCMOS33} [get_ports done]
set_property -dict {PACKAGE_PIN J5 IOSTANDARD LVCMOS33} [get_ports pass]
set_property -dict {PACKAGE_PIN T9 IOSTANDARD LVCMOS33} [get_ports fail]
set_property -dict {PACKAGE_PIN T10 IOSTANDARD LVCMOS33} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN G6 IOSTANDARD LVCMOS33} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN G3 IOSTANDARD LVCMOS33} [get_ports {led[2]}]
set_property -dict {PACKAGE_PIN J3 IOSTANDARD LVCMOS33} [get_ports {led[3]}]
set_property -dict {PACKAGE_PIN K1 IOSTANDARD LVCMOS33} [get_ports {led[4]}]
set_false_path -to [get_ports {done pass fail led[*]}]
