#include "hunt/confirmation.h"

#include "frontend/error.h"
#include "hunt/single_run.h"
#include "hunt/worker_death.h"

#include <algorithm>

namespace faultline::campaign {

using finding::Finding;

Confirmation::Confirmation(const frontend::Target& target, const std::vector<Finding>& findings,
                           const std::set<std::string>& certain) {
  for (const size_t i : order_by_input(findings)) {
    if (certain.contains(findings[i].id))
      continue;
    const std::optional<finding::Input> input = typed_input(target, findings[i].values);
    if (!input)
      throw frontend::UserError(frontend::status_internal, "the input of a finding is not one of this function");
    wanted_.push_back({i, {*input, findings[i]}});
  }
}

finding::Task Confirmation::task() const {
  finding::ReplayTask task;
  for (const Wanted& wanted : wanted_)
    task.findings.push_back(wanted.found);
  return task;
}

void Confirmation::take(const finding::Message& message) {
  if (std::holds_alternative<finding::WorkerDeath>(message))
    next_ = 0; // another worker begins anew, without the call that killed this one
  const auto* result = std::get_if<finding::ReplayResult>(&message);
  if (!result || next_ == wanted_.size())
    return;
  wanted_[next_++].answer = result->reproduced ? Answer::yes : Answer::no;
}

std::vector<size_t> Confirmation::refuted() const {
  std::vector<size_t> places;
  for (const Wanted& wanted : wanted_)
    if (wanted.answer == Answer::no)
      places.push_back(wanted.place);
  std::ranges::sort(places);
  return places;
}

size_t Confirmation::left_over() const { return size_t(std::ranges::count(wanted_, Answer::open, &Wanted::answer)); }

} // namespace faultline::campaign
