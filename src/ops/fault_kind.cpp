#include "ops/fault_kind.h"

#include <algorithm>

namespace faultline::ops {
namespace {

struct FaultNames {
  Fault fault;
  std::string_view text, headline, sentence;
};
constexpr FaultNames fault_names[] = {
#define FAULTLINE_FAULT_NAME(id, text, headline, sentence) {Fault::id, text, headline, sentence},
    FAULTLINE_FAULTS(FAULTLINE_FAULT_NAME)
#undef FAULTLINE_FAULT_NAME
};

} // namespace

std::string_view text(Fault fault) { return fault_names[size_t(fault)].text; }
std::string_view headline(Fault fault) { return fault_names[size_t(fault)].headline; }
std::string_view sentence(Fault fault) { return fault_names[size_t(fault)].sentence; }
std::optional<Fault> fault_of(std::string_view text) {
  const auto* row = std::ranges::find(fault_names, text, &FaultNames::text);
  return row == std::end(fault_names) ? std::nullopt : std::optional(row->fault);
}

} // namespace faultline::ops
