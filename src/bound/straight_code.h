// Straight code: what a run computes on its path, as operations without branches, and the conditions under which other
// inputs take the same path. It stands for every input that meets them, and for no other.
//
// Made from a tape that has integer conditions and the origin of leaves on it (exec::Recording). Code that is not
// determined by its decisions (bits of a float taken for an integer, what a function that is not instrumented returns)
// has none, and says why.
#pragma once

#include "finding/certificate/certificate.h"
#include "numeric/format.h"
#include "numeric/interval.h"
#include "tape/tape.h"

#include <string>
#include <vector>

namespace faultline::bound {

using numeric::Interval;

// As certificates have it, and what the search needs beside. Its steps are those that outputs or decisions depend on,
// in order; its outputs are those that were asked for.
struct StraightCode : finding::CertifiedPath {
  std::vector<numeric::Format> input_formats, output_formats;
  std::vector<uint32_t> sites;  // of the steps
  std::vector<double> integers; // of the inputs that are (InputDimension::whole), in order: it is code for these

  size_t inputs() const { return input_formats.size(); }
  uint32_t first_step() const { return uint32_t(inputs() + constants.size()); }
  uint32_t slots() const { return first_step() + uint32_t(steps.size()); }
};

// Why a run has no straight code, and where that is seen.
struct NoCode {
  std::string reason;
  uint32_t site = 0;
};

// `constant`: if no operation made it, it is a constant of the program, which one the path decides.
struct WantedOutput {
  size_t index = 0; // of the target's
  numeric::Format format = numeric::Format::binary64;
  bool constant = false;
};

// The integer inputs are taken to be what they are in this run.
struct StraightRead {
  StraightCode code;
  std::vector<NoCode> obstacles; // none: the code is good
};
StraightRead read_straight(const tape::Tape& tape, const std::vector<numeric::Format>& input_formats,
                           const std::vector<WantedOutput>& outputs);

} // namespace faultline::bound
