// Where a worker's messages go.
#pragma once

#include "finding/message.h"

#include <functional>

namespace faultline::judge {

using Tell = std::function<void(const finding::Message&)>;

} // namespace faultline::judge
