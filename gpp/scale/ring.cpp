#include "gpp/scale/ring.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gpp/scale/late_ranks.h"
#include "gpp/study/kernel.h"

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

/// Moves a transfer on in a thread of its own: MPI makes no progress unless somebody asks, and the
/// rank's own thread sums. Asks seldom while it does, for the core is the sum's.
class Carrier {
 public:
  Carrier(std::unique_ptr<Transfer> transfer, const std::function<void()>& use_device)
      : transfer_(std::move(transfer)), thread_([this, &use_device] { carry(use_device); }) {}

  /// Waits; the seconds that the transfer took since the carrier's start.
  double wait(double patience) {
    awaited_ = true;
    const auto start = Clock::now();
    while (!arrived_) {
      if (seconds_since(start) > patience)
        throw std::runtime_error(not_come(patience, "passing a block of bands"));
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    thread_.join();
    if (trouble_) std::rethrow_exception(trouble_);
    return seconds_;
  }

 private:
  void carry(const std::function<void()>& use_device) {
    try {
      use_device();
      while (!transfer_->done() && !given_up_)
        std::this_thread::sleep_for(std::chrono::microseconds(awaited_ ? 20 : 500));
    } catch (...) {
      trouble_ = std::current_exception();
    }
    seconds_ = seconds_since(start_);
    arrived_ = true;
  }

 public:
  ~Carrier() { given_up_ = true; }
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

 private:
  std::unique_ptr<Transfer> transfer_;
  Clock::time_point start_ = Clock::now();
  std::atomic<bool> awaited_{false};
  std::atomic<bool> arrived_{false};
  std::atomic<bool> given_up_{false};
  std::exception_ptr trouble_;
  double seconds_ = 0;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace

std::unique_ptr<Transport> direct_transport(Exchange& exchange, std::string name) {
  return std::make_unique<Direct>(exchange, std::move(name));
}

std::unique_ptr<Transport> staged_transport(Exchange& exchange, const DeviceMemory& memory) {
  return std::make_unique<Staged>(exchange, memory);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string name_of(ExchangeKind kind) {
  switch (kind) {
    case ExchangeKind::ring:
      return "ring";
    case ExchangeKind::blocking:
      return "blocking";
    case ExchangeKind::collective:
      return "collective";
  }
  return {};
}

Ring::Ring(Communicator& pool, Transport& transport, const OwnPart& part,
           const DeviceMemory& memory, ExchangeKind kind, std::function<void()> use_device)
    : pool_(pool),
      transport_(transport),
      part_(part),
      memory_(memory),
      kind_(kind),
      use_device_(std::move(use_device)) {
  if (pool.size() == 1) return;
  const bool staged = transport.staged();
  const std::size_t bytes = part.largest_block_bytes();
  for (Buffer& buffer : passing_) {
    buffer.placed = DeviceBuffer(memory, bytes);
    if (staged) buffer.staging = DeviceBuffer(memory, bytes, DeviceBuffer::Kind::staging);
  }
  for (int i = 0; staged && i < part.states(); ++i) {
    const std::size_t own = part.block_bytes(pool.rank());
    own_staging_.emplace_back(memory, own, DeviceBuffer::Kind::staging);
    memory.read(own_staging_.back().data(), part.own_block(i), own);
  }
}

Ring::Held Ring::own(int i) {
  void* const staging =
      own_staging_.empty() ? nullptr : own_staging_[static_cast<std::size_t>(i)].data();
  return {{part_.own_block(i), staging}, pool_.rank()};
}

Sums Ring::sum_block(int i, const Held& held, const Call& variant) {
  return call_variant(variant, part_.problem(i, held.owner, held.place.placed));
}

std::unique_ptr<Transfer> Ring::pass_on(const Held& held, const Held& next) {
  const int ranks = pool_.size();
  return transport_.pass(held.place, part_.block_bytes(held.owner),
                         (pool_.rank() + ranks - 1) % ranks, next.place,
                         part_.block_bytes(next.owner), (pool_.rank() + 1) % ranks);
}

/// Starts a transfer, does something meanwhile, waits for the rest. Returns the seconds of what was
/// done meanwhile.
double Ring::bring(const std::function<std::unique_ptr<Transfer>()>& start,
                   const std::function<void()>& meanwhile, ScalingStep& times) const {
  Carrier carrier(start(), use_device_);
  const auto begin = Clock::now();
  meanwhile();
  const double busy = seconds_since(begin);
  const auto idle = Clock::now();
  times.transfer += carrier.wait(patience_s + 3 * std::max(longest_step_, busy));
  times.wait += seconds_since(idle);
  return busy;
}

Ring::Held Ring::spread_from(int i, int owner, ScalingStep& times) {
  const bool mine = owner == pool_.rank();
  const Held held = mine ? own(i) : Held{passing_[0].place(), owner};
  const auto start = [&] {
    return transport_.spread(held.place, part_.block_bytes(owner), owner, mine);
  };
  bring(
      start, [] {}, times);
  return held;
}

Sums Ring::run(int i, const Call& variant, std::vector<ScalingStep>& steps) {
  const int ranks = pool_.size();
  steps.resize(static_cast<std::size_t>(ranks));
  Sums sums{};
  Held held = own(i);
  for (int step = 0; step < ranks; ++step) {
    ScalingStep& times = steps[static_cast<std::size_t>(step)];
    const bool collective = kind_ == ExchangeKind::collective && ranks > 1;
    if (collective) held = spread_from(i, step, times);
    const auto sum = [&] { sums += sum_block(i, held, variant); };
    const Held next{passing_[static_cast<std::size_t>(step % 2)].place(),
                    (pool_.rank() + step + 1) % ranks};
    const auto start = [&] { return pass_on(held, next); };
    const bool last = step + 1 == ranks;
    double busy = 0;
    if (kind_ == ExchangeKind::ring && !last) {
      busy = bring(start, sum, times);
    } else {
      const auto begin = Clock::now();
      sum();
      busy = seconds_since(begin);
      if (kind_ == ExchangeKind::blocking && !last)
        bring(
            start, [] {}, times);
    }
    longest_step_ = std::max(longest_step_, busy);
    times.compute += busy;
    if (!collective) held = next;
  }
  return sums;
}

}  // namespace gpp::scale
