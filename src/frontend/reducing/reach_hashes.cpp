#include "frontend/reducing/reach_hashes.h"

#include "frontend/unit.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/SHA256.h>

namespace faultline::frontend {
namespace {

class Digest {
public:
  void add(llvm::StringRef bytes) {
    number(bytes.size());
    hash_.update(bytes);
  }
  void number(uint64_t value) {
    hash_.update(llvm::ArrayRef(reinterpret_cast<const uint8_t*>(&value), sizeof value)); // all machines are x86-64
  }
  std::string text() { return llvm::toHex(hash_.final(), /*LowerCase=*/true); }

private:
  llvm::SHA256 hash_;
};

// What one function, variable or alias holds by itself.
class Reading {
public:
  explicit Reading(std::vector<llvm::GlobalValue*>& names) : names_(names) {}

  void read(llvm::GlobalValue& value) {
    code_.number(value.getValueID());
    code_.number(value.isThreadLocal());
    if (auto* function = llvm::dyn_cast<llvm::Function>(&value))
      read_function(*function);
    else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      type(*variable->getValueType());
      code_.number(variable->isConstant());
      if (variable->hasInitializer())
        operand(*variable->getInitializer());
    } else
      for (llvm::Use& use : value.operands())
        operand(*use);
    if (value.isDeclaration())
      code_.add(value.getName());
  }
  std::string code() { return code_.text(); }
  std::string places() { return places_.text(); }

private:
  void read_function(llvm::Function& function) {
    materialize(function);
    type(*function.getFunctionType());
    attributes(function.getAttributes());
    code_.number(function.getCallingConv());
    if (const llvm::DISubprogram* program = function.getSubprogram()) {
      add_file(program->getFilename());
      places_.number(program->getLine());
    }
    for (llvm::Argument& argument : function.args())
      locals_.try_emplace(&argument, locals_.size());
    for (llvm::BasicBlock& block : function) {
      locals_.try_emplace(&block, locals_.size());
      for (llvm::Instruction& instruction : block)
        locals_.try_emplace(&instruction, locals_.size());
    }
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (!llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
          read_instruction(instruction);
    for (llvm::Use& use : function.operands()) // a personality
      operand(*use);
  }

  void read_instruction(llvm::Instruction& instruction) {
    code_.number(instruction.getOpcode());
    code_.number(instruction.getRawSubclassOptionalData()); // nsw, exact, fast
    type(*instruction.getType());
    special(instruction);
    for (llvm::Use& use : instruction.operands())
      operand(*use);
    if (const llvm::DILocation* location = instruction.getDebugLoc()) {
      add_file(location->getFilename());
      places_.number(location->getLine());
      places_.number(location->getColumn());
    }
  }

  // Without its folder: a copy of the sources elsewhere is the same.
  void add_file(llvm::StringRef path) { places_.add(path.substr(path.rfind('/') + 1)); }

  // What is not among the operands.
  void special(const llvm::Instruction& instruction) {
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      code_.number(compare->getPredicate());
    else if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      type(*alloca->getAllocatedType());
    else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      type(*address->getSourceElementType());
    else if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
      numbers(extract->getIndices());
    else if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
      numbers(insert->getIndices());
    else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
      numbers(shuffle->getShuffleMask());
    else if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      code_.number(change->getOperation());
    else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      for (const llvm::BasicBlock* block : phi->blocks())
        code_.number(locals_.lookup(block));
    else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      attributes(call->getAttributes());
      code_.number(call->getCallingConv());
      type(*call->getFunctionType());
    } else if (const auto* landing = llvm::dyn_cast<llvm::LandingPadInst>(&instruction))
      code_.number(landing->isCleanup());
  }

  void numbers(auto&& values) {
    for (const auto value : values)
      code_.number(uint64_t(value));
  }

  void attributes(const llvm::AttributeList& list) {
    for (const unsigned index : list.indexes())
      code_.add(list.getAsString(index));
  }

