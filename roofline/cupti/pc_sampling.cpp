#include "roofline/cupti/pc_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "roofline/base/text.h"

namespace roofline::cupti {
// The namespace has a name because a class visible elsewhere has these parts as its state.
namespace samples {

/// The number of instructions per fetch; more are fetched repeatedly.
constexpr std::size_t instructions_at_once = 16384;
/// The limit of fetches, in case CUPTI never finishes.
constexpr int most_fetches = 1000;
constexpr std::size_t most_reasons = 1000;

constexpr std::string_view reason_prefix = "smsp__pcsamp_warps_issue_stalled_";
/// CUPTI names samples twice: by reason, and again with this suffix if the scheduler issued
/// nothing.
constexpr std::string_view twin_suffix = "_not_issued";

template <class Params>
Params params_of(std::size_t size, CUcontext context) {
  Params params = {};
  params.size = size;
  params.ctx = context;
  return params;
}

/// The memory that CUPTI fills with samples.
class Buffer {
 public:
  explicit Buffer(std::size_t reasons)
      : instructions_(instructions_at_once), reasons_(instructions_at_once * reasons) {
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      instructions_[i].size = sizeof(CUpti_PCSamplingPCData);
      instructions_[i].stallReason = &reasons_[i * reasons];
    }
    data_.size = sizeof(data_);
    data_.collectNumPcs = instructions_.size();
    data_.pPcData = instructions_.data();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  CUpti_PCSamplingData& data() { return data_; }

 private:
  std::vector<CUpti_PCSamplingPCData> instructions_;
  std::vector<CUpti_PCSamplingStallReason> reasons_;
  CUpti_PCSamplingData data_ = {};
};

/// Samples by instruction, summed over all buffers.
class Tally {
 public:
  /// The stall names by CUPTI's index, without the twins.
  explicit Tally(std::map<std::uint32_t, std::string> names, std::size_t reasons)
      : names_(std::move(names)), reasons_(reasons) {}

  void add(const CUpti_PCSamplingData& data) {
    dropped_ += data.droppedSamples;
    elsewhere_ += data.nonUsrKernelsTotalSamples;
    full_ = full_ || data.hardwareBufferFull != 0;
    // These are copies, because references to fields of CUPTI's packed structures are not allowed.
    const std::size_t told = data.totalNumPcs, room = data.collectNumPcs;
    for (std::size_t i = 0; i < std::min(told, room); ++i) add(data.pPcData[i]);
  }

  void is_full() { full_ = true; }

  /// Returns the samples since the last call.
  RecordedCode take() {
    RecordedCode code;
    for (const auto& [index, name] : names_) code.reasons.insert(name);
    code.dropped = std::exchange(dropped_, 0);
    code.elsewhere = std::exchange(elsewhere_, 0);
    for (const auto& [key, stalls] : instructions_)
      code.instructions.push_back(
          {std::get<0>(key), std::get<1>(key), std::get<2>(key), stalls, {}});
    instructions_.clear();
    if (std::exchange(full_, false))
      code.lost.emplace_back(
          "samples: the hardware's buffer ran full, those after it are missing; sample less often "
          "(--period)");
    return code;
  }

 private:
  void add(const CUpti_PCSamplingPCData& one) {
    // The name is not freed, because records share it and CUPTI does not define its owner.
    const std::uint64_t crc = one.cubinCrc, offset = one.pcOffset;
    const std::string function = one.functionName != nullptr ? one.functionName : "";
    Events& stalls = instructions_[{crc, function, offset}];
    const std::size_t told = one.stallReasonCount;
    for (std::size_t i = 0; i < std::min(told, reasons_); ++i) {
      const std::uint32_t reason = one.stallReason[i].pcSamplingStallReasonIndex;
      const std::uint64_t samples = one.stallReason[i].samples;
      const auto name = names_.find(reason);
      if (name != names_.end() && samples > 0) stalls[name->second] += samples;
    }
  }

