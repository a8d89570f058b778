// The goal that a branch goes a certain way.
//
// A goal answers three questions about a tape: did it happen, how far away was it, and which constraint expresses it.
// The constraint of this one is constraint::path_condition.
#pragma once

#include "tape/path.h"

namespace faultline::goal {

struct Branch {
  uint32_t site = 0;
  int64_t outcome = 0; // 0 or 1 of a comparison; an integer of a conversion
};

bool happened(const Branch& goal, const tape::Tape& tape);

// How far a decision was from another outcome: how many bits of the distance of its operands, in floats, are left; so 0
// where they are equal or neighbours, 64 from one end of the doubles to the other. A conversion to an integer counts
// the distance to the goal.
double distance(const tape::Tape& tape, const tape::Branch& decision, int64_t wanted);

// The least over the executions of the site: 0 if the goal happened, infinity if the site was not reached.
double distance(const Branch& goal, const tape::Tape& tape);

} // namespace faultline::goal
