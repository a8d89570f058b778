#include "campaign/confirmation.h"

#include "campaign/single_run.h"

#include <algorithm>
#include <utility>

namespace faultline::campaign {

using finding::Finding;

namespace {

std::string key_of(const Finding& finding) {
  std::string key;
  for (const finding::NamedNumber& number : finding.input)
    key += number.value.hex + " ";
  return key;
}

} // namespace

Confirmation::Confirmation(const frontend::Target& target, const finding::Settings& settings,
                           const std::vector<Finding>& findings, const std::set<std::string>& certain) {
  for (size_t i = 0; i < findings.size(); ++i)
    if (!certain.contains(findings[i].id))
      wanted_.push_back({i, {input_of(target, settings, findings[i].input), findings[i]}});
  std::ranges::sort(wanted_, {},
                    [](const Wanted& wanted) { return std::pair(key_of(wanted.found.finding), wanted.place); });
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
