#include "campaign/job.h"

namespace faultline::campaign {
namespace {

std::string error_text(int status, const std::string& what, const std::string& hint) {
  Json error = {{"error", {{"status", status}, {"what", what}, {"hint", hint}}}};
  return error.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

exec::Job make_job(std::function<void(exec::Line&)> work, std::function<void(const Json&)> on_message,
                   std::function<void(const exec::Death&)> on_death, std::function<void(bool)> on_end) {
  exec::Job job;
  job.work = [work = std::move(work)](exec::Line& line) {
    try {
      work(line);
    } catch (const frontend::UserError& error) {
      line.send(error_text(error.status, error.what(), error.hint));
    } catch (const std::exception& error) {
      line.send(error_text(70, error.what(), ""));
    }
  };
  job.on_message = [on_message = std::move(on_message)](std::string_view text) {
    // The code under test could have written to the line: what is not JSON is not ours.
    Json message = Json::parse(text, nullptr, false);
    if (message.is_object() && !message.empty())
      on_message(message);
  };
  job.on_death = std::move(on_death);
  job.on_end = std::move(on_end);
  return job;
}

std::optional<frontend::UserError> error_in(const Json& message) {
  auto found = message.find("error");
  if (found == message.end() || !found->is_object())
    return std::nullopt;
  return frontend::UserError(found->value("status", 70), found->value("what", std::string("unknown")),
                             found->value("hint", std::string()));
}

} // namespace faultline::campaign
