// A run of a small source and the tape it left.
#pragma once

#include "../session_fixture.h"

#include "tape/tape.h"

namespace faultline::test {

inline tape::Tape read(exec::Session& session, const exec::Input& input) {
  const exec::Run& run = session.run(input);
  EXPECT_EQ(run.outcome, exec::Outcome::returned);
  return tape::Tape(run, session.sites(), input.size());
}

// The record of the n-th execution of an operation; 0 if there is none.
inline uint32_t find(const tape::Tape& tape, ops::Op op, int n = 0) {
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.site(index).op == op && n-- == 0)
      return index;
  ADD_FAILURE() << "no " << ops::name(op) << " on the tape";
  return 0;
}

inline uint32_t output_record(const tape::Tape& tape, size_t output = 0) { return tape.outputs()[output].record; }

} // namespace faultline::test
