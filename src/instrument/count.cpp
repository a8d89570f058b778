#include "instrument/count.h"

#include "instrument/operations.h"
#include "instrument/site_builder.h"
#include "program/unit.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace faultline::instrument {
namespace {

uint64_t operations_in(llvm::Instruction& instruction) {
  if (operation_of(instruction))
    return 1;
  auto* vector = instruction.getNumOperands() > 0
                     ? llvm::dyn_cast<llvm::FixedVectorType>(instruction.getOperand(0)->getType())
                     : nullptr;
  const bool arithmetic = llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::UnaryOperator>(instruction) ||
                          llvm::isa<llvm::FCmpInst>(instruction);
  return vector && arithmetic && format_of(vector->getElementType()) ? vector->getNumElements() : 0;
}

template <typename Visit> void for_each_instruction(program::Program& program, const std::string& symbol, Visit visit) {
  llvm::SmallPtrSet<llvm::Constant*, 32> seen;
  llvm::SmallVector<llvm::Constant*, 32> work = {program.function(symbol)};
  while (!work.empty()) {
    llvm::Constant* constant = work.pop_back_val();
    if (!seen.insert(constant).second)
      continue;
    auto reach = [&](llvm::User& user) {
      for (llvm::Use& operand : user.operands())
        if (auto* next = llvm::dyn_cast<llvm::Constant>(operand))
          work.push_back(next);
    };
    reach(*constant);
    if (auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
      program::materialize(*function);
      for (llvm::Instruction& instruction : llvm::instructions(*function)) {
        visit(instruction);
        reach(instruction);
      }
    }
  }
}

// Returns the addition or subtraction that an instruction computes, vectors included.
std::optional<ops::Op> addition_of(llvm::Instruction& instruction) {
  if (instruction.getOpcode() == llvm::Instruction::FAdd)
    return ops::Op::fadd;
  if (instruction.getOpcode() == llvm::Instruction::FSub)
    return ops::Op::fsub;
  const auto operation = operation_of(instruction);
  return operation && operation->op == ops::Op::fma ? std::optional(ops::Op::fma) : std::nullopt;
}

} // namespace

uint64_t count_sites(program::Program& program, const std::string& symbol) {
  uint64_t sites = 0;
  for_each_instruction(program, symbol, [&](llvm::Instruction& instruction) { sites += operations_in(instruction); });
  return sites;
}

std::vector<runtime::Site> addition_sites(program::Program& program, const std::string& symbol) {
  std::vector<runtime::Site> sites;
  Places places;
  for_each_instruction(program, symbol, [&](llvm::Instruction& instruction) {
    if (const auto op = addition_of(instruction)) {
      places.locate(instruction, sites.emplace_back());
      sites.back().op = *op;
    }
  });
  return sites;
}

} // namespace faultline::instrument
