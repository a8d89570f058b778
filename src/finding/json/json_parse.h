// From text to JSON documents, for files that somebody else wrote. Parts of a large one can be taken out as they come.
#pragma once

#include "finding/json/json.h"

#include <functional>
#include <istream>
#include <string_view>

namespace faultline::finding {

// Asked at the begin of an object or a list, at a key, a value, and at the end of an object or a list, which is given
// whole; of nlohmann's callbacks it has names, order and depths. False: this is not to become part of the document.
// (Nlohmann's parser looks through all members of an object at the end of each.)
using Look = std::function<bool(int depth, Json::parse_event_t event, Json& parsed)>;

// Throw UserError: not JSON, or nested so deep that a reader could run out of stack.
Json parse_json(std::string_view text);
Json parse_json(std::istream& stream, const Look& look);

} // namespace faultline::finding
