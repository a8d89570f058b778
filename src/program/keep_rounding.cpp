#include "program/keep_rounding.h"

#include "ops/op.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/NoFolder.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/GlobalStatus.h>
#include <optional>

namespace faultline::program {
namespace {

using llvm::ConstrainedFPIntrinsic;
using llvm::Instruction;
using llvm::Value;
using PlainBuilder = llvm::IRBuilder<llvm::NoFolder>;

Value* plain_comparison(PlainBuilder& builder, const ConstrainedFPIntrinsic& call) {
  const auto predicate = llvm::cast<llvm::ConstrainedFPCmpIntrinsic>(call).getPredicate();
  return builder.CreateFCmp(predicate, call.getArgOperand(0), call.getArgOperand(1));
}

Value* plain_instruction(PlainBuilder& builder, unsigned opcode, const ConstrainedFPIntrinsic& call) {
  if (Instruction::isBinaryOp(opcode))
    return builder.CreateBinOp(Instruction::BinaryOps(opcode), call.getArgOperand(0), call.getArgOperand(1));
  return builder.CreateCast(Instruction::CastOps(opcode), call.getArgOperand(0), call.getType());
}

// `overloads`: the types that select the plain intrinsic.
Value* plain_function(PlainBuilder& builder, llvm::Intrinsic::ID id, const ConstrainedFPIntrinsic& call,
                      unsigned arguments) {
  namespace I = llvm::Intrinsic;
  llvm::SmallVector<Value*, 3> operands(call.arg_begin(), call.arg_begin() + arguments);
  llvm::SmallVector<llvm::Type*, 2> overloads{call.getType()};
  const bool second_varies = id == I::powi || id == I::ldexp; // an integer
  const bool to_integer = id == I::lrint || id == I::llrint || id == I::lround || id == I::llround;
  if (second_varies)
    overloads.push_back(operands[1]->getType());
  if (to_integer)
    overloads.push_back(operands[0]->getType());
  return builder.CreateIntrinsic(id, overloads, operands);
}

Value* plainly(PlainBuilder& builder, const ConstrainedFPIntrinsic& call) {
  switch (call.getIntrinsicID()) {
#define CMP_INSTRUCTION(name, arguments, rounds, intrinsic, node)                                                      \
  case llvm::Intrinsic::intrinsic:                                                                                     \
    return plain_comparison(builder, call);
#define INSTRUCTION(name, arguments, rounds, intrinsic)                                                                \
  case llvm::Intrinsic::intrinsic:                                                                                     \
    return plain_instruction(builder, Instruction::name, call);
#define FUNCTION(name, arguments, rounds, intrinsic)                                                                   \
  case llvm::Intrinsic::intrinsic:                                                                                     \
    return plain_function(builder, llvm::Intrinsic::name, call, arguments);
#define DAG_FUNCTION(name, arguments, rounds, intrinsic, node) FUNCTION(name, arguments, rounds, intrinsic)
#include <llvm/IR/ConstrainedOps.def>
  default:
    return nullptr;
  }
}

bool has_usual_rounding(const ConstrainedFPIntrinsic& call) {
  const std::optional<llvm::RoundingMode> mode = call.getRoundingMode();
  return !mode || *mode == llvm::RoundingMode::Dynamic || *mode == llvm::RoundingMode::NearestTiesToEven;
}

// True for functions whose results are rounded, except for few arguments.
bool rounds(llvm::StringRef name) {
  auto is_known = [](llvm::StringRef stem) {
#define FAULTLINE_ROUNDS(function, arity, traits)                                                                      \
  if (ops::has(ops::Op::function, ops::trait::approximate) && stem == #function)                                       \
    return true;
    FAULTLINE_FUNCTIONS(FAULTLINE_ROUNDS)
#undef FAULTLINE_ROUNDS
    return stem == "sqrt";
  };
  return is_known(name) || (name.consume_back("f") && is_known(name)); // long doubles are not folded
}

// True if half of the number's bits are 0. Of rounded numbers only one in 2^26 is like this (one in 2^12 of floats).
bool looks_exact(const llvm::APFloat& number) {
  if (!number.isFiniteNonZero())
    return true;
  const llvm::fltSemantics& format = number.getSemantics();
  llvm::APFloat half = number;
  bool lost = false;
  half.convert(&format == &llvm::APFloat::IEEEdouble() ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEhalf(),
               llvm::APFloat::rmNearestTiesToEven, &lost);
  return !lost;
}

// True if folding the call makes a rounded number.
bool folds_to_rounded(const llvm::CallInst& call, const llvm::TargetLibraryInfo& library) {
  llvm::Function* callee = call.getCalledFunction();
  llvm::SmallVector<llvm::Constant*, 2> arguments;
  for (Value* argument : call.args()) {
    if (!llvm::isa<llvm::ConstantFP>(argument))
      return false;
    arguments.push_back(llvm::cast<llvm::Constant>(argument));
  }
  auto* folded = llvm::dyn_cast_or_null<llvm::ConstantFP>(llvm::ConstantFoldCall(&call, callee, arguments, &library));
  return folded && !looks_exact(folded->getValueAPF());
}

bool is_rounding_intrinsic(const llvm::Function& callee) {
  namespace I = llvm::Intrinsic;
  static constexpr I::ID all[] = {I::sqrt, I::fma,  I::fmuladd, I::pow, I::powi, I::exp, I::exp2,
                                  I::log,  I::log2, I::log10,   I::sin, I::cos,  I::tan};
  return llvm::is_contained(all, callee.getIntrinsicID());
}

bool is_number(const Value* value) { return value->getType()->isFPOrFPVectorTy(); }

bool is_fence(const Value* value) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  return call && call->getIntrinsicID() == llvm::Intrinsic::arithmetic_fence;
}

// True if the operation on constants is exact or has an exceptional result, such as 1.0 / 0.0 for an infinity. A number
// that is converted, (float)0.1, is a number of the other format.
bool is_exact(const Instruction& operation) {
  const auto* left = llvm::dyn_cast<llvm::ConstantFP>(operation.getOperand(0));
  if (!left || llvm::isa<llvm::FPTruncInst>(operation))
    return left;
  const auto* right = llvm::dyn_cast<llvm::ConstantFP>(operation.getOperand(1));
  if (!right)
    return false;
  llvm::APFloat result = left->getValueAPF();
  constexpr auto nearest = llvm::APFloat::rmNearestTiesToEven;
  auto rounds = [](llvm::APFloat::opStatus status) {
    return (status & llvm::APFloat::opInexact) && !(status & llvm::APFloat::opOverflow);
  };
  switch (operation.getOpcode()) {
  case Instruction::FAdd:
    return !rounds(result.add(right->getValueAPF(), nearest));
  case Instruction::FSub:
    return !rounds(result.subtract(right->getValueAPF(), nearest));
  case Instruction::FMul:
    return !rounds(result.multiply(right->getValueAPF(), nearest));
  case Instruction::FDiv:
    return !rounds(result.divide(right->getValueAPF(), nearest));
  default:
    return true;
  }
}

// The values of a function that are constants once the optimiser has inlined, unrolled and promoted everything.
class PossibleConstants {
public:
  explicit PossibleConstants(llvm::Function& function) {
    for (Instruction& instruction : llvm::instructions(function))
      if (auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        filled_.insert(llvm::getUnderlyingObject(fill->getRawDest()));
  }

  bool contains(const Value* value) const { return contains(value, 6); } // deeper expressions are rare

private:
  llvm::SmallPtrSet<const Value*, 4> filled_; // variables that are initialised from memory as a whole

  bool contains(const Value* value, int depth) const {
    if (llvm::isa<llvm::Constant>(value))
      return true;
    if (depth == 0 || !is_number(value) || is_fence(value))
      return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      const Value* variable = llvm::getUnderlyingObject(load->getPointerOperand());
      auto* global = llvm::dyn_cast<llvm::GlobalVariable>(variable);
      return (global && global->isConstant()) || filled_.contains(variable);
    }
    if (llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst, llvm::BitCastInst>(value))
      return true; // of a counter of a loop
    auto may_be = [&](const Value* operand) { return contains(operand, depth - 1); };
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      return llvm::any_of(phi->incoming_values(), may_be);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(value))
      return may_be(select->getTrueValue()) || may_be(select->getFalseValue());
    if (llvm::isa<llvm::UnaryOperator, llvm::CastInst>(value))
      return may_be(llvm::cast<Instruction>(value)->getOperand(0));
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(value)) {
      const llvm::Function* callee = call->getCalledFunction();
      return callee && (callee->isIntrinsic() || llvm::canConstantFoldCallTo(call, callee)) &&
             llvm::all_of(call->args(), may_be);
    }
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return operation && is_exact(*operation); // others have a fence
  }
};

