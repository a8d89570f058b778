// One function for each reader of untrusted bytes. Whatever the bytes are, it returns or throws base::UserError;
// anything else is a bug: another exception, a crash, no end. If the result can be written, it must read back as the
// same; otherwise the function throws Broken.
//
// The same functions run in two ways. A short run with a fixed seed is among the unit tests of their layers
// (short_run.h). A long one is libFuzzer's, with everything instrumented:
//
//   cmake --preset fuzz && cmake --build --preset fuzz --target findings_fuzz
//   mkdir -p corpus && build/fuzz/bin/findings_fuzz corpus SEEDS -max_total_time=600 -max_len=20000
//
// SEEDS is a folder of small valid files, which are only read. What a run finds stays in reproducers/, if it is small.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace faultline::fuzz {

int fuzz_findings(const uint8_t* data, size_t size);         // -o FILE.json, read by report, replay and explain
int fuzz_corpus(const uint8_t* data, size_t size);           // a file of --corpus DIR
int fuzz_baseline(const uint8_t* data, size_t size);         // --baseline FILE.json
int fuzz_messages(const uint8_t* data, size_t size);         // a line that a worker wrote
int fuzz_share_jobs(const uint8_t* data, size_t size);       // faultline worker --share DIR/shares/RUN/job-N.json
int fuzz_share_lines(const uint8_t* data, size_t size);      // a line of results of a task elsewhere
int fuzz_store(const uint8_t* data, size_t size);            // DIR/campaign.db, or values for its columns
int fuzz_seen(const uint8_t* data, size_t size);             // --seen FILE
int fuzz_vectors(const uint8_t* data, size_t size);          // faultline vectors FILE.csv
int fuzz_certificates(const uint8_t* data, size_t size);     // faultline check FILE.proof.json
int fuzz_configuration(const uint8_t* data, size_t size);    // faultline.toml
int fuzz_smtlib(const uint8_t* data, size_t size);           // faultline solve FILE.smt2
int fuzz_meaning(const uint8_t* data, size_t size);          // --means EXPRESSION
int fuzz_fpcore(const uint8_t* data, size_t size);           // hunt FILE.fpcore
int fuzz_compile_commands(const uint8_t* data, size_t size); // -p compile_commands.json
int fuzz_flags(const uint8_t* data, size_t size);            // compiler flags in a file, one a line
int fuzz_captured(const uint8_t* data, size_t size);         // the section that faultline cc leaves in objects
int fuzz_objects(const uint8_t* data, size_t size);          // hunt FILE.o, FILE.a and programs
int fuzz_bitcode(const uint8_t* data, size_t size);          // hunt FILE.bc
int fuzz_debug_types(const uint8_t* data, size_t size);      // the types in it, made from the bytes
int fuzz_values(const uint8_t* data, size_t size);       // --range, --size, --at and others: OPTION VALUE, one a line
int fuzz_suppressions(const uint8_t* data, size_t size); // comments in sources: faultline: ignore ..., means ...

// What was read cannot be what was written.
struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

// Reads what we have written ourselves: no excuse.
template <class Read> auto own(Read read) {
  try {
    return read();
  } catch (const base::UserError& problem) {
    throw Broken(std::string("what was written is refused: ") + problem.what());
  }
}

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

} // namespace faultline::fuzz
