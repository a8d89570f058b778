// What one function alone cannot know: a finding that says only that something is wrong at a line belongs to the
// problem that another function's finding has there (finding/problem.h).
//
// Jobs record the problems of their own function. This makes them those of the library, so that whoever counts rows
// counts what a report shows.
#pragma once

#include "campaign/store/database.h"

namespace faultline::campaign {

void join_shared_places(Database& database);

} // namespace faultline::campaign
