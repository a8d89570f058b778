#include "frontend/driver.h"

#include "frontend/descriptor.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace faultline::frontend {
namespace {

// Built in a local variable: extents stay constants to instrument/provenance.h, so that loops over them decide nothing.
llvm::Value* described(llvm::IRBuilder<>& builder, llvm::Value* elements, const Parameter& parameter) {
  const std::vector<uint64_t> words = descriptor_words(parameter);
  llvm::Value* descriptor = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt64Ty(), words.size()));
  builder.CreateStore(elements, descriptor);
  for (size_t i = 1; i < words.size(); ++i)
    builder.CreateStore(builder.getInt64(words[i]),
                        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), descriptor, i));
  return descriptor;
}

} // namespace

llvm::Function* add_driver(llvm::Function& function, const Target& target, llvm::StringRef name) {
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::getUnqual(context)}, false);
  auto* driver = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  driver->addFnAttr(llvm::Attribute::NoInline);
  driver->setUWTableKind(llvm::UWTableKind::Async); // exceptions of the target pass through it
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", driver));
  llvm::Value* block = driver->getArg(0);
  auto cell = [&](uint64_t offset) { return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset); };

  std::vector<llvm::Value*> arguments;
  if (target.returned_by_pointer)
    arguments.push_back(cell(target.return_offset));
  for (const Parameter& parameter : target.parameters) {
    llvm::Type* wanted = function.getArg(unsigned(arguments.size()))->getType();
    if (parameter.passing == Passing::pointer || parameter.passing == Passing::slice)
      arguments.push_back(cell(parameter.offset));
    else if (parameter.passing == Passing::address)
      arguments.push_back(builder.CreateLoad(wanted, cell(parameter.offset)));
    else if (parameter.passing == Passing::descriptor)
      arguments.push_back(described(builder, cell(parameter.offset), parameter));
    else if (parameter.passing == Passing::absent)
      arguments.push_back(llvm::Constant::getNullValue(wanted));
    else if (parameter.type.floating)
      arguments.push_back(builder.CreateLoad(wanted, cell(parameter.offset)));
    else {
      llvm::Value* number =
          builder.CreateLoad(builder.getIntNTy(unsigned(parameter.type.bits)), cell(parameter.offset));
      arguments.push_back(parameter.type.is_signed ? builder.CreateSExtOrTrunc(number, wanted)
                                                   : builder.CreateZExtOrTrunc(number, wanted));
    }
    if (parameter.passing == Passing::slice)
      arguments.push_back(builder.getInt64(parameter.count));
  }
  llvm::CallInst* call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setAttributes(function.getAttributes());
  if (!function.getReturnType()->isVoidTy())
    builder.CreateStore(call, cell(target.return_offset));
  builder.CreateRetVoid();
  return driver;
}

} // namespace faultline::frontend
