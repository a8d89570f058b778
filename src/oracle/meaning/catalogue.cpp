#include "oracle/meaning/catalogue.h"

namespace faultline::oracle {

std::vector<ReadyMeaning> ready_meanings(const frontend::Target&) { return {}; }

} // namespace faultline::oracle
