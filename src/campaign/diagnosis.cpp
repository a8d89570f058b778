#include "campaign/diagnosis.h"

#include "campaign/names.h"

namespace faultline::campaign {
namespace {

constexpr auto fault_names = std::to_array<std::pair<Fault, std::string_view>>({
#define FAULTLINE_FAULT_NAME(id, text, headline) {Fault::id, text},
    FAULTLINE_FAULTS(FAULTLINE_FAULT_NAME)
#undef FAULTLINE_FAULT_NAME
});

constexpr auto headlines = std::to_array<std::pair<Fault, std::string_view>>({
#define FAULTLINE_FAULT_HEADLINE(id, text, headline) {Fault::id, headline},
    FAULTLINE_FAULTS(FAULTLINE_FAULT_HEADLINE)
#undef FAULTLINE_FAULT_HEADLINE
});

} // namespace

std::string_view text(Fault fault) { return name_of(fault_names, fault); }
std::string_view headline(Fault fault) { return name_of(headlines, fault); }
std::optional<Fault> fault_of(std::string_view text) { return id_of(fault_names, text); }

} // namespace faultline::campaign
