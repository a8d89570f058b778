// What running a function has told of its arrays, so that each is measured once.
#pragma once

#include "campaign/store/database.h"
#include "hunt/targets/extents.h"

namespace faultline::campaign {

// Lives as long as the database.
ExtentMemory extent_memory(Database& database);

} // namespace faultline::campaign