// Hides constants of one function.
class Fences {
public:
  Fences(llvm::Function& function, const llvm::TargetLibraryInfo& library)
      : function_(function), library_(library), constants_(function) {}

  void add() {
    for (Instruction& instruction : llvm::instructions(function_))
      add_to(instruction);
    for (llvm::Use* use : hidden_) {
      PlainBuilder builder(llvm::cast<Instruction>(use->getUser()));
      use->set(builder.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {use->get()->getType()}, {use->get()}));
    }
  }

private:
  llvm::Function& function_;
  const llvm::TargetLibraryInfo& library_;
  PossibleConstants constants_;
  llvm::SmallVector<llvm::Use*, 32> hidden_;

  void hide(llvm::Use& use) {
    if (is_number(use.get()) && constants_.contains(use.get()))
      hidden_.push_back(&use);
  }

  void add_to(Instruction& instruction) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return hide(store->getOperandUse(0));
    if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction); result && result->getReturnValue())
      return hide(result->getOperandUse(0));
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      return add_to_call(*call);
    const bool rounds = llvm::isa<llvm::FPTruncInst>(instruction) ||
                        (llvm::isa<llvm::BinaryOperator>(instruction) && is_number(&instruction));
    if (rounds && !is_exact(instruction) &&
        llvm::all_of(instruction.operands(), [&](const Value* operand) { return constants_.contains(operand); }))
      hide(instruction.getOperandUse(0));
  }

  void add_to_call(llvm::CallBase& call) {
    llvm::Function* callee = call.getCalledFunction();
    if (!callee)
      return;
    if (!callee->isDeclaration()) { // may be inlined
      for (llvm::Use& argument : call.args())
        hide(argument);
      return;
    }
    auto* plain = llvm::dyn_cast<llvm::CallInst>(&call);
    if (!plain || !(is_rounding_intrinsic(*callee) || rounds(callee->getName())) ||
        !llvm::canConstantFoldCallTo(plain, callee))
      return;
    const bool are_numbers =
        llvm::all_of(call.args(), [](Value* argument) { return llvm::isa<llvm::ConstantFP>(argument); });
    const bool may_fold = llvm::all_of(call.args(), [&](Value* argument) { return constants_.contains(argument); });
    if (are_numbers ? folds_to_rounded(*plain, library_) : may_fold)
      hide(call.getArgOperandUse(0));
  }
};

