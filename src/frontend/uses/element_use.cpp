#include "frontend/uses/element_use.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <vector>

namespace faultline::frontend {
namespace {

// A value is the address of elements, or it is a descriptor of them or the address of one.
enum class Role { elements, descriptor };

constexpr ElementUse both{true, true};

bool holds_pointer(const llvm::Type* type) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::any_of(structure->elements(), holds_pointer);
  return type->isPtrOrPtrVectorTy();
}

// Of Fortran's runtime library, which takes arrays as descriptors. Results that are arrays are allocated by it, so a
// dummy argument is only read, but for assignments.
ElementUse use_by_library(llvm::StringRef name, unsigned argument) {
  static constexpr llvm::StringLiteral readers[] = {
      "All",    "Any",     "Count",     "DotProduct", "Findloc", "IsContiguous", "Lbound",
      "Matmul", "Maxloc",  "Maxval",    "Minloc",     "Minval",  "Norm2",        "Product",
      "Size",   "Sum",     "Transpose", "Reshape",    "Spread",  "Pack",         "Unpack",
      "Cshift", "Eoshift", "Shape",     "Ubound",     "Merge",   "ioOutput",     "Reduce"};
  if (!name.consume_front("_FortranA"))
    return both;
  if (name == "Assign" || name == "AssignTemporary" || name == "CopyInAssign")
    return argument == 0 ? ElementUse{false, true} : ElementUse{true, false};
  const bool reader = llvm::any_of(readers, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
  return reader ? ElementUse{true, false} : both;
}

class Follower {
public:
  ElementUse run(const llvm::Argument& descriptor) {
    add(descriptor, Role::descriptor);
    while (!open_.empty()) {
      const auto [value, role] = open_.back();
      open_.pop_back();
      for (const llvm::Use& use : value->uses())
        follow(use, role);
    }
    return use_;
  }

private:
  void add(const llvm::Value& value, Role role) {
    if (seen_.insert({&value, int(role)}).second)
      open_.emplace_back(&value, role);
  }
  void note(ElementUse more) {
    use_.read |= more.read;
    use_.written |= more.written;
    use_.as_floats |= more.as_floats;
  }

  void follow(const llvm::Use& use, Role role) {
    const llvm::User& user = *use.getUser();
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&user))
      return follow_call(*call, use, role);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return follow_store(*store, use, role);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user))
      return follow_load(*load, role);
    if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&user)) {
      if (holds_pointer(extract->getType()))
        add(*extract, extract->getType()->isPointerTy() ? Role::elements : Role::descriptor);
    } else if (llvm::isa<llvm::InsertValueInst>(user)) {
      add(user, Role::descriptor);
    } else if (llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::PHINode>(user) ||
               llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::FreezeInst>(user)) {
      add(user, role);
    } else if (!llvm::isa<llvm::ICmpInst>(user)) {
      note(both);
    }
  }

  void follow_load(const llvm::LoadInst& load, Role role) {
    const llvm::Type* type = load.getType();
    if (role == Role::elements)
      return note({true, holds_pointer(type), type->isFPOrFPVectorTy()});
    if (holds_pointer(type))
      return add(load, type->isPointerTy() ? Role::elements : Role::descriptor);
    llvm::APInt offset(64, 0); // an extent, if it is not the address as a number
    load.getPointerOperand()->stripAndAccumulateConstantOffsets(load.getDataLayout(), offset, true);
    if (offset == 0 && type->getPrimitiveSizeInBits() >= 64)
      note(both);
  }

  void follow_store(const llvm::StoreInst& store, const llvm::Use& use, Role role) {
    const bool address = use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    if (address && role == Role::elements)
      note({false, true, store.getValueOperand()->getType()->isFPOrFPVectorTy()});
    if (address)
      return;
    if (role == Role::descriptor && use->getType()->isPointerTy())
      return note(both);
    copied_to(*store.getPointerOperand());
  }

  // There is another descriptor of the elements now.
  void copied_to(const llvm::Value& place) {
    const llvm::Value* object = llvm::getUnderlyingObject(&place);
    if (llvm::isa<llvm::AllocaInst>(object))
      add(*object, Role::descriptor);
    else
      note(both);
  }

  void follow_call(const llvm::CallBase& call, const llvm::Use& use, Role role) {
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call); intrinsic && intrinsic->isAssumeLikeIntrinsic())
      return;
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
      const bool destination = use.getOperandNo() == 0;
      if (role == Role::elements)
        return note({!destination, destination});
      if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory); transfer && !destination)
        copied_to(*transfer->getRawDest());
      return;
    }
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee || !call.isArgOperand(&use))
      return note(both);
    const unsigned argument = call.getArgOperandNo(&use);
    if (!callee->empty() && !callee->isInterposable() && argument < callee->arg_size())
      add(*callee->getArg(argument), role);
    else if (role == Role::descriptor)
      note(use_by_library(callee->getName(), argument));
    else
      note({!call.onlyWritesMemory(argument), !call.onlyReadsMemory(argument)});
  }

  std::vector<std::pair<const llvm::Value*, Role>> open_;
  llvm::DenseSet<std::pair<const llvm::Value*, int>> seen_;
  ElementUse use_;
};

} // namespace

ElementUse element_use(const llvm::Argument& descriptor) { return Follower().run(descriptor); }

bool is_optional(const llvm::Argument& argument) {
  return llvm::any_of(argument.users(), [](const llvm::User* user) {
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    return compare && (llvm::isa<llvm::ConstantPointerNull>(compare->getOperand(0)) ||
                       llvm::isa<llvm::ConstantPointerNull>(compare->getOperand(1)));
  });
}

bool is_no_integer(const llvm::Argument& argument) {
  llvm::DenseSet<const llvm::Value*> seen;
  std::vector<const llvm::Value*> open{&argument};
  while (!open.empty()) {
    const llvm::Value* pointer = open.back();
    open.pop_back();
    if (!seen.insert(pointer).second)
      continue;
    for (const llvm::Use& use : pointer->uses()) {
      const llvm::User& user = *use.getUser();
      auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
      if (llvm::isa<llvm::GEPOperator>(user) || (call && call->isCallee(&use)))
        return true;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user); load && !load->getType()->isIntegerTy())
        return true;
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && call->isArgOperand(&use) && call->getArgOperandNo(&use) < callee->arg_size())
        open.push_back(callee->getArg(call->getArgOperandNo(&use)));
    }
  }
  return false;
}

} // namespace faultline::frontend
