// A read-only tape: the records of one run with their sites and constants. Readers are free functions over it. Record i
// + 1 is input i; operands are records or constants.
#pragma once

#include "exec/session.h"
#include "ops/op.h"
#include "runtime/abi.h"
#include "runtime/tape_memory.h"

#include <span>

namespace faultline::tape {

using runtime::Record;
using runtime::Site;

class Tape {
public:
  Tape(const exec::Run& run, const runtime::SiteTable& table, size_t inputs)
      : records_(run.records), outputs_(run.outputs), table_(&table), inputs_(inputs) {}

  uint32_t size() const { return uint32_t(records_.size()); } // records are 1 .. size() - 1
  size_t inputs() const { return inputs_; }
  std::span<const exec::OutputValue> outputs() const { return outputs_.all(); }
  const Record& record(uint32_t index) const { return records_[index]; }
  const Site& site(uint32_t index) const { return table_->sites[records_[index].site]; }
  const runtime::SiteTable& table() const { return *table_; }

  uint32_t operand(uint32_t index, int which) const {
    const Record& record = records_[index];
    return which == 0 ? record.a : which == 1 ? record.b : record.c;
  }

  // Returns the value of an operand or of a record's result; for decisions, their integer.
  numeric::Value exact(uint32_t operand) const;
  // The same as a double. This rounds x87 values: use it for estimates, not for proofs.
  double value(uint32_t operand) const {
    return runtime::is_constant(operand) ? double(constant(operand)) : result(operand);
  }

private:
  numeric::Value constant(uint32_t operand) const { return table_->constants[operand & ~runtime::constant_flag].value; }
  double result(uint32_t index) const;

  runtime::Records records_;
  runtime::Leased<exec::OutputValue> outputs_;
  const runtime::SiteTable* table_;
  size_t inputs_;
};

inline double Tape::result(uint32_t index) const {
  const Record& record = records_[index];
  const Site& site = table_->sites[record.site];
  if (ops::is_decision(site.op)) [[unlikely]]
    return double(int64_t(record.result.bits));
  switch (numeric::carrier(site.format)) {
  case numeric::Format::binary64:
    return record.result.d;
  case numeric::Format::binary32:
    return double(record.result.f);
  default:
    return double(record.result.x);
  }
}

inline numeric::Value Tape::exact(uint32_t operand) const {
  if (runtime::is_constant(operand))
    return constant(operand);
  const Record& record = records_[operand];
  const Site& site = table_->sites[record.site];
  if (numeric::is_widest(site.format) && !ops::is_decision(site.op))
    return record.result.x;
  if (ops::is_to_int(site.op))
    return numeric::Value(int64_t(record.result.bits));
  return result(operand);
}

// Marks the operands of marked records, transitively, from `last` back to the inputs. `marked` has a flag for each
// record. Through foreign functions it marks the arguments that their results record.
enum class Through : uint8_t { operations, foreign_functions };

template <typename Flags>
void mark_operands(const Tape& tape, Flags& marked, uint32_t last, Through through = Through::operations) {
  for (uint32_t index = last; index > 0; --index) {
    if (!marked[index])
      continue;
    const Site& site = tape.site(index);
    const int arity = through == Through::foreign_functions && site.foreign != 0 ? site.arguments : ops::arity(site.op);
    for (int i = 0; i < arity; ++i)
      if (const uint32_t operand = tape.operand(index, i); !runtime::is_constant(operand))
        marked[operand] = true;
  }
}

} // namespace faultline::tape
