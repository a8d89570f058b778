// Findings that are kept from hunt to hunt (--corpus DIR). Their inputs are tried first the next time, so that known
// findings are found again for every seed and budget.
//
// A file holds one finding in the format of -o FILE.json. Its name is made of the function and the finding's
// fingerprint, so it can be read, replayed, copied into another corpus and deleted separately, and stays valid while
// the code around the finding changes. A hunt deletes no file: an input that no longer fails guards the fix. The user
// gets a message.
//
// The inputs are run in addition to the search, which is the same as without a corpus. A corpus can add findings and
// never loses one.
#pragma once

#include "finding/report.h"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

struct Kept {
  std::string file; // file name without the folder
  TargetReport target;
  Finding finding;
};

struct Corpus {
  std::string folder;
  std::vector<Kept> kept; // ordered by file name
};

// Returns the content of a file of the corpus. Throws frontend::UserError if it does not hold exactly one finding.
Kept kept_in(Report report, const std::string& folder, const std::string& file);

// A hash of words (64-bit FNV-1a) for names of findings. It is the same on every machine and in every run.
class Hash {
public:
  void add(std::string_view words) {
    for (const unsigned char c : words)
      mix(c);
    mix(0xff); // not a byte of UTF-8, so "ab", "c" differs from "a", "bc"
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

private:
  void mix(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3; }

  uint64_t hash_ = 0xcbf29ce484222325;
};

} // namespace faultline::finding
