#include "roofline/inject/library/marks.h"

#include <cupti_nvtx_cbid.h>
#include <nvtx3/nvToolsExt.h>
// After NVTX, whose types it needs.
#include <generated_nvtx_meta.h>

namespace roofline::inject {
namespace {

template <typename Parameters>
const Parameters& parameters(const CUpti_NvtxData& data) {
  return *static_cast<const Parameters*>(data.functionParams);
}

std::string text(const char* words) { return words == nullptr ? "" : words; }

}  // namespace

void Marks::registered(const CUpti_NvtxData& data) {
  if (data.functionReturnValue == nullptr) return;
  const void* handle = *static_cast<void* const*>(data.functionReturnValue);
  const std::scoped_lock lock(mutex_);
  names_[handle] = text(parameters<nvtxDomainRegisterStringA_params>(data).string);
}

std::string Marks::name_in(const void* attributes) {
  const auto* event = static_cast<const nvtxEventAttributes_t*>(attributes);
  if (event == nullptr) return "";
  if (event->messageType == NVTX_MESSAGE_TYPE_ASCII) return text(event->message.ascii);
  if (event->messageType != NVTX_MESSAGE_TYPE_REGISTERED) return "";
  const std::scoped_lock lock(mutex_);
  const auto name = names_.find(event->message.registered);
  return name == names_.end() ? "" : name->second;
}

void Marks::started(const std::string& name, const CUpti_NvtxData& data) {
  if (data.functionReturnValue != nullptr)
    chooser_.start(*static_cast<const nvtxRangeId_t*>(data.functionReturnValue), name);
}

void Marks::seen(CUpti_CallbackId id, const CUpti_NvtxData& data) {
  switch (id) {
    case CUPTI_CBID_NVTX_nvtxRangePushA:
      return chooser_.push(text(parameters<nvtxRangePushA_params>(data).message));
    case CUPTI_CBID_NVTX_nvtxRangePushEx:
      return chooser_.push(name_in(parameters<nvtxRangePushEx_params>(data).eventAttrib));
    case CUPTI_CBID_NVTX_nvtxDomainRangePushEx:
      return chooser_.push(name_in(parameters<nvtxDomainRangePushEx_params>(data).core.eventAttrib),
                           parameters<nvtxDomainRangePushEx_params>(data).domain);
    case CUPTI_CBID_NVTX_nvtxRangePushW:
      return chooser_.push("");
    case CUPTI_CBID_NVTX_nvtxRangePop:
      return chooser_.pop();
    case CUPTI_CBID_NVTX_nvtxDomainRangePop:
      return chooser_.pop(parameters<nvtxDomainRangePop_params>(data).domain);
    case CUPTI_CBID_NVTX_nvtxRangeStartA:
      return started(text(parameters<nvtxRangeStartA_params>(data).message), data);
    case CUPTI_CBID_NVTX_nvtxRangeStartEx:
      return started(name_in(parameters<nvtxRangeStartEx_params>(data).eventAttrib), data);
    case CUPTI_CBID_NVTX_nvtxDomainRangeStartEx:
      return started(name_in(parameters<nvtxDomainRangeStartEx_params>(data).core.eventAttrib),
                     data);
    case CUPTI_CBID_NVTX_nvtxRangeEnd:
      return chooser_.end(parameters<nvtxRangeEnd_params>(data).id);
    case CUPTI_CBID_NVTX_nvtxDomainRangeEnd:
      return chooser_.end(parameters<nvtxDomainRangeEnd_params>(data).core.id);
    case CUPTI_CBID_NVTX_nvtxDomainRegisterStringA:
      return registered(data);
    default:
      return;
  }
}

}  // namespace roofline::inject
