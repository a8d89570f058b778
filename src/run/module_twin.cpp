#include "run/module_twin.h"

#include "program/bounds_check.h"
#include "run/abi.h"
#include "run/function_twin.h"
#include "run/rules.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/TargetParser/Host.h>
#include <vector>

namespace faultline::run {

namespace {

constexpr const char* runtime_prefix = "faultline_run_";

bool has_features(const llvm::Function& function, llvm::StringRef feature) {
  return function.getFnAttribute("target-features").getValueAsString().contains(feature);
}

// A reduction in order, one lane after the other.
llvm::Value* expanded_reduction(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  const bool product = call.getIntrinsicID() == llvm::Intrinsic::vector_reduce_fmul;
  llvm::Value* result = call.getArgOperand(0);
  llvm::Value* vector = call.getArgOperand(1);
  for (unsigned i = 0; i < lanes_of(vector->getType()); ++i) {
    llvm::Value* lane = builder.CreateExtractElement(vector, uint64_t(i));
    result = product ? builder.CreateFMul(result, lane) : builder.CreateFAdd(result, lane);
  }
  return result;
}

bool is_function_of_libm(llvm::Intrinsic::ID id) {
  namespace I = llvm::Intrinsic;
  return llvm::is_contained({I::exp, I::exp2, I::exp10, I::log, I::log2, I::log10, I::sin, I::cos, I::tan, I::pow}, id);
}

// A function of each lane.
llvm::Value* expanded_function(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value* result = llvm::PoisonValue::get(call.getType());
  for (unsigned i = 0; i < lanes_of(call.getType()); ++i) {
    llvm::SmallVector<llvm::Value*, 2> operands;
    for (llvm::Value* operand : call.args())
      operands.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, uint64_t(i))
                                                          : operand);
    llvm::Value* lane = builder.CreateIntrinsic(call.getIntrinsicID(), {call.getType()->getScalarType()}, operands);
    result = builder.CreateInsertElement(result, lane, uint64_t(i));
  }
  return result;
}

llvm::Value* expanded(llvm::IntrinsicInst& call, bool fuses) {
  if (!is_followed(call.getType()))
    return nullptr;
  if (call.getType()->isVectorTy() && is_function_of_libm(call.getIntrinsicID()))
    return expanded_function(call);
  llvm::IRBuilder<> builder(&call);
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::fmuladd:
    if (!fuses)
      return builder.CreateFAdd(builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1)),
                                call.getArgOperand(2));
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, {call.getType()},
                                   {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
  case llvm::Intrinsic::vector_reduce_fadd:
  case llvm::Intrinsic::vector_reduce_fmul:
    return expanded_reduction(call);
  default:
    return nullptr;
  }
}

constexpr const char* reassociation_note = "faultline.reassoc";

void note_reassociation(llvm::Instruction& operation) {
  operation.setMetadata(reassociation_note, llvm::MDNode::get(operation.getContext(), {}));
}

void prepare_function(llvm::Function& function) {
  const bool fuses = has_features(function, "+fma");
  std::vector<llvm::IntrinsicInst*> replaced;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::FPMathOperator>(instruction)) {
      if (instruction.hasAllowReassoc())
        note_reassociation(instruction);
      instruction.setFastMathFlags({});
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      replaced.push_back(call);
  }
  for (llvm::IntrinsicInst* call : replaced)
    if (llvm::Value* value = expanded(*call, fuses)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::string features = function.getFnAttribute("target-features").getValueAsString().str();
  for (const char* feature : {"avx", "avx2", "fma", "avx512f", "avx512vl", "avx512dq", "avx512bw"}) {
    const auto found = host.find(feature);
    if (found == host.end() || !found->second)
      break;
    features += std::string(features.empty() ? "+" : ",+") + feature;
  }
  function.addFnAttr("target-features", features);
  function.addFnAttr("prefer-vector-width", "256"); // wider ones leave more of short loops to scalar code
}

} // namespace

bool may_reassociate(const llvm::Instruction& operation) { return operation.hasMetadata(reassociation_note); }

void erase_checks(llvm::Module& module) {
  for (llvm::CallInst* check : program::checks_of(module))
    check->eraseFromParent();
}

