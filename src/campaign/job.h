// Work in a worker whose result comes back as JSON messages: what hunt, explain and replay have in common.
#pragma once

#include "exec/worker.h"
#include "frontend/error.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

namespace faultline::campaign {

using Json = nlohmann::ordered_json;

// A job that sends a UserError of its work as an "error" message.
exec::Job make_job(std::function<void(exec::Line&)> work, std::function<void(const Json&)> on_message,
                   std::function<void(const exec::Death&)> on_death, std::function<void(bool)> on_end);

// The UserError in an "error" message, if it is one.
std::optional<frontend::UserError> error_in(const Json& message);

} // namespace faultline::campaign
