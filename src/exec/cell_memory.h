// Values in memory: those of a target's cells in its argument block, and the result of a record.
#pragma once

#include "frontend/target.h"
#include "runtime/abi.h"

namespace faultline::exec {

void write_cell(char* block, const frontend::Cell& cell, long double value);
long double read_cell(const char* block, const frontend::Cell& cell);

// As instrumented code stores a result of this format.
void store_result(runtime::Value& result, numeric::Format format, long double value);

} // namespace faultline::exec
