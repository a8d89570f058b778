// Sessions on small sources, and the questions that tests ask of a tape.
#pragma once

#include "base/error.h"
#include "exec/guard.h"
#include "exec/session.h"
#include "ops/table.h"
#include "program/program.h"
#include "runtime/abi.h"
#include "temporary_folder.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace faultline::test {

struct GuardEnvironment : testing::Environment {
  void SetUp() override { exec::install_guard(); }
};
inline testing::Environment* const guard_environment = testing::AddGlobalTestEnvironment(new GuardEnvironment);

inline exec::Limits short_limits() {
  exec::Limits limits;
  limits.call_seconds = 0.2;
  limits.heap_bytes = 64u << 20;
  return limits;
}

struct Options {
  std::vector<std::string> flags = {};
  model::Sizes sizes = {};
  exec::Limits limits = short_limits();
  exec::Recording recording = {};
};

inline exec::Session open_files(const std::vector<std::string>& files, const std::string& function,
                                const Options& options = {}) {
  auto program = program::Program::load({files, options.flags, ""});
  auto target = program.find({function}, options.sizes).at(0);
  return exec::Session(std::move(program), target, options.limits, nullptr, options.recording);
}

// The function of a source text; `ending` says the language.
inline exec::Session open_text(const std::string& text, const std::string& ending = ".c",
                               const std::string& function = "f", const Options& options = {}) {
  TemporaryFolder folder;
  return open_files({folder.write("subject" + ending, text)}, function, options);
}

// The number that a record or constant holds.
inline long double number(const runtime::Value& value, numeric::Format format) {
  switch (numeric::carrier(format)) {
  case numeric::Format::binary32:
    return value.f;
  case numeric::Format::binary64:
    return value.d;
  default:
    return value.x;
  }
}

class Tape {
public:
  Tape(const exec::Run& run, const runtime::SiteTable& table) : records_(run.records), table_(table) {}

  const runtime::Site& site(uint32_t record) const { return table_.sites.at(records_[record].site); }

  // The operands of a record.
  std::vector<uint32_t> operands(uint32_t record) const {
    const runtime::Record& r = records_[record];
    std::vector<uint32_t> all = {r.a, r.b, r.c};
    all.resize(size_t(ops::arity(site(record).op)));
    return all;
  }

  // Can one walk from this record to the record of the input?
  bool reaches_input(uint32_t record, uint32_t input) const {
    std::set<uint32_t> seen;
    std::vector<uint32_t> open = {record};
    while (!open.empty()) {
      uint32_t at = open.back();
      open.pop_back();
      if (at == input + 1)
        return true;
      if (at == 0 || runtime::is_constant(at) || !seen.insert(at).second)
        continue;
      for (uint32_t operand : operands(at))
        open.push_back(operand);
    }
    return false;
  }

  int count(ops::Op op) const {
    int all = 0;
    for (uint32_t i = 1; i < records_.size(); ++i)
      all += site(i).op == op;
    return all;
  }

  // Does every record hold what its operation makes of its operands? Empty if so, else what is wrong.
  std::string contradiction() const {
    for (uint32_t i = 1; i < records_.size(); ++i)
      if (std::string wrong = contradiction(i); !wrong.empty())
        return fmt::format("record {} ({}, line {}): {}", i, ops::name(site(i).op), site(i).line, wrong);
    return {};
  }

private:
  std::string contradiction(uint32_t index) const {
    using ops::Op;
    if (records_[index].site == 0 || records_[index].site >= table_.sites.size())
      return "no such site";
    const runtime::Site& where = site(index);
    if (ops::is_leaf(where.op) || where.op == Op::decide)
      return {};
    long double values[3] = {};
    auto all = operands(index);
    for (size_t i = 0; i < all.size(); ++i) {
      const bool integer = i == 1 && (where.op == Op::ldexp || where.op == Op::powi);
      const auto wanted = integer ? numeric::Format::binary64 : where.operand_format;
      auto found = wanted;
      if (runtime::is_constant(all[i])) {
        uint32_t constant = all[i] & ~runtime::constant_flag;
        if (constant >= table_.constants.size())
          return "an operand is no constant of the program";
        values[i] = table_.constants[constant].value;
        found = table_.constants[constant].format;
      } else {
        if (all[i] == 0 || all[i] >= index)
          return fmt::format("operand {} is record {}", i, all[i]);
        const runtime::Site& source = site(all[i]);
        if (ops::is_comparison(source.op) || ops::is_to_int(source.op))
          return fmt::format("operand {} is no number", i);
        values[i] = number(records_[all[i]].result, source.format);
        found = source.format;
      }
      if (found != wanted)
        return fmt::format("operand {} is in the format {} instead of {}", i, numeric::info(found).name,
                           numeric::info(wanted).name);
    }
    return compare(where, values, records_[index].result);
  }

  static std::string compare(const runtime::Site& where, const long double (&v)[3], const runtime::Value& recorded) {
    using ops::Op;
    if (ops::is_comparison(where.op)) {
      bool expected = ops::evaluate80(where.op, v[0], v[1]) != 0;
      return expected == (recorded.bits != 0) ? "" : fmt::format("{} and {} compared as {}", v[0], v[1], recorded.bits);
    }
    if (ops::is_to_int(where.op)) {
      long double expected = ops::evaluate80(where.op, v[0]);
      if (!(std::fabs(expected) < 0x1p63L))
        return {};
      return expected == (long double)int64_t(recorded.bits)
                 ? ""
                 : fmt::format("{} became the integer {}", v[0], int64_t(recorded.bits));
    }
    const bool conversion = where.op == Op::fpext || where.op == Op::fptrunc;
    const long double found = number(recorded, where.format);
    const long double expected =
        conversion ? numeric::nearest(v[0], where.format) : ops::evaluate(where.op, where.format, v[0], v[1], v[2]);
    if (std::isnan(expected) && std::isnan(found))
      return {};
    const bool either_zero = where.op == Op::fmin || where.op == Op::fmax; // IEEE leaves the sign open
    if (expected == found && (either_zero || std::signbit(expected) == std::signbit(found)))
      return {};
    return fmt::format("{} {} {} makes {}, not {}", v[0], v[1], v[2], expected, found);
  }

  runtime::Records records_;
  const runtime::SiteTable& table_;
};

// Runs, and sees that the tape does not contradict itself.
inline exec::Run consistent_run(exec::Session& session, const exec::Input& input) {
  exec::Run run = session.run(input);
  EXPECT_EQ(Tape(run, session.sites()).contradiction(), "");
  return run;
}

inline void expect_same(long double found, long double expected) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(found)) << found;
  else
    EXPECT_EQ(found, expected);
  EXPECT_TRUE(std::isnan(expected) || std::signbit(found) == std::signbit(expected));
}

// The first site of the program with this operation.
inline uint32_t site_of(const exec::Session& session, ops::Op op) {
  const auto& sites = session.sites().sites;
  for (uint32_t i = runtime::first_program_site; i < sites.size(); ++i)
    if (sites[i].op == op)
      return i;
  ADD_FAILURE() << "no " << ops::name(op);
  return 0;
}

} // namespace faultline::test