  std::map<std::uint32_t, std::string> names_;
  std::size_t reasons_;
  std::map<std::tuple<std::uint64_t, std::string, std::uint64_t>, Events> instructions_;
  std::uint64_t dropped_ = 0, elsewhere_ = 0;
  bool full_ = false;
};

/// Samples a context from Enable to Disable.
class SamplingSession {
 public:
  SamplingSession(const Functions& functions, CUcontext context)
      : functions_(functions), context_(context) {
    auto params =
        params_of<CUpti_PCSamplingEnableParams>(CUpti_PCSamplingEnableParamsSize, context_);
    ask(functions_.cuptiPCSamplingEnable(&params), "cuptiPCSamplingEnable");
    enabled_ = true;
  }
  ~SamplingSession() {
    if (started_) stop();
    if (enabled_) disable();
  }
  SamplingSession(const SamplingSession&) = delete;
  SamplingSession& operator=(const SamplingSession&) = delete;

  std::size_t number_of_reasons() const {
    std::size_t count = 0;
    auto params = params_of<CUpti_PCSamplingGetNumStallReasonsParams>(
        CUpti_PCSamplingGetNumStallReasonsParamsSize, context_);
    params.numStallReasons = &count;
    ask(functions_.cuptiPCSamplingGetNumStallReasons(&params), "cuptiPCSamplingGetNumStallReasons");
    if (count == 0 || count > most_reasons)
      throw RecorderError(fmt::format(
          "CUPTI tells of {} stall reasons (cuptiPCSamplingGetNumStallReasons); update the driver "
          "or the CUDA toolkit",
          count));
    return count;
  }

  /// The stall names ("long_scoreboard") by CUPTI's index, without the twins.
  std::map<std::uint32_t, std::string> reasons(std::size_t count) const {
    std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(count);
    std::vector<char*> places(count);
    std::vector<std::uint32_t> indices(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = texts[i].data();
    auto params = params_of<CUpti_PCSamplingGetStallReasonsParams>(
        CUpti_PCSamplingGetStallReasonsParamsSize, context_);
    params.numStallReasons = count;
    params.stallReasonIndex = indices.data();
    params.stallReasons = places.data();
    ask(functions_.cuptiPCSamplingGetStallReasons(&params), "cuptiPCSamplingGetStallReasons");
    std::map<std::uint32_t, std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      texts[i].back() = '\0';
      std::string_view name = texts[i].data();
      if (name.starts_with(reason_prefix)) name.remove_prefix(reason_prefix.size());
      if (!name.ends_with(twin_suffix)) names.emplace(indices[i], name);
    }
    return names;
  }

  void configure(int period, Buffer& own) const {
    std::vector<CUpti_PCSamplingConfigurationInfo> attributes;
    const auto attribute = [&attributes](CUpti_PCSamplingConfigurationAttributeType type) -> auto& {
      attributes.emplace_back();
      attributes.back().attributeType = type;
      return attributes.back().attributeData;
    };
    attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD)
        .samplingPeriodData.samplingPeriod = static_cast<std::uint32_t>(period);
    attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE)
        .collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL)
        .enableStartStopControlData.enableStartStopControl = 1;
    attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT)
        .outputDataFormatData.outputDataFormat = CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED;
    attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)
        .samplingDataBufferData.samplingDataBuffer = &own.data();
    auto params = params_of<CUpti_PCSamplingConfigurationInfoParams>(
        CUpti_PCSamplingConfigurationInfoParamsSize, context_);
    params.numAttributes = attributes.size();
    params.pPCSamplingConfigurationInfo = attributes.data();
    ask(functions_.cuptiPCSamplingSetConfigurationAttribute(&params),
        "cuptiPCSamplingSetConfigurationAttribute");
    for (const CUpti_PCSamplingConfigurationInfo& one : attributes)
      ask(one.attributeStatus, fmt::format("cuptiPCSamplingSetConfigurationAttribute, attribute {}",
                                           static_cast<int>(one.attributeType)));
  }

  void start() {
    auto params = params_of<CUpti_PCSamplingStartParams>(CUpti_PCSamplingStartParamsSize, context_);
    ask(functions_.cuptiPCSamplingStart(&params), "cuptiPCSamplingStart");
    started_ = true;
  }
  CUptiResult stop() {
    started_ = false;
    auto params = params_of<CUpti_PCSamplingStopParams>(CUpti_PCSamplingStopParamsSize, context_);
    return functions_.cuptiPCSamplingStop(&params);
  }
  CUptiResult disable() {
    enabled_ = false;
    auto params =
        params_of<CUpti_PCSamplingDisableParams>(CUpti_PCSamplingDisableParamsSize, context_);
    return functions_.cuptiPCSamplingDisable(&params);
  }

  void fetch(std::size_t reasons, Tally& tally) const {
    for (int turn = 0; turn < most_fetches; ++turn) {
      Buffer buffer(reasons);
      auto params =
          params_of<CUpti_PCSamplingGetDataParams>(CUpti_PCSamplingGetDataParamsSize, context_);
      params.pcSamplingData = &buffer.data();
      const CUptiResult result = functions_.cuptiPCSamplingGetData(&params);
      if (result == CUPTI_ERROR_OUT_OF_MEMORY) return tally.is_full();
      ask(result, "cuptiPCSamplingGetData");
      tally.add(buffer.data());
      if (buffer.data().remainingNumPcs == 0) return;
    }
    throw RecorderError(fmt::format(
        "CUPTI still had samples after {} calls of cuptiPCSamplingGetData; update the driver or "
        "the CUDA toolkit",
        most_fetches));
  }

  void ask(CUptiResult result, const std::string& call) const {
    check(functions_, result, call.c_str());
  }

 private:
  const Functions& functions_;
  CUcontext context_;
  bool enabled_ = false;
  bool started_ = false;
};

}  // namespace samples

