// The site table under construction.
#pragma once

#include "instrument/decisions.h"
#include "instrument/location.h"
#include "instrument/operations.h"
#include "runtime/site.h"

#include <llvm/ADT/APFloat.h>
#include <map>
#include <tuple>

namespace faultline::instrument {

class SiteBuilder {
public:
  SiteBuilder(); // with the leaves and inputs of the ABI

  uint32_t add(const Operation& operation, const llvm::Instruction& instruction, bool exits_loop = false);
  uint32_t decide(const Decision& decision);
  // The site that all leaves of this origin share.
  uint32_t leaf(numeric::Format format, const Origin& origin);

  // The operand that stands for a constant; each constant is listed once.
  uint32_t constant(const llvm::APFloat& number, numeric::Format format);
  uint32_t zero(numeric::Format format);

  // The number of a function that is not instrumented, from 1.
  uint32_t foreign(const std::string& name);
  // The leaf of such a function's result; its record names so many arguments.
  uint32_t foreign_leaf(numeric::Format format, const llvm::CallBase& call, uint32_t function, int arguments);

  void note_unsettled(const llvm::Instruction& access); // SiteTable::unsettled

  runtime::SiteTable table;

private:
  uint32_t append(runtime::Site site);

  ShownPaths paths_;
  std::map<std::tuple<uint64_t, uint64_t, numeric::Format>, uint32_t> constants_;
  std::map<std::tuple<numeric::Format, bool, int>, uint32_t> leaves_;
};

} // namespace faultline::instrument
