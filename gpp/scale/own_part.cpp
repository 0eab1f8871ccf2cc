#include "gpp/scale/own_part.h"

#include <numeric>
#include <utility>

namespace gpp::scale {
namespace {

/// Bytes go where they are needed and leave where they were.
DeviceBuffer moved(const DeviceMemory& memory, std::vector<Complex>& values) {
  DeviceBuffer buffer(memory, values);
  values = {};
  return buffer;
}

/// The energies and frequencies of the input with other bands and another state's energy.
Input bands_of(const Input& input, BandBlock block, double e_lk) {
  Input bands;
  bands.sig_ntband = input.sig_ntband;
  bands.wfnkq_ekq = input.wfnkq_ekq;
  bands.nstart = input.nstart;
  bands.nend = input.nend;
  bands.sig_dw = input.sig_dw;
  bands.e_lk = e_lk;
  bands.nvband = input.nvband;
  bands.tol = input.tol;
  bands.efermi = input.efermi;
  bands.peinf_ntband_dist = block.bands;
  bands.peinf_indext_dist.resize(static_cast<std::size_t>(block.bands));
  std::iota(bands.peinf_indext_dist.begin(), bands.peinf_indext_dist.end(), block.first + 1);
  return bands;
}

}  // namespace

OwnPart::OwnPart(const PoolPart& pool, const std::vector<int>& sample, const DeviceMemory& memory)
    : memory_(memory),
      pool_(pool),
      own_bands_(block_of(pool.preset->sig_ntband, pool.rank, pool.ranks)),
      matrices_(pool.preset->offdiagonal ? 2 : 1),
      by_band_(memory) {
  const int first_state = pool.states.front();
  const Preset part = part_of(*pool.preset, pool.rank, pool.ranks, first_state);
  Input input = generate(part, pool.seed, false);
  input.aqsmtemp = matrices_ == 2 ? std::move(input.aqsmtemp) : std::vector<Complex>{};
  MatrixElements elements{std::move(input.aqsntemp), std::move(input.aqsmtemp)};
  own_vectors_ = own_vectors(input);
  vcoul_ = coulomb_of(input, own_vectors_);
  base_.ngpown = input.ngpown;
  base_.ncouls = input.ncouls;
  base_.limits = make_limits(input.sig_gamma, input.sexcut);

  FactoredProblem poles = base_;  // in the host's memory, until all that is asked of them is known
  poles.wtilde_array = {input.wtilde_array.data(), base_.ncouls, base_.ngpown};
  poles.I_eps_array = {input.I_eps_array.data(), base_.ncouls, base_.ngpown};
  poles.vcoul_loc = view_of(vcoul_);
  look_at_poles(poles);
  for (const int state : pool.states) {
    if (state != first_state)
      elements = generate_elements(part_of(*pool.preset, pool.rank, pool.ranks, state), pool.seed);
    place_state(input, input.e_lk + (state - first_state) * state_distance, elements, poles);
  }
  place_poles(input, sample);
}

void OwnPart::place_poles(Input& input, const std::vector<int>& sample) {
  for (const int igp : sample) {
    sample_.vectors.push_back(own_vectors_[static_cast<std::size_t>(igp)]);
    sample_.vcoul.push_back(vcoul_[static_cast<std::size_t>(igp)]);
    const auto add = [this, igp](std::vector<Complex>& to, const std::vector<Complex>& from) {
      const auto first = from.begin() + std::ptrdiff_t{base_.ncouls} * igp;
      to.insert(to.end(), first, first + base_.ncouls);
    };
    add(sample_.wtilde, input.wtilde_array);
    add(sample_.I_eps, input.I_eps_array);
  }
  wtilde_ = moved(memory_, input.wtilde_array);
  I_eps_ = moved(memory_, input.I_eps_array);
  vcoul_loc_ = DeviceBuffer(memory_, vcoul_);
  rows_ = DeviceBuffer(memory_, own_vectors_);
  base_.wtilde_array = {wtilde_.as<const Complex>(), base_.ncouls, base_.ngpown};
  base_.I_eps_array = {I_eps_.as<const Complex>(), base_.ncouls, base_.ngpown};
  base_.vcoul_loc = {vcoul_loc_.as<const double>(), base_.ngpown};
  const int most =
      pool_.whole ? input.sig_ntband : block_of(input.sig_ntband, 0, pool_.ranks).bands;
  const std::size_t bytes =
      sizeof(Complex) * static_cast<std::size_t>(base_.ngpown) * static_cast<std::size_t>(most);
  gathered_ = DeviceBuffer(memory_, bytes);
  gathered_t_ = DeviceBuffer(memory_, bytes);
}

void OwnPart::place_state(const Input& input, double e_lk, const MatrixElements& elements,
                          const FactoredProblem& poles) {
  State placed;
  const std::size_t size = elements.aqsntemp.size() * sizeof(Complex);
  placed.own = DeviceBuffer(memory_, matrices_ * size);
  memory_.write(placed.own.data(), elements.aqsntemp.data(), size);
  if (matrices_ == 2) memory_.write(placed.own.as<char>() + size, elements.aqsmtemp.data(), size);
  placed.own_bands = std::make_unique<PreparedBands>(bands_of(input, own_bands_, e_lk));
  const int blocks = pool_.whole ? 1 : pool_.ranks;
  for (int block = 0; block < blocks; ++block)
    placed.blocks.push_back(
        place_bands(bands_of(input, block_of(input.sig_ntband, block, blocks), e_lk), poles));
  states_.push_back(std::move(placed));
}

OwnPart::Block OwnPart::place_bands(const Input& bands, const FactoredProblem& poles) {
  Block block;
  block.bands = std::make_unique<PreparedBands>(bands);
  FactoredProblem on_host = poles;
  block.bands->plan_groups_in(on_host);
  on_host.resonant_poles = has_exact_resonance(on_host);
  on_host.wtilde_array = on_host.I_eps_array = {};
  on_host.vcoul_loc = {};
  block.placed = relocate(on_host, [this](const char* name, auto array) {
    if (array.count() == 0) return array;
    array.data = static_cast<decltype(array.data)>(
        by_band_.add(name, array.data, array.count() * sizeof(*array.data)));
    return array;
  });
  return block;
}

void OwnPart::add_pieces(std::vector<Message>& messages, void* block, BandBlock of_block,
                         BandBlock bands, int rank) const {
  const std::size_t a_band = sizeof(Complex) * static_cast<std::size_t>(base_.ncouls);
  for (std::size_t matrix = 0; matrix < matrices_; ++matrix)
    messages.push_back({static_cast<char*>(block) +
                            a_band * (matrix * static_cast<std::size_t>(of_block.bands) +
                                      static_cast<std::size_t>(bands.first - of_block.first)),
                        a_band * static_cast<std::size_t>(bands.bands), rank});
}

FactoredProblem OwnPart::problem(int i, int owner, const void* block) const {
  const std::vector<Block>& blocks = states_[static_cast<std::size_t>(i)].blocks;
  FactoredProblem problem = blocks[pool_.whole ? 0 : static_cast<std::size_t>(owner)].placed;
  problem.wtilde_array = base_.wtilde_array;
  problem.I_eps_array = base_.I_eps_array;
  problem.vcoul_loc = base_.vcoul_loc;
  const auto* const aqsn = static_cast<const Complex*>(block);
  problem.aqsntemp = {aqsn, base_.ncouls, problem.nbands};
  const Complex* const aqsm = matrices_ == 2 ? aqsn + problem.aqsntemp.count() : aqsn;
  memory_.gather({reinterpret_cast<const double*>(aqsm), base_.ncouls, problem.nbands,
                  rows_.as<const int>(), base_.ngpown, gathered_.as<double>(),
                  gathered_t_.as<double>()});
  problem.aqsmtemp_local = {gathered_.as<const Complex>(), base_.ngpown, problem.nbands};
  problem.aqsmtemp_local_t = {gathered_t_.as<const Complex>(), problem.nbands, base_.ngpown};
  return problem;
}

void OwnPart::reweight(const std::vector<double>& factors) {
  std::vector<double> vcoul = vcoul_;
  for (std::size_t igp = 0; igp < vcoul.size(); ++igp) vcoul[igp] *= factors[igp];
  memory_.write(vcoul_loc_.data(), vcoul.data(), vcoul.size() * sizeof(double));
}

Reference OwnPart::sample_reference(int i, const Sample& sample) const {
  const State& state = states_[static_cast<std::size_t>(i)];
  std::vector<Complex> own(state.own.bytes() / sizeof(Complex));
  memory_.read(own.data(), state.own.data(), state.own.bytes());
  FactoredProblem problem = base_;
  state.own_bands->show_in(problem);
  problem.ngpown = static_cast<int>(sample.vectors.size());
  problem.wtilde_array = {sample.wtilde.data(), base_.ncouls, problem.ngpown};
  problem.I_eps_array = {sample.I_eps.data(), base_.ncouls, problem.ngpown};
  problem.vcoul_loc = view_of(sample.vcoul);
  problem.aqsntemp = {own.data(), base_.ncouls, problem.nbands};
  const Complex* const aqsm = matrices_ == 2 ? own.data() + problem.aqsntemp.count() : own.data();
  std::vector<Complex> local(sample.vectors.size() * static_cast<std::size_t>(problem.nbands));
  host_memory().gather({reinterpret_cast<const double*>(aqsm), base_.ncouls, problem.nbands,
                        sample.vectors.data(), problem.ngpown,
                        reinterpret_cast<double*>(local.data()), nullptr});
  problem.aqsmtemp_local = {local.data(), problem.ngpown, problem.nbands};
  return compute_reference(problem);
}

}  // namespace gpp::scale