using namespace samples;

/// CUPTI writes into the buffer until sampling is disabled, so the buffer outlives the session.
struct Sampling::State {
  int period;
  std::unique_ptr<Buffer> own = {};
  SamplingSession session;
  std::size_t reasons;
  Tally tally;

  State(const Functions& functions, CUcontext context, int every)
      : period(every),
        session(functions, context),
        reasons(session.number_of_reasons()),
        tally(session.reasons(reasons), reasons) {
    own = std::make_unique<Buffer>(reasons);
    session.configure(period, *own);
  }
};

Sampling::Sampling(const Functions& functions, CUcontext context, int period)
    : state_(std::make_unique<State>(functions, context, period)) {}

Sampling::~Sampling() = default;

void Sampling::start() { state_->session.start(); }

void Sampling::stop() {
  state_->session.ask(state_->session.stop(), "cuptiPCSamplingStop");
  state_->session.fetch(state_->reasons, state_->tally);
}

RecordedCode Sampling::take() {
  RecordedCode code = state_->tally.take();
  code.period = state_->period;
  const std::size_t rest = state_->own->data().remainingNumPcs;
  if (rest > 0)
    code.lost.push_back(
        fmt::format("samples: those of {} instructions did not fit into a buffer", rest));
  return code;
}

RecordedCode Sampling::fetch() {
  stop();
  RecordedCode code = take();
  start();
  return code;
}

RecordedCode Sampling::end() {
  stop();
  state_->session.ask(state_->session.disable(), "cuptiPCSamplingDisable");
  state_->tally.add(state_->own->data());
  return take();
}

RecordedCode sample_instructions(const Functions& functions, CUcontext context, int period,
                                 const SampledWork& work) {
  Sampling sampling(functions, context, period);
  work.warm_up();
  sampling.start();
  work.run();
  return sampling.end();
}

KernelRecording stalls_by_kernel(const RecordedCode& code, const std::vector<std::string>& names) {
  KernelRecording recording;
  recording.passes = 1;
  recording.defects = code.lost;
  if (code.instructions.empty()) {
    recording.missing.push_back(
        {"stalls", fmt::format("CUPTI told of no sample in the program's kernels; it dropped {}, "
                               "and {} were elsewhere",
                               code.dropped, code.elsewhere)});
    return recording;
  }
  Counters none;
  for (const std::string& name : names) {
    const bool stall = name.starts_with(reason_prefix);
    if (stall && code.reasons.contains(name.substr(reason_prefix.size())))
      none[name] = 0;
    else
      recording.missing.push_back({name, "this GPU samples no such reason"});
  }
  std::map<std::string, Counters> kernels;
  for (const InstructionEvidence& one : code.instructions) {
    Counters& counters = kernels.try_emplace(one.function, none).first->second;
    for (const auto& [reason, samples] : one.stalls) {
      const auto counter = counters.find(std::string(reason_prefix) + reason);
      if (counter != counters.end()) counter->second += static_cast<double>(samples);
    }
  }
  for (auto& [symbol, counters] : kernels)
    recording.kernels.push_back({demangled(symbol), 0, std::move(counters)});
  return recording;
}

}  // namespace roofline::cupti
