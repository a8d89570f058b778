// A finding is believed when a fresh worker, which has not searched, sees it again: the code under test shares a worker
// with the judge of what it does, and could have written the message itself. One worker a function does it, for all of
// its findings.
#pragma once

#include "hunt/workers.h"

#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

class Confirmation {
public:
  // Of these findings, but for those whose ids are `certain`: deaths, which the supervisor has seen itself. Throws
  // UserError if one is not of this target.
  Confirmation(const frontend::Target& target, const std::vector<finding::Finding>& findings,
               const std::set<std::string>& certain);

  bool empty() const { return wanted_.empty(); }
  finding::Task task() const;

  void take(const finding::Message& message);

  // When it is over: the places of the findings that were looked for and are not there, and how many were not looked
  // for, as the time was up.
  std::vector<size_t> refuted() const;
  size_t left_over() const;

private:
  enum class Answer : uint8_t { open, yes, no };
  struct Wanted {
    size_t place = 0;
    finding::FoundAt found;
    Answer answer = Answer::open;
  };
  std::vector<Wanted> wanted_; // those of one input follow each other: it is run once
  size_t next_ = 0;
};

} // namespace faultline::campaign
