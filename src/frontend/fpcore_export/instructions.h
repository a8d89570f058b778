// LLVM's instructions as FPCore's operations, one by one.
//
// Integers are numbers of binary64: those of at most 32 bits that do not wrap are exact in it.
#pragma once

#include "numeric/format.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Value.h>
#include <map>
#include <set>
#include <string>

namespace faultline::frontend::fpcore {

// FPCore as text, and the values that it names.
struct Text {
  std::string text;
  std::set<const llvm::Value*> uses = {}; // values that it has by their names
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

// Why a function cannot be written as FPCore.
struct NotExportable {
  std::string reason;
};

numeric::Format format_of(const llvm::Type& type); // throws NotExportable
// C's name of an intrinsic, or of a function of the library without the letter of its type.
std::string library_name(const llvm::Function& function);

class InstructionWriter {
public:
  explicit InstructionWriter(numeric::Format core) : core_(core) {}

  void name(const llvm::Value& value, const std::string& text) { names_[&value] = text; }
  // The name of a value that is none of the function's own: v1, v2, ...
  const std::string& name_of(const llvm::Value& value);

  // A value where it is used: its name, a number, or, if it is used only here, what it is computed by. `context`: the
  // precision that holds at the place.
  Text use(const llvm::Value& value, numeric::Format context, const llvm::BasicBlock* block);
  // What an instruction computes; throws NotExportable.
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
  int depth_ = 0; // of values that are written where they are used
};

} // namespace faultline::frontend::fpcore
