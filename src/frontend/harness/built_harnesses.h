// Harnesses for what a build has made: an object has the code of functions that take vectors and classes, and not their
// declarations. So the source is read again when a function of it is asked for, with the flags that the object
// remembers, and compiled with its harnesses, if it is still what was compiled: debug information has the checksums of
// all files.
//
// Rejected: harnesses made by the compiler wrapper. Most functions are never asked for, and a build must not take
// longer.
#pragma once

#include "frontend/capture/record.h"
#include "frontend/sources.h"

#include <string>

namespace faultline::frontend {

class BuiltHarnesses {
public:
  // `records`: how many the files of the program have.
  BuiltHarnesses(const Sources& sources, size_t records) : sources_(sources), records_(records) {}

  // The record's bitcode, with harnesses for those of its functions that are asked for and cannot be called without, or
  // with the reason why they have none.
  std::string bitcode_of(const Record& record);

  // What is left undone, for the user; empty: nothing.
  std::string remark() const;

private:
  const Sources& sources_;
  size_t records_;
  size_t compiled_ = 0; // sources
  bool passed_over_ = false;
};

} // namespace faultline::frontend
