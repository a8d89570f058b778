#include "frontend/first_use.h"

#include "frontend/unit.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <vector>

namespace faultline::frontend {

namespace {

// A value is the address of elements, or a descriptor of them or its address.
enum class Role { elements, descriptor };

constexpr ElementUse both{true, true};

bool holds_pointer(const llvm::Type* type) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::any_of(structure->elements(), holds_pointer);
  return type->isPtrOrPtrVectorTy();
}

// Describes functions of Fortran's runtime library, which get arrays as descriptors. The library allocates array
// results itself, so dummy arguments are only read, except by assignments.
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
    llvm::APInt offset(64, 0); // an extent, unless it is the address as a number
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

  // Records another descriptor of the elements.
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

namespace {

struct Summary {
  FirstUse use;
  bool always_written = false; // on every path to a return
};

// True for a local variable that only holds the pointer, as unoptimised code has for each parameter.
bool is_plain_variable(const llvm::Value& place) {
  return llvm::isa<llvm::AllocaInst>(place) && llvm::all_of(place.users(), [&](const llvm::User* user) {
           auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
           auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
           return llvm::isa<llvm::LoadInst>(user) || (store && store->getPointerOperand() == &place) ||
                  (intrinsic && intrinsic->isAssumeLikeIntrinsic());
         });
}

// True for second results of libm functions, which are only written.
bool is_second_result(const llvm::CallBase& call, unsigned argument) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && argument > 0 &&
         llvm::StringSwitch<bool>(callee->getName())
             .Cases("frexp", "frexpf", "frexpl", "modf", "modff", "modfl", true)
             .Cases("sincos", "sincosf", "sincosl", "remquo", "remquof", "remquol", true)
             .Cases("lgamma_r", "lgammaf_r", "lgammal_r", true)
             .Default(false);
}

bool is_known(const llvm::Function* callee) { return callee && !callee->empty() && !callee->isInterposable(); }

// True if the address may point to memory next to the number.
bool is_beside(const llvm::Value& address) {
  const llvm::Value* base = &address;
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    if (!step->hasAllZeroIndices())
      return true;
    base = step->getPointerOperand();
  }
  return false;
}

