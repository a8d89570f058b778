#include "judge/tasks/hunt_budget.h"

#include "judge/tasks/deadline.h"

#include <algorithm>

namespace faultline::judge {

double spent_before(const finding::Settings& settings, const exec::Channel& channel) {
  return std::min(channel.spent, settings.budget_seconds / 2);
}

uint64_t break_off(const exec::Channel& channel) {
  return channel.before_call ? *channel.before_call - 1 : search::Budget().break_off;
}

search::Budget hunt_budget(const finding::Settings& settings, const finding::HuntTask& task,
                           const exec::Channel& channel) {
  search::Budget budget;
  constexpr double records_a_second = 20e6; // the nominal rate: less than a core does, so that the count ends it
  budget.seconds = std::max(settings.budget_seconds * end_of_search - spent_before(settings, channel), 0.0);
  budget.records = uint64_t(records_a_second * std::min(settings.budget_seconds, 1e6));
  if (settings.evaluations) {
    budget.evaluations = *settings.evaluations;
    budget.records = task.operations.value_or(~uint64_t(0));
  }
  budget.break_off = break_off(channel);
  return budget;
}

} // namespace faultline::judge