void prepare_for_twin(llvm::Module& module) {
  erase_checks(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      prepare_function(function);
}

ModuleTwin::ModuleTwin(llvm::Module& module, const TwinOptions& options) : module_(module), options_(options) {
  llvm::LLVMContext& context = module.getContext();
  memory_ = new llvm::GlobalVariable(module, llvm::Type::getInt8Ty(context), false, llvm::GlobalValue::ExternalLinkage,
                                     nullptr, "faultline_run_memory.declared");
  calls_ = new llvm::GlobalVariable(module, llvm::ArrayType::get(llvm::Type::getInt8Ty(context), sizeof(CallBlock)),
                                    false, llvm::GlobalValue::ExternalLinkage, nullptr, call_block_symbol, nullptr,
                                    llvm::GlobalValue::InitialExecTLSModel);
  calls_->setAlignment(llvm::Align(16));
  calls_->setDSOLocal(true);
}

llvm::FunctionCallee ModuleTwin::entry(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
  return module_.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
}

uint32_t ModuleTwin::site(const llvm::Instruction& instruction, std::string operation, uint32_t counter) {
  runtime::Site found;
  places_.locate(instruction, found);
  table_.sites.push_back({.file = found.file,
                          .function = found.function,
                          .operation = std::move(operation),
                          .line = int(found.line),
                          .column = int(found.column),
                          .place = place_of(instruction),
                          .counter = counter,
                          .lanes = lanes_of(instruction.getType())});
  return uint32_t(table_.sites.size() - 1);
}

void ModuleTwin::locate(const llvm::Instruction& instruction, ValueSite& site) {
  runtime::Site found;
  places_.locate(instruction, found);
  site.file = found.file;
  site.function = found.function;
  site.line = int(found.line);
  site.column = int(found.column);
}

uint32_t ModuleTwin::value_site(const ValueSite& site) {
  table_.values.push_back(site);
  return uint32_t(table_.values.size() - 1);
}

uint32_t ModuleTwin::place_of(const llvm::Instruction& instruction) {
  if (!options_.causes)
    return 0;
  runtime::Site found;
  places_.locate(instruction, found);
  if (found.line == 0)
    return 0;
  const auto [known, is_new] =
      place_numbers_.try_emplace({found.file, int(found.line)}, uint32_t(place_numbers_.size() + 1));
  return known->second <= place_bits ? known->second : 0;
}

uint32_t ModuleTwin::first_like(uint32_t site) {
  const Site& one = table_.sites[site];
  return first_sites_.try_emplace({one.file, one.line, one.column, one.operation}, site).first->second;
}

void ModuleTwin::note_constant(llvm::Instruction& user, double constant, const llvm::DILocalVariable* declared,
                               uint32_t counter) {
  runtime::Site found;
  places_.locate(user, found);
  if (declared && declared->getLine() > 0) {
    found.file = declared->getFilename().str();
    found.line = declared->getLine();
    found.column = 0;
  }
  if (found.line == 0 || !constants_.insert({found.file, int(found.line), constant, counter}).second)
    return;
  table_.sites.push_back({.file = found.file,
                          .function = found.function,
                          .operation = single_constant,
                          .line = int(found.line),
                          .column = int(found.column),
                          .counter = counter,
                          .constant = constant});
}

SiteTable ModuleTwin::run() {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module_)
    if (!function.isDeclaration() && !function.hasFnAttribute(llvm::Attribute::Naked) &&
        !function.hasAvailableExternallyLinkage() && !function.getName().starts_with(runtime_prefix))
      functions.push_back(&function);
  if (!options_.watched.empty())
    watch_globals();
  for (llvm::Function* function : functions) {
    FunctionTwin(*function, *this).run();
    table_.functions.push_back(function->getName().str());
  }
  define_memory();
  table_.foreign.assign(foreign_.begin(), foreign_.end());
  return table_;
}

void ModuleTwin::define_memory() {
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  const Layout layout{table_.counters, table_.sites.size()};
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), bytes_of(layout));
  auto* memory = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::ExternalLinkage,
                                          llvm::Constant::getNullValue(type), memory_symbol);
  memory->setAlignment(llvm::Align(header_bytes));
  memory->setDSOLocal(true);
  memory_->replaceAllUsesWith(memory);
  memory_->eraseFromParent();
  memory_ = memory;
  auto* sizes = llvm::ConstantArray::get(llvm::ArrayType::get(word, 2), {llvm::ConstantInt::get(word, layout.counters),
                                                                         llvm::ConstantInt::get(word, layout.sites)});
  new llvm::GlobalVariable(module_, sizes->getType(), true, llvm::GlobalValue::ExternalLinkage, sizes, layout_symbol);
}

} // namespace faultline::run
