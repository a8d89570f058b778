#include "finding/json/json_place.h"

namespace faultline::finding {

using Json = nlohmann::ordered_json;

void check_depth(int depth) {
  static constexpr int deepest = 64; // a report is nested 9 deep
  if (depth > deepest)
    throw frontend::UserError(frontend::status_usage, fmt::format("is nested more than {} deep", deepest),
                              "use a file that faultline hunt -o FILE.json wrote");
}

Json parsed_json(const std::function<Json()>& parse) {
  try {
    return parse();
  } catch (const Json::exception& problem) { // the library's own exceptions end here
    std::string what = problem.what();       // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const size_t id = what.find("] "); id != std::string::npos)
      what.erase(0, id + 2);
    throw frontend::UserError(frontend::status_usage, "is not JSON: " + what.substr(0, 300), // it quotes the last word
                              "use a file that faultline hunt -o FILE.json wrote");
  }
}

Json parse_json(std::string_view text) {
  return parsed_json([&] {
    return Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
      check_depth(depth);
      return true;
    });
  });
}

} // namespace faultline::finding