  void operand(llvm::Value& value) {
    code_.number(value.getValueID());
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(&value)) {
      names_.push_back(global);
    } else if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
      read_constant(*constant);
    } else if (const auto found = locals_.find(&value); found != locals_.end()) {
      code_.number(found->second);
    } else if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(&value)) {
      code_.add(assembly->getAsmString());
      code_.add(assembly->getConstraintString());
    } else if (const auto* metadata = llvm::dyn_cast<llvm::MetadataAsValue>(&value)) {
      if (const auto* text = llvm::dyn_cast<llvm::MDString>(metadata->getMetadata()))
        code_.add(text->getString());
    }
  }

  void read_constant(llvm::Constant& constant) {
    type(*constant.getType());
    if (const auto* whole = llvm::dyn_cast<llvm::ConstantInt>(&constant))
      bits(whole->getValue());
    else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      bits(number->getValueAPF().bitcastToAPInt());
    else if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant))
      code_.add(data->getRawDataValues());
    else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
      code_.number(expression->getOpcode());
      if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(expression))
        type(*address->getSourceElementType());
    }
    for (llvm::Use& use : constant.operands())
      operand(*use);
  }

  void bits(const llvm::APInt& value) {
    for (unsigned word = 0; word < value.getNumWords(); ++word)
      code_.number(value.getRawData()[word]);
  }

  // Structures have names that linking numbers.
  void type(const llvm::Type& of) {
    code_.number(of.getTypeID());
    if (const auto* whole = llvm::dyn_cast<llvm::IntegerType>(&of))
      code_.number(whole->getBitWidth());
    else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&of))
      code_.number(array->getNumElements());
    else if (const auto* vector = llvm::dyn_cast<llvm::VectorType>(&of))
      code_.number(vector->getElementCount().getKnownMinValue());
    else if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&of))
      code_.number(structure->isPacked());
    else if (const auto* function = llvm::dyn_cast<llvm::FunctionType>(&of))
      code_.number(function->isVarArg());
    code_.number(of.getNumContainedTypes());
    for (const llvm::Type* part : of.subtypes())
      type(*part);
  }

  std::vector<llvm::GlobalValue*>& names_;
  llvm::DenseMap<const llvm::Value*, uint64_t> locals_;
  Digest code_, places_;
};

} // namespace

const ReachHashes::Own& ReachHashes::own(llvm::GlobalValue& value) {
  std::unique_ptr<const Own>& known = known_[&value];
  if (!known) {
    auto own = std::make_unique<Own>();
    Reading reading(own->names);
    reading.read(value);
    own->code = reading.code();
    own->places = reading.places();
    known = std::move(own);
  }
  return *known;
}

// From a function outwards. Who is met is numbered, and later meetings say the number.
class ReachHashes::Walk {
public:
  explicit Walk(ReachHashes& hashes) : hashes_(hashes) {}

  void from(llvm::GlobalValue& value) {
    meet(value);
    for (; next_ < met_.size(); ++next_) {
      const Own& own = hashes_.own(*met_[next_]);
      code_.add(own.code);
      places_.add(own.places);
      for (llvm::GlobalValue* name : own.names)
        meet(*name);
    }
  }
  bool meets(const auto& values) const {
    return std::ranges::any_of(values, [&](const llvm::GlobalValue* value) { return numbers_.contains(value); });
  }
  bool has_met(const llvm::GlobalValue* value) const { return numbers_.contains(value); }
  const std::vector<llvm::GlobalValue*>& met() const { return met_; }
  ReachHash hash() { return {code_.text(), places_.text()}; }

private:
  void meet(llvm::GlobalValue& value) {
    const auto [place, is_new] = numbers_.try_emplace(&value, numbers_.size());
    code_.number(place->second);
    if (is_new)
      met_.push_back(&value);
  }

  ReachHashes& hashes_;
  Digest code_, places_;
  llvm::DenseMap<const llvm::GlobalValue*, uint64_t> numbers_;
  std::vector<llvm::GlobalValue*> met_;
  size_t next_ = 0;
};

ReachHashes::ReachHashes(llvm::Module& module) {
  const llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (!list || !list->hasInitializer())
    return;
  for (const llvm::Use& entry : list->getInitializer()->operands()) {
    const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    auto* function = fields ? llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts()) : nullptr;
    if (!function)
      continue;
    Walk walk(*this);
    walk.from(*function);
    Constructor constructor{function, {}};
    for (const llvm::GlobalValue* value : walk.met())
      if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value); variable && !variable->isConstant())
        constructor.variables.insert(variable);
    constructors_.push_back(std::move(constructor));
  }
}

ReachHash ReachHashes::of(llvm::Function& function) {
  Walk walk(*this);
  walk.from(function);
  for (bool more = true; more;) {
    more = false;
    for (const Constructor& constructor : constructors_)
      if (!walk.has_met(constructor.function) && walk.meets(constructor.variables)) {
        walk.from(*constructor.function);
        more = true;
      }
  }
  return walk.hash();
}

} // namespace faultline::frontend
