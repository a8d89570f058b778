#include "frontend/fpcore_export/by_value.h"

#include "frontend/float_type.h"

#include <algorithm>
#include <llvm/IR/IRBuilder.h>

namespace faultline::frontend::fpcore {
namespace {

llvm::Type* type_of(const Type& type, llvm::LLVMContext& context) {
  return type.floating ? frontend::type_of(type.format, context) : llvm::Type::getIntNTy(context, unsigned(type.bits));
}

} // namespace

bool is_plain_number(const Parameter& parameter, const Target& target) {
  if (parameter.passing == Passing::value)
    return true;
  return parameter.passing == Passing::pointer && !parameter.is_array && parameter.alias_of.empty() &&
         std::ranges::find(target.inputs, parameter.name, &Cell::name) != target.inputs.end() &&
         std::ranges::find(target.outputs, parameter.name, &Cell::name) == target.outputs.end();
}

void take_by_value(Prepared& prepared, const Target& target) {
  llvm::Function& function = *prepared.function;
  const auto by_reference = [](const Parameter& parameter) { return parameter.passing == Passing::pointer; };
  const auto is_plain = [&](const Parameter& parameter) { return is_plain_number(parameter, target); };
  if (function.arg_size() != target.parameters.size() || std::ranges::none_of(target.parameters, by_reference) ||
      !std::ranges::all_of(target.parameters, is_plain))
    return;
  std::vector<llvm::Type*> types;
  for (const llvm::Argument& argument : function.args()) {
    const Parameter& parameter = target.parameters[argument.getArgNo()];
    types.push_back(by_reference(parameter) ? type_of(parameter.type, *prepared.context) : argument.getType());
  }
  llvm::Function* caller =
      llvm::Function::Create(llvm::FunctionType::get(function.getReturnType(), types, false),
                             llvm::GlobalValue::ExternalLinkage, function.getName() + ".by_value", *prepared.module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(*prepared.context, "", caller));
  std::vector<llvm::Value*> values;
  for (llvm::Argument& argument : caller->args()) {
    values.push_back(&argument);
    if (by_reference(target.parameters[argument.getArgNo()])) {
      values.back() = builder.CreateAlloca(argument.getType());
      builder.CreateStore(&argument, values.back());
    }
  }
  llvm::CallInst* call = builder.CreateCall(&function, values);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  prepared.function = caller;
}

} // namespace faultline::frontend::fpcore
