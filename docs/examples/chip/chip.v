// A small chip of other people's cores around one network: PicoRV32, and SERV in a slow clock,
// run from one memory over the network. A DMA engine copies bytes from the memory to a stream in the
// slow clock. The blocks between cores and streams are in blocks.v.
`timescale 1ns / 1ps
`include "noc_addresses.vh"
`default_nettype none

module chip (
  input  wire       clk,
  input  wire       rst,
  input  wire       slow_clk,
  output wire       bytes_tvalid,
  input  wire       bytes_tready,
  output wire [7:0] bytes_tdata,
  output wire       bytes_tlast,
  output wire       trap
);
  `include "noc_instance.vh"

  // PicoRV32: its addresses from 0x2000_0000 on are commands of the DMA engine, the others memory.
  wire pico_valid, memory_ready, command_ready;
  wire [31:0] pico_addr, pico_wdata, pico_rdata;
  wire [3:0] pico_wstrb;
  picorv32 #(.ENABLE_COUNTERS(0), .ENABLE_COUNTERS64(0)) pico (.clk(clk), .resetn(!rst), .trap(trap),
    .mem_valid(pico_valid), .mem_ready(memory_ready || command_ready), .mem_addr(pico_addr), .mem_wdata(pico_wdata),
    .mem_wstrb(pico_wstrb), .mem_rdata(pico_rdata), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0),
    .pcpi_ready(1'b0), .irq(32'd0));
  assign s_pico_request_axis_tdest = `NOC_MEM_ADDRESS;
  bus_port pico_memory (.clk(clk), .rst(rst), .bus_valid(pico_valid && !pico_addr[29]), .bus_ready(memory_ready),
    .bus_addr(pico_addr), .bus_wdata(pico_wdata), .bus_wstrb(pico_wstrb), .bus_rdata(pico_rdata),
    .request_tvalid(s_pico_request_axis_tvalid), .request_tready(s_pico_request_axis_tready),
    .request_tdata(s_pico_request_axis_tdata), .request_tlast(s_pico_request_axis_tlast),
    .reply_tvalid(m_pico_reply_axis_tvalid), .reply_tready(m_pico_reply_axis_tready),
    .reply_tdata(m_pico_reply_axis_tdata), .reply_tlast(m_pico_reply_axis_tlast));
  assign s_pico_command_axis_tdest = `NOC_DMA_ADDRESS;
  bus_port #(.REPLIES(0)) pico_command (.clk(clk), .rst(rst), .bus_valid(pico_valid && pico_addr[29]),
    .bus_ready(command_ready), .bus_addr(pico_addr), .bus_wdata(pico_wdata), .bus_wstrb(pico_wstrb), .bus_rdata(),
    .request_tvalid(s_pico_command_axis_tvalid), .request_tready(s_pico_command_axis_tready),
    .request_tdata(s_pico_command_axis_tdata), .request_tlast(s_pico_command_axis_tlast),
    .reply_tvalid(1'b0), .reply_tready(), .reply_tdata(32'd0), .reply_tlast(1'b0));

  // SERV, in the slow clock: one of its two busses is busy at a time.
  wire serv_fetch, serv_access, serv_we, serv_ready;
  wire [31:0] serv_pc, serv_addr, serv_wdata, serv_rdata;
  wire [3:0] serv_sel;
  serv_rf_top #(.RESET_PC(32'h200), .WITH_CSR(0)) serv (.clk(slow_clk), .i_rst(slow_clk_rst), .i_timer_irq(1'b0),
    .o_ibus_adr(serv_pc), .o_ibus_cyc(serv_fetch), .i_ibus_rdt(serv_rdata), .i_ibus_ack(serv_ready && serv_fetch),
    .o_dbus_adr(serv_addr), .o_dbus_dat(serv_wdata), .o_dbus_sel(serv_sel), .o_dbus_we(serv_we),
    .o_dbus_cyc(serv_access), .i_dbus_rdt(serv_rdata), .i_dbus_ack(serv_ready && !serv_fetch),
    .i_ext_rd(32'd0), .i_ext_ready(1'b0));
  assign s_serv_request_axis_tdest = `NOC_MEM_ADDRESS;
  bus_port serv_memory (.clk(slow_clk), .rst(slow_clk_rst), .bus_valid(serv_fetch || serv_access),
    .bus_ready(serv_ready), .bus_addr(serv_fetch ? serv_pc : serv_addr), .bus_wdata(serv_wdata),
    .bus_wstrb(serv_sel & {4{serv_we && !serv_fetch}}), .bus_rdata(serv_rdata),
    .request_tvalid(s_serv_request_axis_tvalid), .request_tready(s_serv_request_axis_tready),
    .request_tdata(s_serv_request_axis_tdata), .request_tlast(s_serv_request_axis_tlast),
    .reply_tvalid(m_serv_reply_axis_tvalid), .reply_tready(m_serv_reply_axis_tready),
    .reply_tdata(m_serv_reply_axis_tdata), .reply_tlast(m_serv_reply_axis_tlast));

  // The memory and the DMA engine, with words of 64 bits.
  assign s_mem_reply_axis_tlast = 1'b1;
  memory #(.CONTENTS("memory.hex"), .ADDRESS_BITS(`NOC_ADDRESS_BITS)) mem (.clk(clk), .rst(rst),
    .request_tvalid(m_mem_request_axis_tvalid), .request_tready(m_mem_request_axis_tready),
    .request_tdata(m_mem_request_axis_tdata), .request_tid(m_mem_request_axis_tid),
    .reply_tvalid(s_mem_reply_axis_tvalid), .reply_tready(s_mem_reply_axis_tready),
    .reply_tdata(s_mem_reply_axis_tdata), .reply_tdest(s_mem_reply_axis_tdest));
  assign s_dma_request_axis_tdest = `NOC_MEM_ADDRESS;
  assign s_dma_request_axis_tlast = 1'b1;
  assign s_dma_frame_axis_tdest = `NOC_OUT_ADDRESS;
  dma engine (.clk(clk), .rst(rst), .command_tvalid(m_dma_command_axis_tvalid),
    .command_tready(m_dma_command_axis_tready), .command_tdata(m_dma_command_axis_tdata),
    .request_tvalid(s_dma_request_axis_tvalid), .request_tready(s_dma_request_axis_tready),
    .request_tdata(s_dma_request_axis_tdata), .reply_tvalid(m_dma_reply_axis_tvalid),
    .reply_tready(m_dma_reply_axis_tready), .reply_tdata(m_dma_reply_axis_tdata),
    .frame_tvalid(s_dma_frame_axis_tvalid), .frame_tready(s_dma_frame_axis_tready),
    .frame_tdata(s_dma_frame_axis_tdata), .frame_tlast(s_dma_frame_axis_tlast));

  // The byte stream leaves the chip as it is, in the slow clock.
  assign m_out_frame_axis_tready = bytes_tready;
  assign bytes_tvalid = m_out_frame_axis_tvalid;
  assign bytes_tdata = m_out_frame_axis_tdata;
  assign bytes_tlast = m_out_frame_axis_tlast;
endmodule
`default_nettype wire
