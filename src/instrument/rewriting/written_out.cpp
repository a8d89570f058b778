#include "instrument/rewriting/written_out.h"

#include "instrument/operations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace faultline::instrument {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

namespace {

struct ComplexValue {
  Value* real;
  Value* imaginary;
};

enum class Kind { none, division, power, integer_power };

Kind kind_of(llvm::StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases("__divsc3", "__divdc3", "__divxc3", Kind::division)
      .Cases("cpow", "cpowf", Kind::power)
      .Cases("_FortranAcpowi", "_FortranAzpowi", "_FortranAcpowk", "_FortranAzpowk", Kind::integer_power)
      .Default(Kind::none);
}

ComplexValue parts(Builder& builder, Value* whole) {
  if (whole->getType()->isVectorTy())
    return {builder.CreateExtractElement(whole, uint64_t(0)), builder.CreateExtractElement(whole, uint64_t(1))};
  return {builder.CreateExtractValue(whole, 0), builder.CreateExtractValue(whole, 1)};
}

Value* whole(Builder& builder, llvm::Type* type, const ComplexValue& value) {
  Value* empty = llvm::PoisonValue::get(type);
  if (type->isVectorTy())
    return builder.CreateInsertElement(builder.CreateInsertElement(empty, value.real, uint64_t(0)), value.imaginary,
                                       uint64_t(1));
  return builder.CreateInsertValue(builder.CreateInsertValue(empty, value.real, 0), value.imaginary, 1);
}

bool is_complex(const llvm::Type* type) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements() == 2 && vector->getElementType()->isFloatTy();
  auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure && structure->getNumElements() == 2 && format_of(structure->getElementType(0)) &&
         structure->getElementType(0) == structure->getElementType(1);
}

// The complex arguments, each as two floats or as a vector of two; nothing if there are other things among them.
llvm::SmallVector<ComplexValue, 2> complex_arguments(Builder& builder, const llvm::CallBase& call, unsigned count) {
  llvm::SmallVector<ComplexValue, 2> arguments;
  unsigned next = 0;
  while (arguments.size() < count && next < call.arg_size()) {
    Value* first = call.getArgOperand(next++);
    if (first->getType()->isVectorTy() && is_complex(first->getType()))
      arguments.push_back(parts(builder, first));
    else if (format_of(first->getType()) && next < call.arg_size() &&
             call.getArgOperand(next)->getType() == first->getType())
      arguments.push_back({first, call.getArgOperand(next++)});
    else
      return {};
  }
  return arguments;
}

ComplexValue product(Builder& builder, const ComplexValue& z, const ComplexValue& w) {
  return {builder.CreateFSub(builder.CreateFMul(z.real, w.real), builder.CreateFMul(z.imaginary, w.imaginary)),
          builder.CreateFAdd(builder.CreateFMul(z.real, w.imaginary), builder.CreateFMul(z.imaginary, w.real))};
}

ComplexValue quotient(Builder& builder, llvm::Module& module, const ComplexValue& z, const ComplexValue& w) {
  llvm::Type* type = w.real->getType();
  auto magnitude = [&](Value* x) { return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  const std::string name = std::string("ilogb") + numeric::info(*format_of(type)).libm_suffix;
  llvm::FunctionCallee exponent = module.getOrInsertFunction(name, builder.getInt32Ty(), type);
  Value* shift = builder.CreateNeg(builder.CreateCall(
      exponent, {builder.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, magnitude(w.real), magnitude(w.imaginary))}));
  auto scaled = [&](Value* x) {
    return builder.CreateIntrinsic(llvm::Intrinsic::ldexp, {type, builder.getInt32Ty()}, {x, shift});
  };
  Value *c = scaled(w.real), *d = scaled(w.imaginary);
  Value* size = builder.CreateFAdd(builder.CreateFMul(c, c), builder.CreateFMul(d, d));
  Value* real = builder.CreateFAdd(builder.CreateFMul(z.real, c), builder.CreateFMul(z.imaginary, d));
  Value* imaginary = builder.CreateFSub(builder.CreateFMul(z.imaginary, c), builder.CreateFMul(z.real, d));
  return {scaled(builder.CreateFDiv(real, size)), scaled(builder.CreateFDiv(imaginary, size))};
}

