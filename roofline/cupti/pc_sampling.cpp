#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/cupti/session.h"

namespace roofline::cupti {
namespace {

/// The number of instructions per fetch; more are fetched repeatedly.
constexpr std::size_t instructions_at_once = 16384;
/// The limit of fetches, in case CUPTI never finishes.
constexpr int most_fetches = 1000;

constexpr std::string_view reason_prefix = "smsp__pcsamp_warps_issue_stalled_";
/// CUPTI names samples twice: by reason, and again with this suffix if the scheduler issued
/// nothing.
constexpr std::string_view twin_suffix = "_not_issued";

/// Calls a function of PC sampling for the context, and returns its result.
#define SAMPLING_CALL(name, ...)                           \
  [&] {                                                    \
    CUpti_PCSampling##name##Params params{};               \
    params.size = CUpti_PCSampling##name##ParamsSize;      \
    params.ctx = context_;                                 \
    __VA_ARGS__;                                           \
    return ROOFLINE_CUPTI(cuptiPCSampling##name)(&params); \
  }()
#define SAMPLING_ASK(name, ...) check(SAMPLING_CALL(name, __VA_ARGS__), "cuptiPCSampling" #name)

/// The memory that CUPTI fills with samples.
class Buffer {
 public:
  explicit Buffer(std::size_t reasons)
      : instructions_(instructions_at_once), reasons_(instructions_at_once * reasons) {
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      instructions_[i].size = sizeof(CUpti_PCSamplingPCData);
      instructions_[i].stallReason = &reasons_[i * reasons];
    }
    data.size = sizeof(data);
    data.collectNumPcs = instructions_.size();
    data.pPcData = instructions_.data();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  CUpti_PCSamplingData data = {};

 private:
  std::vector<CUpti_PCSamplingPCData> instructions_;
  std::vector<CUpti_PCSamplingStallReason> reasons_;
};

/// Samples a context from Enable to Disable.
class Sampling final : public CodeWatch {
 public:
  Sampling(CUcontext context, int period) : context_(context), period_(period) {
    SAMPLING_ASK(Enable);
    enabled_ = true;
    try {
      read_reasons();
      configure();
    } catch (...) {
      disable();  // here because the destructor will not run
      throw;
    }
  }
  ~Sampling() override {
    if (started_) stop();
    if (enabled_) disable();
  }
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  void start() override {
    SAMPLING_ASK(Start);
    started_ = true;
  }
  RecordedCode fetch() override {
    fetch_stopped();
    RecordedCode code = take();
    start();
    return code;
  }
  RecordedCode end() override {
    fetch_stopped();
    check(disable(), "cuptiPCSamplingDisable");
    add(own_->data);
    return take();
  }

 private:
  CUptiResult stop() {
    started_ = false;
    return SAMPLING_CALL(Stop);
  }
  CUptiResult disable() {
    enabled_ = false;
    return SAMPLING_CALL(Disable);
  }

  /// The stall names ("long_scoreboard") by CUPTI's index, without the twins.
  void read_reasons() {
    SAMPLING_ASK(GetNumStallReasons, params.numStallReasons = &reasons_);
    std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(reasons_);
    std::vector<char*> places(reasons_);
    std::vector<std::uint32_t> indices(reasons_);
    for (std::size_t i = 0; i < reasons_; ++i) places[i] = texts[i].data();
    SAMPLING_ASK(GetStallReasons, params.numStallReasons = reasons_;
                 params.stallReasonIndex = indices.data(); params.stallReasons = places.data());
    for (std::size_t i = 0; i < reasons_; ++i) {
      texts[i].back() = '\0';
      std::string_view name = texts[i].data();
      if (name.starts_with(reason_prefix)) name.remove_prefix(reason_prefix.size());
      if (!name.ends_with(twin_suffix)) names_.emplace(indices[i], name);
    }
  }

  void configure() {
    own_ = std::make_unique<Buffer>(reasons_);
    std::vector<CUpti_PCSamplingConfigurationInfo> attributes;
#define ATTRIBUTE(type, value, number)                                                        \
  attributes.emplace_back().attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_##type; \
  attributes.back().attributeData.value = number
    ATTRIBUTE(SAMPLING_PERIOD, samplingPeriodData.samplingPeriod,
              static_cast<std::uint32_t>(period_));
    ATTRIBUTE(COLLECTION_MODE, collectionModeData.collectionMode,
              CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS);
    ATTRIBUTE(ENABLE_START_STOP_CONTROL, enableStartStopControlData.enableStartStopControl, 1);
    ATTRIBUTE(OUTPUT_DATA_FORMAT, outputDataFormatData.outputDataFormat,
              CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED);
    ATTRIBUTE(SAMPLING_DATA_BUFFER, samplingDataBufferData.samplingDataBuffer, &own_->data);
#undef ATTRIBUTE
    CUpti_PCSamplingConfigurationInfoParams params = {};
    params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
    params.ctx = context_;
    params.numAttributes = attributes.size();
    params.pPCSamplingConfigurationInfo = attributes.data();
    ROOFLINE_CUPTI_CALL(cuptiPCSamplingSetConfigurationAttribute, &params);
    for (const CUpti_PCSamplingConfigurationInfo& one : attributes)
      check(one.attributeStatus, "cuptiPCSamplingSetConfigurationAttribute");
  }

  void fetch_stopped() {
    check(stop(), "cuptiPCSamplingStop");
    for (int turn = 0; turn < most_fetches; ++turn) {
      Buffer buffer(reasons_);
      const CUptiResult result = SAMPLING_CALL(GetData, params.pcSamplingData = &buffer.data);
      if (result == CUPTI_ERROR_OUT_OF_MEMORY) {
        full_ = true;
        return;
      }
      check(result, "cuptiPCSamplingGetData");
      add(buffer.data);
      if (buffer.data.remainingNumPcs == 0) return;
    }
    throw RecorderError("CUPTI's samples (cuptiPCSamplingGetData) do not end; update the driver");
  }

  void add(const CUpti_PCSamplingData& data) {
    found_.dropped += data.droppedSamples;
    found_.elsewhere += data.nonUsrKernelsTotalSamples;
    full_ = full_ || data.hardwareBufferFull != 0;
    // These are copies, because references to fields of CUPTI's packed structures are not allowed.
    const std::size_t told = data.totalNumPcs, room = data.collectNumPcs;
    for (std::size_t i = 0; i < std::min(told, room); ++i) add(data.pPcData[i]);
  }

  void add(const CUpti_PCSamplingPCData& one) {
    Events stalls;
    const std::size_t told = one.stallReasonCount;
    for (std::size_t i = 0; i < std::min(told, reasons_); ++i) {
      const std::uint32_t samples = one.stallReason[i].samples;
      const auto name = names_.find(one.stallReason[i].pcSamplingStallReasonIndex);
      if (name != names_.end() && samples > 0) stalls[name->second] += samples;
    }
    // The name is not freed, because records share it and CUPTI does not define its owner.
    const std::string function = one.functionName == nullptr ? "" : one.functionName;
    if (!stalls.empty())
      found_.instructions.push_back({one.cubinCrc, function, one.pcOffset, stalls, {}});
  }

  /// The samples since the last call.
  RecordedCode take() {
    RecordedCode code = std::exchange(found_, {});
    code.period = period_;
    for (const auto& [index, name] : names_) code.reasons.insert(name);
    if (std::exchange(full_, false))
      code.lost.emplace_back(
          "samples: the hardware's buffer ran full, those after it are missing; sample less often "
          "(--period)");
    if (const std::size_t rest = own_->data.remainingNumPcs; rest > 0)
      code.lost.push_back(
          fmt::format("samples: those of {} instructions did not fit into a buffer", rest));
    return code;
  }

  CUcontext context_;
  int period_;
  std::size_t reasons_ = 0;
  std::map<std::uint32_t, std::string> names_;
  std::unique_ptr<Buffer> own_;  // CUPTI writes into it until sampling is disabled
  bool enabled_ = false, started_ = false, full_ = false;
  RecordedCode found_;  // since the last take()
};

}  // namespace

std::unique_ptr<CodeWatch> watch_samples(CUcontext context, int period) {
  return std::make_unique<Sampling>(context, period);
}

Recording stalls_by_kernel(const RecordedCode& code, const std::vector<std::string>& names) {
  Recording recording;
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
  recording.counters = sums_over(recording.kernels);
  return recording;
}

}  // namespace roofline::cupti
