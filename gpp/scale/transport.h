// The way of a block of bands from one rank's memory to the next one's.
#pragma once

#include <memory>
#include <string>

#include "gpp/scale/communicator.h"
#include "runtimes/memory.h"

namespace gpp::scale {

/// A block of bands where it lies.
struct BlockPlace {
  void* placed = nullptr;   ///< in the memory where variants run
  void* staging = nullptr;  ///< the same in the host's pinned memory; nullptr where it isn't needed
};

class Transport {
 public:
  virtual ~Transport() = default;
  /// For people and records: "MPI", "MPI through pinned memory", "NCCL".
  virtual std::string name() const = 0;
  /// Whether blocks need their places in pinned memory.
  virtual bool staged() const { return false; }
  virtual std::unique_ptr<Transfer> pass(BlockPlace block, std::size_t size, int to,
                                         BlockPlace received, std::size_t received_size,
                                         int from) = 0;
  virtual std::unique_ptr<Transfer> spread(BlockPlace block, std::size_t size, int root,
                                           bool is_root) = 0;
};

/// Blocks go straight from one rank's memory to the other's: between hosts, or by NCCL. `exchange`
/// outlives it.
std::unique_ptr<Transport> direct_transport(Exchange& exchange, std::string name);

/// Through pinned memory of the hosts: what has arrived there is copied to the device, piece by
/// piece, while the rest is on its way. Both outlive it.
std::unique_ptr<Transport> staged_transport(Exchange& exchange, const DeviceMemory& memory);

}  // namespace gpp::scale
