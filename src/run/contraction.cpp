#include "run/contraction.h"

#include "run/rules.h"

#include <algorithm>
#include <filesystem>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <set>
#include <string>

namespace faultline::run {

namespace {

using llvm::Instruction;
using llvm::Value;

// GCC 12: from -O2 on; -ffp-contract=on is off; ISO C without extensions does not fuse.
bool fuses_over_statements(const program::Record& record) {
  const std::string compiler = record.compiler;
  if (!record.reason.empty() || compiler.find("clang") != std::string::npos ||
      compiler.find("flang") != std::string::npos)
    return false;
  bool optimises = false, allowed = true;
  for (const std::string& flag : record.flags) {
    if (flag.starts_with("-O"))
      optimises = flag != "-O0" && flag != "-O1" && flag != "-O" && flag != "-Og";
    if (flag.starts_with("-std=c") && !flag.starts_with("-std=c++"))
      allowed = false;
    if (flag.starts_with("-ffp-contract="))
      allowed = flag == "-ffp-contract=fast";
    if (flag == "-ffast-math" || flag == "-Ofast")
      allowed = true;
  }
  return optimises && allowed;
}

std::string source_of(const llvm::Function& function) {
  const llvm::DISubprogram* described = function.getSubprogram();
  if (!described || !described->getUnit())
    return "";
  const llvm::DIFile* file = described->getUnit()->getFile();
  return (std::filesystem::path(file->getDirectory().str()) / file->getFilename().str()).lexically_normal().string();
}

bool is_sum(const llvm::User* user, const Instruction& product) {
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(user);
  return sum && (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub) &&
         sum->getParent() == product.getParent() && sum->getOperand(0) != sum->getOperand(1);
}

void fuse(Instruction& sum, llvm::BinaryOperator& product) {
  Builder builder(&sum);
  Value *a = product.getOperand(0), *b = product.getOperand(1);
  const bool first = sum.getOperand(0) == &product;
  Value* other = sum.getOperand(first ? 1 : 0);
  if (sum.getOpcode() == Instruction::FSub && first)
    other = builder.CreateFNeg(other);
  else if (sum.getOpcode() == Instruction::FSub)
    a = builder.CreateFNeg(a);
  sum.replaceAllUsesWith(builder.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()}, {a, b, other}));
  sum.eraseFromParent();
}

void contract(llvm::Function& function) {
  std::vector<llvm::BinaryOperator*> products;
  for (Instruction& instruction : llvm::instructions(function))
    if (instruction.getOpcode() == Instruction::FMul && is_followed(instruction.getType()) && !instruction.use_empty())
      products.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  for (llvm::BinaryOperator* product : products) {
    const std::set<llvm::User*> users(product->user_begin(), product->user_end());
    if (!std::ranges::all_of(users, [&](const llvm::User* user) { return is_sum(user, *product); }))
      continue;
    for (llvm::User* user : users)
      fuse(*llvm::cast<Instruction>(user), *product);
    product->eraseFromParent();
  }
}

} // namespace

void contract_as_gcc(llvm::Module& module, const std::vector<program::Record>& records) {
  std::set<std::string> sources;
  for (const program::Record& record : records)
    if (fuses_over_statements(record))
      sources.insert(record.source);
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && sources.contains(source_of(function)) &&
        function.getFnAttribute("target-features").getValueAsString().contains("+fma"))
      contract(function);
}

} // namespace faultline::run
