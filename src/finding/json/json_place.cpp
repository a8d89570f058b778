#include "finding/json/json_place.h"

namespace faultline::finding {

using Json = nlohmann::ordered_json;

Json parse_json(std::string_view text) {
  static constexpr int deepest = 64; // a report is nested 9 deep; a reader that recursed further could run out of stack
  const auto guard = [](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest)
      throw frontend::UserError(frontend::status_usage, fmt::format("is nested more than {} deep", deepest),
                                "use a file that faultline hunt -o FILE.json wrote");
    return true;
  };
  try {
    return Json::parse(text, guard);
  } catch (const Json::exception& problem) { // the library's own exceptions end here
    std::string what = problem.what();       // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const size_t id = what.find("] "); id != std::string::npos)
      what.erase(0, id + 2);
    throw frontend::UserError(frontend::status_usage, "is not JSON: " + what,
                              "use a file that faultline hunt -o FILE.json wrote");
  }
}

} // namespace faultline::finding
