#include "judge/tasks/hunt_note.h"

#include "judge/arrays/lengths.h"

#include <fmt/format.h>

namespace faultline::judge {
namespace {

std::string counted(uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string note(const Observations& observations, const Judge& judge, const ExceptionJudge& exceptions) {
  if (observations.runs_outgrown() > 0)
    return fmt::format("{} outgrew the tape, and {}: a smaller --size, or a --hold or --range that makes them "
                       "shorter, tells more",
                       counted(observations.runs_outgrown(), "run"),
                       judge.unknown() > 0                 ? "could not be judged (" + judge.why_unknown() + ")"
                       : observations.runs_outgrown() == 1 ? "was judged without it"
                                                           : "were judged without it");
  if (judge.unknown() > 0)
    return fmt::format("the oracle could not judge {}: {}", counted(judge.unknown(), "candidate"), judge.why_unknown());
  if (const uint64_t unconfirmed = exceptions.unconfirmed(); unconfirmed > 0)
    return fmt::format("left out, as a run without instrumentation does not confirm them: {}",
                       counted(unconfirmed, "exception"));
  return {};
}

} // namespace

std::string hunt_note(const frontend::Target& target, const finding::Settings& settings, const std::string& elsewhere,
                      const Observations& observations, const Judge& judge, const ExceptionJudge& exceptions) {
  std::string text = elsewhere.empty() ? note(observations, judge, exceptions) : elsewhere;
  const auto add = [&](uint64_t count, const std::string& what) {
    text += fmt::format("{}{} input{} {}", text.empty() ? "" : "; ", count, count == 1 ? " was" : "s were", what);
  };
  const auto say = [&](const std::string& words) {
    if (!words.empty())
      text += (text.empty() ? "" : "; ") + words;
  };
  say(guessed_lengths(target, settings));
  // "12 inputs were refused by mtherr"
  for (const auto& [handler, count] : observations.refused())
    add(count, "refused by " + handler);
  for (const auto& [words, missed] : observations.missed())
    say(fmt::format("{} of {} inputs: {} ({})", missed.inputs, observations.inputs(), words,
                    advice_on_missing(missed.ending)));
  if (judge.undefined() > 0)
    add(judge.undefined(), "not judged, as the meaning is not defined there");
  return text;
}

} // namespace faultline::judge
