#include "gpp/scale/transport.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gpp::scale {
namespace {

class Direct : public Transport {
 public:
  Direct(Exchange& exchange, std::string name) : exchange_(exchange), name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Transfer> pass(BlockPlace block, std::size_t size, int to, BlockPlace received,
                                 std::size_t received_size, int from) override {
    return exchange_.pass(block.placed, size, to, received.placed, received_size, from);
  }
  std::unique_ptr<Transfer> spread(BlockPlace block, std::size_t size, int root,
                                   bool /*is_root*/) override {
    return exchange_.spread(block.placed, size, root);
  }

 private:
  Exchange& exchange_;
  std::string name_;
};

/// A piece of a block on its way: a fraction of a millisecond of any of the links.
constexpr std::size_t piece_bytes = std::size_t{4} << 20;

struct Piece {
  std::size_t first = 0;
  std::size_t size = 0;
  std::unique_ptr<Transfer> transfer;
};

/// Pieces arrive in order.
class StagedTransfer : public Transfer {
 public:
  StagedTransfer(const DeviceMemory& memory, BlockPlace received, std::vector<Piece> pieces)
      : memory_(memory), received_(received), pieces_(std::move(pieces)) {}

  bool done() override {
    for (; next_ < pieces_.size(); ++next_) {
      const Piece& piece = pieces_[next_];
      if (!piece.transfer->done()) return false;
      if (received_.placed != nullptr && piece.size > 0)
        memory_.write_beside(static_cast<std::byte*>(received_.placed) + piece.first,
                             static_cast<const std::byte*>(received_.staging) + piece.first,
                             piece.size);
    }
    return true;
  }

 private:
  const DeviceMemory& memory_;
  BlockPlace received_;
  std::vector<Piece> pieces_;
  std::size_t next_ = 0;
};

std::byte* at(void* block, std::size_t first) { return static_cast<std::byte*>(block) + first; }

/// The bytes of a block of that size in the piece that begins at `first`.
std::size_t piece_of(std::size_t size, std::size_t first) {
  return first >= size ? 0 : std::min(piece_bytes, size - first);
}

class Staged : public Transport {
 public:
  Staged(Exchange& exchange, const DeviceMemory& memory) : exchange_(exchange), memory_(memory) {}
  std::string name() const override { return "MPI through pinned memory"; }
  bool staged() const override { return true; }

  std::unique_ptr<Transfer> pass(BlockPlace block, std::size_t size, int to, BlockPlace received,
                                 std::size_t received_size, int from) override {
    std::vector<Piece> pieces;
    for (std::size_t first = 0; first < std::max(size, received_size); first += piece_bytes) {
      const std::size_t arriving = piece_of(received_size, first);
      pieces.push_back({first, arriving,
                        exchange_.pass(at(block.staging, first), piece_of(size, first), to,
                                       at(received.staging, first), arriving, from)});
    }
    return std::make_unique<StagedTransfer>(memory_, received, std::move(pieces));
  }

  std::unique_ptr<Transfer> spread(BlockPlace block, std::size_t size, int root,
                                   bool is_root) override {
    std::vector<Piece> pieces;
    for (std::size_t first = 0; first < size; first += piece_bytes) {
      const std::size_t count = piece_of(size, first);
      pieces.push_back(
          {first, is_root ? 0 : count, exchange_.spread(at(block.staging, first), count, root)});
    }
    return std::make_unique<StagedTransfer>(memory_, block, std::move(pieces));
  }

 private:
  Exchange& exchange_;
  const DeviceMemory& memory_;
};

}  // namespace

std::unique_ptr<Transport> direct_transport(Exchange& exchange, std::string name) {
  return std::make_unique<Direct>(exchange, std::move(name));
}

std::unique_ptr<Transport> staged_transport(Exchange& exchange, const DeviceMemory& memory) {
  return std::make_unique<Staged>(exchange, memory);
}

}  // namespace gpp::scale