bool is_initialiser(const llvm::Function& function) {
  return function.getName().starts_with("__cxx_global_") || function.getName().starts_with("_GLOBAL__");
}

// True if the user's code looks at the rounding mode or may change it.
bool has_other_rounding(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const Instruction& instruction) {
    auto* call = llvm::dyn_cast<ConstrainedFPIntrinsic>(&instruction);
    return call && call->getRoundingMode().value_or(llvm::RoundingMode::NearestTiesToEven) !=
                       llvm::RoundingMode::NearestTiesToEven;
  });
}

// Marks variables whose initial values are hidden.
constexpr const char* hidden_values = "faultline-hidden-values";

bool holds_numbers(const llvm::Type* type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return holds_numbers(array->getElementType());
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::any_of(structure->elements(), holds_numbers);
  return type->isFPOrFPVectorTy();
}

bool is_set_by_initialisers(const llvm::User& user) {
  return llvm::any_of(user.users(), [](const llvm::User* use) {
    auto* instruction = llvm::dyn_cast<Instruction>(use);
    return instruction ? is_initialiser(*instruction->getFunction()) : is_set_by_initialisers(*use);
  });
}

// The optimiser may then not assume which numbers the variable holds: not where a function gets a pointer to it, nor in
// copies of it.
void hide_values(llvm::GlobalVariable& variable) {
  const bool is_known = variable.isConstant() || (variable.hasLocalLinkage() && !is_set_by_initialisers(variable));
  if (!is_known || !variable.hasDefinitiveInitializer() || !holds_numbers(variable.getValueType()))
    return;
  variable.setExternallyInitialized(true);
  variable.addAttribute(hidden_values);
}

void release_values(llvm::GlobalVariable& variable) {
  if (!variable.hasAttribute(hidden_values))
    return;
  variable.setExternallyInitialized(false);
  variable.setAttributes(variable.getAttributes().removeAttribute(variable.getContext(), hidden_values));
  llvm::GlobalStatus status;
  if (variable.hasLocalLinkage() && !llvm::GlobalStatus::analyzeGlobal(&variable, status) &&
      status.StoredType == llvm::GlobalStatus::NotStored)
    variable.setConstant(true);
}

// Calls of a function with strict numbers are strict, too; the optimiser does not look at them.
void drop_strictness(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::StrictFP);
  for (Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      call->removeFnAttr(llvm::Attribute::StrictFP);
}

