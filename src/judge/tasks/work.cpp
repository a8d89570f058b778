#include "judge/tasks/work.h"

#include "frontend/error.h"
#include "judge/bounds/bounding.h"
#include "judge/bounds/certifying.h"
#include "judge/bounds/proving.h"
#include "judge/extents/extent_search.h"
#include "judge/space_of_target.h"
#include "judge/tasks/examination.h"
#include "judge/tasks/explainer.h"
#include "judge/tasks/exploration.h"
#include "judge/tasks/output_told.h"
#include "judge/tasks/plot_sampler.h"
#include "judge/tasks/replaying.h"
#include "judge/tasks/target_hunt.h"
#include "judge/vectors/candidates.h"
#include "judge/vectors/measuring.h"

#include <fmt/format.h>

namespace faultline::judge {
namespace {

using finding::Job;

// Paths are explored by the conditions on integers, too, and a proof needs all that decides.
exec::Recording recording_for(const finding::Task& task) {
  const bool proof = std::holds_alternative<finding::BoundTask>(task) ||
                     std::holds_alternative<finding::ProveTask>(task) ||
                     std::holds_alternative<finding::PathsTask>(task);
  const bool paths = std::holds_alternative<finding::ExploreTask>(task) ||
                     std::holds_alternative<finding::DecisionsTask>(task) ||
                     std::holds_alternative<finding::CandidatesTask>(task);
  return {.decisions = paths || proof, .integers_held = proof, .tape = !std::holds_alternative<finding::RunTask>(task)};
}

class Worker {
public:
  Worker(const Job& job, exec::Session& session, exec::Reference* reference, exec::Channel& channel)
      : job_(job), session_(session), reference_(reference), channel_(channel),
        tell_([&channel](const finding::Message& message) { channel.send(message_text(message)); }) {}

  void operator()(const finding::HuntTask& task) {
    hunt_target(session_, job_.settings, task, reference_, channel_, tell_);
  }
  void operator()(const finding::ExplainTask& task) {
    Judge judge = this->judge();
    explain(session_, judge, job_.settings, task, tell_);
    tell_output(session_, task.input, tell_);
  }
  void operator()(const finding::ReplayTask& task) {
    Judge judge = this->judge();
    replay(session_, judge, job_.settings, task, tell_);
  }
  void operator()(const finding::PlotTask& task) {
    Judge judge = this->judge();
    sample_plots(session_, judge, task, tell_);
  }
  void operator()(const finding::ExamineTask& task) {
    Judge judge = this->judge();
    examine(session_, judge, task, tell_);
  }
  void operator()(const finding::ExploreTask& task) { explore(session_, job_.settings, task, tell_); }
  void operator()(const finding::DecisionsTask& task) { tell_decisions(session_, task, tell_); }
  void operator()(const finding::BoundTask& task) { bound(session_, job_.settings, task, tell_); }
  void operator()(const finding::ProveTask& task) { prove(session_, job_.settings, task, tell_); }
  void operator()(const finding::PathsTask& task) { tell_paths(session_, job_.settings, task, tell_); }
  void operator()(const finding::CandidatesTask& task) { tell_candidates(session_, job_.settings, task, tell_); }
  void operator()(const finding::MeasureTask& task) {
    Judge judge = this->judge();
    measure_inputs(session_, judge, task, tell_);
  }
  void operator()(const finding::RunTask& task) { run_inputs(session_, task, tell_); }
  void operator()(const finding::ProbeTask&) {} // it has no session

private:
  Judge judge() const {
    return Judge(session_, job_.settings, judged_outputs(session_.target(), job_.settings), reference_);
  }

  const Job& job_;
  exec::Session& session_;
  exec::Reference* reference_;
  exec::Channel& channel_;
  Tell tell_;
};

} // namespace

void work(const Job& job, frontend::Program program, const frontend::Target& target, exec::Reference* reference,
          exec::Channel& channel) {
  if (const auto* task = std::get_if<finding::ProbeTask>(&job.task))
    return probe_extents(job, *task, std::move(program), target, job.limits, channel,
                         [&channel](const finding::Message& message) { channel.send(message_text(message)); });
  exec::Session session(std::move(program), target, job.limits, channel.flight, recording_for(job.task),
                        frontend::handlers_of(job.settings.rejects));
  session.skip(channel.skip);
  Worker worker(job, session, reference, channel);
  std::visit(worker, job.task);
}

} // namespace faultline::judge