ComplexValue power(Builder& builder, llvm::Module& module, llvm::CallBase& call, const ComplexValue& z,
                   const ComplexValue& w) {
  llvm::Type* type = call.getType();
  const bool vector = type->isVectorTy();
  auto function = [&](const char* name) {
    llvm::Type* part = z.real->getType();
    auto* signature = llvm::FunctionType::get(
        type, vector ? llvm::ArrayRef<llvm::Type*>{type} : llvm::ArrayRef<llvm::Type*>{part, part}, false);
    return module.getOrInsertFunction(name, signature);
  };
  auto apply = [&](llvm::FunctionCallee callee, const ComplexValue& x) {
    Value* result = vector ? builder.CreateCall(callee, {whole(builder, type, x)})
                           : builder.CreateCall(callee, {x.real, x.imaginary});
    return parts(builder, result);
  };
  return apply(function(vector ? "cexpf" : "cexp"), product(builder, w, apply(function(vector ? "clogf" : "clog"), z)));
}

// By squaring. The exponent is at least 1.
ComplexValue power(Builder& builder, ComplexValue z, uint64_t exponent) {
  while (exponent % 2 == 0) {
    z = product(builder, z, z);
    exponent /= 2;
  }
  ComplexValue result = z;
  for (exponent /= 2; exponent != 0; exponent /= 2) {
    z = product(builder, z, z);
    if (exponent % 2 == 1)
      result = product(builder, result, z);
  }
  return result;
}

std::optional<ComplexValue> written_out(Builder& builder, llvm::CallBase& call, Kind kind) {
  llvm::Module& module = *call.getModule();
  const auto arguments = complex_arguments(builder, call, kind == Kind::integer_power ? 1 : 2);
  if (arguments.empty())
    return std::nullopt;
  if (kind == Kind::integer_power) {
    constexpr uint64_t most = 64;
    auto* exponent = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - 1));
    if (!exponent || exponent->isNegative() || exponent->isZero() || exponent->getValue().ugt(most))
      return std::nullopt;
    return power(builder, arguments[0], exponent->getZExtValue());
  }
  if (arguments.size() != 2)
    return std::nullopt;
  return kind == Kind::division ? quotient(builder, module, arguments[0], arguments[1])
                                : power(builder, module, call, arguments[0], arguments[1]);
}

// The call moves into a branch for results that are no numbers.
void write_out(llvm::CallInst& call, Kind kind) {
  Builder builder(&call);
  builder.clearFastMathFlags();
  const std::optional<ComplexValue> result = written_out(builder, call, kind);
  if (!result)
    return;
  Value* ours = whole(builder, call.getType(), *result);
  Value* lost = builder.CreateFCmpUNO(result->real, result->imaginary);
  llvm::BasicBlock* before = call.getParent();
  llvm::Instruction* branch = llvm::SplitBlockAndInsertIfThen(lost, call.getNextNode(), false);
  call.moveBefore(branch);
  call.setTailCallKind(llvm::CallInst::TCK_None);
  Builder join(&*llvm::cast<llvm::BranchInst>(before->getTerminator())->getSuccessor(1)->begin());
  join.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::PHINode* either = join.CreatePHI(call.getType(), 2);
  call.replaceAllUsesWith(either);
  either->addIncoming(ours, before);
  either->addIncoming(&call, call.getParent());
}

} // namespace

void write_out_calls(llvm::Module& module) {
  llvm::SmallVector<std::pair<llvm::CallInst*, Kind>, 8> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      const Kind kind = callee && callee->isDeclaration() ? kind_of(callee->getName()) : Kind::none;
      if (kind != Kind::none && is_complex(call->getType()) && !call->isMustTailCall())
        calls.emplace_back(call, kind);
    }
  for (auto [call, kind] : calls)
    write_out(*call, kind);
}

} // namespace faultline::instrument
