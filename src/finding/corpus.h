// Findings that are kept from hunt to hunt (--corpus DIR). Their inputs are tried first the next time, so that what was
// found once is found again whatever the seed and the budget are.
//
// A file holds one finding, in the format of -o FILE.json, and is named after the function and the finding's
// fingerprint: it can be read, replayed, copied into another corpus and deleted by itself, and the finding stays in
// its file while the code around it changes. The hunt deletes nothing: an input that no longer breaks the code
// guards it from then on. The user is told.
//
// The inputs are run beside the search, which is the same as without a corpus: a corpus can add findings, and never
// costs one.
#pragma once

#include "finding/report.h"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

struct Kept {
  std::string file; // its name, without the folder
  TargetReport target;
  Finding finding;
};

struct Corpus {
  std::string folder;
  std::vector<Kept> kept; // by the names of their files
};

// What a file of the corpus says. Throws frontend::UserError if it does not hold just one finding.
Kept kept_in(Report report, const std::string& folder, const std::string& file);

// A hash of words (64-bit FNV-1a), the same on every machine and in every run: for the names of findings.
class Hash {
public:
  void add(std::string_view words) {
    for (const unsigned char c : words)
      mix(c);
    mix(0xff); // no byte of UTF-8: "ab", "c" is not "a", "bc"
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

private:
  void mix(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3; }

  uint64_t hash_ = 0xcbf29ce484222325;
};

} // namespace faultline::finding