class Analysis {
public:
  Summary of(const llvm::Argument& pointer, uint64_t bytes) {
    const auto [found, fresh] = known_.try_emplace(&pointer, Summary{{true, true}}); // for recursive calls
    if (!fresh)
      return found->second;
    const llvm::Function& function = *pointer.getParent();
    if (!is_known(&function) || depth_ == most_calls)
      return known_[&pointer] = Summary{{true, true, true}};
    ++depth_;
    const llvm::DenseSet<const llvm::Value*> followed = follow(pointer);
    const Summary summary = walk(function, followed, bytes);
    --depth_;
    known_[&pointer] = summary;
    return summary;
  }

private:
  // Collects the values that are or may be the pointer, or point next to it.
  static llvm::DenseSet<const llvm::Value*> follow(const llvm::Argument& pointer) {
    llvm::DenseSet<const llvm::Value*> followed{&pointer};
    llvm::SmallVector<const llvm::Value*, 8> open{&pointer};
    auto add = [&](const llvm::Value& value) {
      if (followed.insert(&value).second)
        open.push_back(&value);
    };
    while (!open.empty()) {
      const llvm::Value& value = *open.pop_back_val();
      for (const llvm::User* user : value.users()) {
        if (llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user) ||
            llvm::isa<llvm::FreezeInst>(user))
          add(*user);
        auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        if (store && store->getValueOperand() == &value && is_plain_variable(*store->getPointerOperand()))
          for (const llvm::User* other : store->getPointerOperand()->users())
            if (llvm::isa<llvm::LoadInst>(other))
              add(*other);
      }
    }
    return followed;
  }

  using Followed = llvm::DenseSet<const llvm::Value*>;
  // Computes for each block whether the number is written at its end on all paths.
  Summary walk(const llvm::Function& function, const Followed& followed, uint64_t bytes) {
    llvm::DenseMap<const llvm::BasicBlock*, bool> at_end;
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
    for (const llvm::BasicBlock* block : order)
      at_end[block] = true; // assumed initially
    Summary summary;
    for (bool changed = true; changed;) { // once more after the last change: only then are first reads certain
      changed = false;
      summary = {.use = {}, .always_written = true};
      for (const llvm::BasicBlock* block : order) {
        bool written = !block->isEntryBlock() && llvm::all_of(llvm::predecessors(block), [&](const auto* before) {
          return !at_end.contains(before) || at_end[before];
        });
        for (const llvm::Instruction& instruction : *block)
          visit(instruction, followed, bytes, written, summary.use);
        changed |= at_end[block] != written;
        at_end[block] = written;
        if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
          summary.always_written &= written;
      }
    }
    return summary;
  }

  void visit(const llvm::Instruction& instruction, const Followed& followed, uint64_t bytes, bool& written,
             FirstUse& use) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (followed.contains(load->getPointerOperand()))
        use.read |= !written;
      if (followed.contains(load->getPointerOperand()))
        note_place(*load->getPointerOperand(), load->getType(), bytes, use);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      visit_store(*store, followed, bytes, written, use);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      for (const llvm::Use& argument : call->args())
        if (followed.contains(argument))
          visit_argument(*call, call->getArgOperandNo(&argument), bytes, written, use);
    } else if (!followed.contains(&instruction) && !llvm::isa<llvm::ICmpInst>(instruction)) {
      if (llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) { return followed.contains(operand); }))
        escape(written, use); // an address as a number, an atomic operation, a returned pointer
    }
  }

  static void escape(bool written, FirstUse& use) {
    use.read |= !written;
    use.written = use.beyond = true;
  }

  void visit_store(const llvm::StoreInst& store, const Followed& followed, uint64_t bytes, bool& written,
                   FirstUse& use) {
    if (followed.contains(store.getValueOperand()) && !is_plain_variable(*store.getPointerOperand()))
      escape(written, use);
    if (!followed.contains(store.getPointerOperand()))
      return;
    use.written = true;
    written |= note_place(*store.getPointerOperand(), store.getValueOperand()->getType(), bytes, use);
  }

  // True if the address is certainly this number, and the access covers all of it.
  static bool note_place(const llvm::Value& address, const llvm::Type* type, uint64_t bytes, FirstUse& use) {
    if (is_beside(address)) {
      use.beyond = true;
      return false;
    }
    const llvm::Value* base = address.stripPointerCasts();
    const bool certain = !llvm::isa<llvm::PHINode>(base) && !llvm::isa<llvm::SelectInst>(base);
    return certain && type->getPrimitiveSizeInBits().getKnownMinValue() >= 8 * bytes;
  }

  void visit_argument(const llvm::CallBase& call, unsigned argument, uint64_t bytes, bool& written, FirstUse& use) {
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call); intrinsic && intrinsic->isAssumeLikeIntrinsic())
      return;
    const bool beside = is_beside(*call.getArgOperand(argument));
    use.beyond |= beside;
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
      const bool destination = argument == 0;
      use.written |= destination;
      use.read |= !destination && !written;
      auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
      use.beyond |= !length || length->getZExtValue() > bytes;
      written |= destination && length && length->getZExtValue() >= bytes && !beside;
      return;
    }
    const llvm::Function* callee = call.getCalledFunction();
    if (is_second_result(call, argument)) {
      use.written = true;
      written |= !beside;
      return;
    }
    if (!is_known(callee) || argument >= callee->arg_size()) {
      use.read |= !written && !call.onlyWritesMemory(argument);
      use.written |= !call.onlyReadsMemory(argument);
      use.beyond = true; // perhaps
      return;
    }
    const Summary inside = of(*callee->getArg(argument), bytes);
    use.read |= inside.use.read && !written;
    use.written |= inside.use.written;
    use.beyond |= inside.use.beyond;
    written |= inside.always_written && !beside;
  }

  static constexpr int most_calls = 1000; // one in the other; beyond, anything may happen to the number

  llvm::DenseMap<const llvm::Argument*, Summary> known_;
  int depth_ = 0;
};

} // namespace

FirstUse first_use(const llvm::Argument& pointer, uint64_t bytes) { return Analysis().of(pointer, bytes).use; }

void materialize_takers(llvm::Function& function) {
  const auto is_pointer = [](const llvm::Argument& argument) { return argument.getType()->isPointerTy(); };
  if (llvm::none_of(function.args(), is_pointer))
    return;
  llvm::SmallPtrSet<llvm::Function*, 16> seen{&function};
  llvm::SmallVector<llvm::Function*, 16> open{&function};
  while (!open.empty())
    for (llvm::Instruction& instruction : llvm::instructions(*open.pop_back_val())) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || llvm::none_of(callee->args(), is_pointer) || !seen.insert(callee).second)
        continue;
      materialize(*callee);
      open.push_back(callee);
    }
}

} // namespace faultline::frontend
