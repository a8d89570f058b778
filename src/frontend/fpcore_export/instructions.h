// Translates LLVM's instructions to FPCore's operations, one by one.
//
// Integers become numbers of binary64, which is exact for those of at most 32 bits that do not wrap.
#pragma once

#include "numeric/format.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Value.h>
#include <map>
#include <set>
#include <string>

namespace faultline::frontend::fpcore {

// FPCore text, and the values that it refers to.
struct Text {
  std::string text;
  std::set<const llvm::Value*> uses = {}; // values that it refers to by name
  int depth = 0;                          // of parentheses

  Text& operator+=(const Text& other) {
    text += other.text;
    uses.insert(other.uses.begin(), other.uses.end());
    depth = std::max(depth, other.depth);
    return *this;
  }
};

inline Text operator+(Text a, const Text& b) { return a += b; }
inline Text operator+(Text a, const char* b) { return a += Text{b}; }

// The reason why a function cannot be written as FPCore.
struct NotExportable {
  std::string reason;
};

numeric::Format format_of(const llvm::Type& type); // throws NotExportable
// Returns the C name of an intrinsic, or of a library function without its type suffix.
std::string library_name(const llvm::Function& function);

class InstructionWriter {
public:
  explicit InstructionWriter(numeric::Format core) : core_(core) {}

  void name(const llvm::Value& value, const std::string& text) { names_[&value] = text; }
  // Returns a generated name for a value: v1, v2, ...
  const std::string& name_of(const llvm::Value& value);

  // Returns a value at its use: its name, a number, or, if this is the only use, its expression. `context` is the
  // precision at this place.
  Text use(const llvm::Value& value, numeric::Format context, const llvm::BasicBlock* block);
  // Returns the expression of an instruction; throws NotExportable.
  Text computed(const llvm::Instruction& instruction, numeric::Format context);

  numeric::Format core() const { return core_; }
  static bool is_inlined(const llvm::Value& value, const llvm::BasicBlock* block);

private:
  using Format = numeric::Format;
  Text number(const llvm::Constant& constant, Format context);
  Text operation(const std::string& name, Format format, Format context, const llvm::User& user, unsigned count);
  Text binary(const llvm::BinaryOperator& op, Format context);
  Text integer_operation(const llvm::BinaryOperator& op, Format context);
  Text conversion(const llvm::CastInst& cast, Format context);
  Text compared(const llvm::FCmpInst& comparison, Format context);
  Text compared(const llvm::ICmpInst& comparison, Format context);
  Text compared_unsigned(const llvm::ICmpInst& comparison, Format context);
  Text call(const llvm::CallBase& call, Format context);
  Text class_test(const llvm::CallBase& call, Format context);
  Text annotated(Text text, Format format, Format context);
  Text operand(const llvm::User& user, unsigned index, Format context);

  Format core_;
  std::map<const llvm::Value*, std::string> names_;
  int count_ = 0;
  int depth_ = 0; // of values written at their use
};

} // namespace faultline::frontend::fpcore