// The optimiser has constants on the right.
void move_to_the_right(llvm::User& user, const Value& constant) {
  if (user.getNumOperands() < 2 || user.getOperand(0) != &constant || is_fence(user.getOperand(1)) ||
      llvm::isa<llvm::Constant>(user.getOperand(1)))
    return;
  if (auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&user))
    comparison->swapOperands();
  else if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&user); operation && operation->isCommutative())
    operation->swapOperands();
}

// The optimiser would have written x + -18 as x - 18.
void write_without_sign(llvm::User& user) {
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&user);
  const bool is_sum = sum && (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub);
  auto* constant = is_sum ? llvm::dyn_cast<llvm::ConstantFP>(sum->getOperand(1)) : nullptr;
  if (!constant || !constant->isNegative() || constant->isZero() || llvm::isa<llvm::Constant>(sum->getOperand(0)))
    return;
  const auto opposite = sum->getOpcode() == Instruction::FAdd ? Instruction::FSub : Instruction::FAdd;
  auto* plain = llvm::BinaryOperator::Create(
      opposite, sum->getOperand(0), llvm::ConstantFP::get(sum->getContext(), llvm::neg(constant->getValueAPF())));
  plain->copyIRFlags(sum);
  plain->setDebugLoc(sum->getDebugLoc());
  llvm::ReplaceInstWithInst(sum, plain);
}

// Puts the numbers of a constant in the place of loads at known offsets.
void fold_loads(llvm::GlobalVariable& variable, const llvm::DataLayout& layout) {
  if (!variable.isConstant() || has_rounded_initialiser(variable))
    return;
  llvm::SmallVector<llvm::User*, 16> open(variable.users());
  llvm::SmallVector<llvm::LoadInst*, 16> loads;
  while (!open.empty()) {
    llvm::User* user = open.pop_back_val();
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->isSimple() && is_number(load))
      loads.push_back(load);
    else if (llvm::isa<llvm::ConstantExpr>(user))
      open.append(user->user_begin(), user->user_end());
  }
  for (llvm::LoadInst* load : loads) {
    llvm::Constant* number = llvm::ConstantFoldLoadFromConstPtr(llvm::cast<llvm::Constant>(load->getPointerOperand()),
                                                                load->getType(), layout);
    if (!number)
      continue;
    const llvm::SmallVector<llvm::User*, 4> users(load->users());
    for (llvm::User* user : users)
      move_to_the_right(*user, *load);
    load->replaceAllUsesWith(number);
    load->eraseFromParent();
    for (llvm::User* user : users)
      write_without_sign(*user);
  }
}

} // namespace

void write_constrained_plainly(llvm::Function& function) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<ConstrainedFPIntrinsic>(&instruction);
    if (!call || !has_usual_rounding(*call))
      continue;
    PlainBuilder builder(call);
    Value* plain = plainly(builder, *call);
    if (!plain)
      continue;
    if (auto* operation = llvm::dyn_cast<Instruction>(plain); operation && llvm::isa<llvm::FPMathOperator>(operation))
      operation->copyFastMathFlags(call);
    plain->takeName(call);
    call->replaceAllUsesWith(plain);
    call->eraseFromParent();
  }
  function.removeFnAttr(llvm::Attribute::StrictFP);
}

bool has_rounded_initialiser(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
  variable.getDebugInfo(descriptions);
  if (descriptions.empty())
    return false;
  auto* notes = llvm::dyn_cast_or_null<llvm::MDTuple>(descriptions.front()->getVariable()->getRawAnnotations());
  return notes && llvm::any_of(notes->operands(), [](const llvm::MDOperand& note) {
           auto* words = llvm::dyn_cast<llvm::MDTuple>(note);
           auto* text =
               words && words->getNumOperands() == 2 ? llvm::dyn_cast<llvm::MDString>(words->getOperand(1)) : nullptr;
           return text && text->getString() == rounded_initialiser;
         });
}

void keep_rounding(llvm::Module& module) {
  const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  const llvm::TargetLibraryInfo library(known);
  for (llvm::GlobalVariable& variable : module.globals())
    hide_values(variable);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || has_other_rounding(function))
      continue;
    write_constrained_plainly(function);
    drop_strictness(function);
    if (!is_initialiser(function))
      Fences(function, library).add();
  }
}

void release_constants(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    const bool was_hidden = variable.hasAttribute(hidden_values);
    release_values(variable);
    if (was_hidden)
      fold_loads(variable, module.getDataLayout());
  }
  for (llvm::Function& function : module)
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (is_fence(&instruction)) {
        for (llvm::User* user : instruction.users())
          move_to_the_right(*user, instruction);
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
      }
}

} // namespace faultline::program
