#include "program/first_use.h"

#include "program/unit.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace faultline::program {

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

  // True if the other one adds something.
  bool add(const Summary& other) {
    const Summary both{{use.read || other.use.read, use.written || other.use.written, use.beyond || other.use.beyond,
                        use.needs_object || other.use.needs_object},
                       always_written && other.always_written};
    return !(std::exchange(*this, both) == both);
  }
  bool operator==(const Summary&) const = default;
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

// True if a phi or a select has no other operand than this one and itself.
bool is_only_choice(const llvm::User& choice, const llvm::Value& value) {
  const unsigned first = llvm::isa<llvm::SelectInst>(choice) ? 1 : 0;
  return llvm::all_of(llvm::drop_begin(choice.operands(), first),
                      [&](const llvm::Use& operand) { return operand == &value || operand == &choice; });
}

bool is_known(const llvm::Function* callee) { return callee && !callee->empty() && !callee->isInterposable(); }

// The bytes of the number, relative to a pointer.
struct Place {
  int64_t offset;
  uint64_t bytes;
  int64_t end() const { return offset + int64_t(bytes); }
  auto operator<=>(const Place&) const = default;
};

// An address that is made of the parameter.
struct Address {
  std::optional<int64_t> distance;        // from the parameter; none if it is not a constant
  bool certain = true;                    // false if it may be another pointer's
  std::optional<int64_t> base = distance; // where the steps that are not constants begin
  bool operator==(const Address&) const = default;
};

// Whether code tests a pointer for null before each use of the object behind it.
class NullTests {
public:
  // `value` may be null, and so may be what it flows into.
  bool guard(const llvm::Value& value) {
    if (!seen_.insert(&value).second)
      return true;
    const std::vector<llvm::BasicBlockEdge> edges = edges_without_null(value);
    const llvm::DominatorTree* tree = edges.empty() ? nullptr : &tree_of(value);
    return llvm::all_of(value.uses(), [&](const llvm::Use& use) {
      return llvm::any_of(edges, [&](const llvm::BasicBlockEdge& edge) { return tree->dominates(edge, use); }) ||
             allows_null(use);
    });
  }

private:
  bool allows_null(const llvm::Use& use) {
    const llvm::User& user = *use.getUser();
    if (llvm::isa<llvm::ICmpInst>(user))
      return true;
    if (llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::FreezeInst>(user) || llvm::isa<llvm::SelectInst>(user))
      return guard(user);
    auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
    const llvm::Function* callee = call && call->isArgOperand(&use) ? call->getCalledFunction() : nullptr;
    if (!callee)
      return false;
    const unsigned argument = call->getArgOperandNo(&use);
    return callee->getName() == "free" ||
           (is_known(callee) && argument < callee->arg_size() && guard(*callee->getArg(argument)));
  }

  // The edges of the control flow on which the value is not null.
  static std::vector<llvm::BasicBlockEdge> edges_without_null(const llvm::Value& value) {
    std::vector<llvm::BasicBlockEdge> edges;
    for (const llvm::User* user : value.users())
      if (auto* test = llvm::dyn_cast<llvm::ICmpInst>(user);
          test && test->isEquality() && llvm::isa<llvm::ConstantPointerNull>(test->getOperand(1)))
        add_edges(*test, test->getPredicate() == llvm::CmpInst::ICMP_NE, edges);
    return edges;
  }

  // Adds the edges on which the condition has this outcome, alone or as a part of `a && b` or `a || b`.
  static void add_edges(const llvm::Instruction& condition, bool outcome, std::vector<llvm::BasicBlockEdge>& edges) {
    using namespace llvm::PatternMatch;
    for (const llvm::User* user : condition.users()) {
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(user))
        edges.emplace_back(branch->getParent(), branch->getSuccessor(outcome ? 0 : 1));
      const llvm::Value *left = nullptr, *right = nullptr;
      const bool both = outcome ? match(user, m_LogicalAnd(m_Value(left), m_Value(right)))
                                : match(user, m_LogicalOr(m_Value(left), m_Value(right)));
      if (both)
        add_edges(*llvm::cast<llvm::Instruction>(user), outcome, edges);
    }
  }

  const llvm::DominatorTree& tree_of(const llvm::Value& value) {
    auto* argument = llvm::dyn_cast<llvm::Argument>(&value);
    const llvm::Function* function =
        argument ? argument->getParent() : llvm::cast<llvm::Instruction>(value).getFunction();
    std::unique_ptr<llvm::DominatorTree>& tree = trees_[function];
    if (!tree)
      tree = std::make_unique<llvm::DominatorTree>(const_cast<llvm::Function&>(*function)); // only read
    return *tree;
  }

  std::map<const llvm::Function*, std::unique_ptr<llvm::DominatorTree>> trees_;
  llvm::DenseSet<const llvm::Value*> seen_;
};

// What a recursive call does is assumed first, to be as little as possible, and computed again with what it was seen to
// do, until that is all.
class Analysis {
public:
  Analysis(uint64_t offset, std::span<const uint64_t> fields) : offset_(int64_t(offset)), fields_(fields) {}

  FirstUse run(const llvm::Argument& pointer, uint64_t bytes) {
    constexpr int most_rounds = 10; // each adds one of five facts about a call; most calls need two
    for (int round = 0; round < most_rounds; ++round) {
      known_.clear();
      wrong_ = false;
      const FirstUse use = of(pointer, {offset_, bytes}).use;
      if (!wrong_)
        return use;
    }
    return anything.use;
  }

private:
  static constexpr Summary anything{{true, true, true, true}}, little{{}, true};

  using Key = std::tuple<const llvm::Argument*, int64_t, uint64_t>;
  struct Known {
    Summary summary;
    bool open = true; // being computed
    bool assumed = false;
  };

  Summary of(const llvm::Argument& pointer, const Place& place) {
    const Key key{&pointer, place.offset, place.bytes};
    Summary& assumption = assumed_.try_emplace(key, little).first->second;
    const auto [found, fresh] = known_.try_emplace(key, Known{assumption});
    if (!fresh) {
      found->second.assumed |= found->second.open;
      return found->second.summary;
    }
    const llvm::Function& function = *pointer.getParent();
    Summary summary = anything;
    if (is_known(&function) && depth_ < most_calls) {
      ++depth_;
      summary = walk(function, follow(pointer), place);
      --depth_;
    }
    Known& known = known_[key];
    wrong_ |= known.assumed && assumption.add(summary);
    known = {summary, false, false};
    return summary;
  }

  // The values that are or may be the pointer, or point next to it.
  using Followed = llvm::DenseMap<const llvm::Value*, Address>;

  static Followed follow(const llvm::Argument& pointer) {
    Followed followed{{&pointer, {0}}};
    llvm::SmallVector<const llvm::Value*, 8> open{&pointer};
    const auto add = [&](const llvm::Value& value, const Address& address) {
      const auto [found, fresh] = followed.try_emplace(&value, address);
      const Address both{found->second.distance == address.distance ? address.distance : std::nullopt,
                         found->second.certain && address.certain,
                         found->second.base == address.base ? address.base : std::nullopt};
      if (!fresh && found->second == both)
        return;
      found->second = both;
      open.push_back(&value);
    };
    while (!open.empty()) {
      const llvm::Value& value = *open.pop_back_val();
      const Address address = followed[&value];
      for (const llvm::User* user : value.users()) {
        if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(user))
          add(*user, stepped(*step, address));
        if (llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user))
          add(*user, {address.distance, address.certain && is_only_choice(*user, value), address.base});
        if (llvm::isa<llvm::FreezeInst>(user))
          add(*user, address);
        auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        if (store && store->getValueOperand() == &value && is_plain_variable(*store->getPointerOperand()))
          for (const llvm::User* other : store->getPointerOperand()->users())
            if (llvm::isa<llvm::LoadInst>(other))
              add(*other, address);
      }
    }
    return followed;
  }

  static Address stepped(const llvm::GEPOperator& step, Address address) {
    llvm::APInt constant(64, 0);
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(&step);
        !address.distance || !instruction || !step.accumulateConstantOffset(instruction->getDataLayout(), constant))
      return {{}, address.certain, address.base};
    address.distance = address.base = *address.distance + constant.getSExtValue();
    return address;
  }

  // Computes for each block whether the number is written at its end on all paths.
  Summary walk(const llvm::Function& function, const Followed& followed, const Place& place) {
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
          visit(instruction, followed, place, written, summary.use);
        changed |= at_end[block] != written;
        at_end[block] = written;
        if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
          summary.always_written &= written;
      }
    }
    return summary;
  }

  void visit(const llvm::Instruction& instruction, const Followed& followed, const Place& place, bool& written,
             FirstUse& use) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (const auto address = followed.find(load->getPointerOperand());
          address != followed.end() && touches(address->second, bytes_of(*load, load->getType()), place, use) &&
          !written) {
        use.read = true;
        use.needs_object |= !load->getType()->isFPOrFPVectorTy() && !is_other_field(address->second, place) &&
                            !(load->getType()->isPointerTy() && NullTests().guard(*load));
      }
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      visit_store(*store, followed, place, written, use);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      for (const llvm::Use& argument : call->args())
        if (const auto address = followed.find(argument); address != followed.end())
          visit_argument(*call, call->getArgOperandNo(&argument), address->second, place, written, use);
    } else if (!followed.contains(&instruction) && !llvm::isa<llvm::ICmpInst>(instruction)) {
      if (llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) { return followed.contains(operand); }))
        escape(written, use); // an address as a number, an atomic operation, a returned pointer
    }
  }

  static void escape(bool written, FirstUse& use) {
    use.read |= !written;
    use.needs_object |= !written;
    use.written = use.beyond = true;
  }

  static uint64_t bytes_of(const llvm::Instruction& access, llvm::Type* type) {
    const llvm::DataLayout& layout = access.getDataLayout();
    const bool padded = type->isX86_FP80Ty(); // 80 bits are stored in 16 bytes
    return (padded ? layout.getTypeAllocSize(type) : layout.getTypeStoreSize(type)).getKnownMinValue();
  }

  void visit_store(const llvm::StoreInst& store, const Followed& followed, const Place& place, bool& written,
                   FirstUse& use) {
    if (followed.contains(store.getValueOperand()) && !is_plain_variable(*store.getPointerOperand()))
      escape(written, use);
    const auto address = followed.find(store.getPointerOperand());
    if (address == followed.end())
      return;
    const uint64_t bytes = bytes_of(store, store.getValueOperand()->getType());
    use.written |= touches(address->second, bytes, place, use);
    written |= covers(address->second, bytes, place);
  }

  // True if an access may concern the number. Notes an access to other memory.
  static bool touches(const Address& address, std::optional<uint64_t> bytes, const Place& place, FirstUse& use) {
    if (!address.distance || !bytes) {
      use.beyond = true;
      return true;
    }
    const int64_t first = *address.distance, end = first + int64_t(*bytes);
    use.beyond |= first < place.offset || end > place.end();
    return first < place.end() && place.offset < end;
  }

  // True if an access certainly concerns all of the number.
  static bool covers(const Address& address, std::optional<uint64_t> bytes, const Place& place) {
    return address.certain && address.distance && bytes && *address.distance <= place.offset &&
           place.end() <= *address.distance + int64_t(*bytes);
  }

  void visit_argument(const llvm::CallBase& call, unsigned argument, const Address& address, const Place& place,
                      bool& written, FirstUse& use) {
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call); intrinsic && intrinsic->isAssumeLikeIntrinsic())
      return;
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
      auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
      const std::optional<uint64_t> bytes = length ? std::optional(length->getZExtValue()) : std::nullopt;
      const bool destination = argument == 0, touched = touches(address, bytes, place, use);
      use.written |= destination && touched;
      use.read |= !destination && touched && !written;
      use.needs_object |= !destination && touched && !written;
      written |= destination && covers(address, bytes, place);
      return;
    }
    const llvm::Function* callee = call.getCalledFunction();
    if (is_second_result(call, argument)) {
      use.written |= touches(address, place.bytes, place, use);
      written |= covers(address, place.bytes, place);
      return;
    }
    if (!is_known(callee) || argument >= callee->arg_size()) {
      use.read |= !written && !call.onlyWritesMemory(argument);
      use.needs_object |=
          use.read && !is_other_field(address, place) && callee_needs_object(call, argument, address, place);
      use.written |= !call.onlyReadsMemory(argument);
      use.beyond = true; // perhaps
      return;
    }
    const bool somewhere = !address.distance;
    const Summary inside = of(*callee->getArg(argument), {place.offset - address.distance.value_or(0), place.bytes});
    use.read |= (inside.use.read || (somewhere && inside.use.beyond)) && !written;
    use.needs_object |= (inside.use.needs_object || (somewhere && !is_other_field(address, place))) && !written;
    use.written |= inside.use.written || (somewhere && inside.use.beyond);
    use.beyond |= inside.use.beyond || somewhere;
    written |= inside.always_written && !somewhere && address.certain;
  }

  // A pointer to a function that the struct holds is one that the program takes the address of.
  bool callee_needs_object(const llvm::CallBase& call, unsigned argument, const Address& address, const Place& place) {
    if (call.getCalledFunction() || !address.distance)
      return true;
    bool found = false;
    for (const llvm::Function& function : *call.getModule())
      if (function.getFunctionType() == call.getFunctionType() && function.hasAddressTaken()) {
        found = true;
        if (of(*function.getArg(argument), {place.offset - *address.distance, place.bytes}).use.needs_object)
          return true;
      }
    return !found;
  }

  // True for the address of another field than the one of this place.
  bool is_other_field(const Address& address, const Place& place) const {
    if (!address.base)
      return false;
    const int64_t offset = *address.base + offset_ - place.offset; // from the pointer that was asked about
    return offset > 0 && offset != offset_ && llvm::is_contained(fields_, uint64_t(offset));
  }

  static constexpr int most_calls = 1000; // one in the other; beyond, anything may happen to the number

  std::map<Key, Known> known_;
  std::map<Key, Summary> assumed_;
  int64_t offset_;
  std::span<const uint64_t> fields_;
  bool wrong_ = false;
  int depth_ = 0;
};

} // namespace

FirstUse first_use(const llvm::Argument& pointer, uint64_t bytes, uint64_t offset, std::span<const uint64_t> fields) {
  return Analysis(offset, fields).run(pointer, bytes);
}

bool is_freed(const llvm::Argument& pointer) {
  return llvm::any_of(pointer.users(), [](const llvm::User* user) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee &&
           (callee->getName() == "free" || callee->getName() == "realloc" || callee->getName().starts_with("_ZdlPv"));
  });
}

void materialize_takers(llvm::Function& function) {
  const auto is_pointer = [](const llvm::Argument& argument) { return argument.getType()->isPointerTy(); };
  if (llvm::none_of(function.args(), is_pointer))
    return;
  llvm::SmallPtrSet<llvm::Function*, 16> seen{&function};
  llvm::SmallVector<llvm::Function*, 16> open{&function};
  llvm::SmallPtrSet<llvm::FunctionType*, 4> through_pointers; // types of functions that are called so
  const auto add = [&](llvm::Function& callee) {
    if (llvm::none_of(callee.args(), is_pointer) || !seen.insert(&callee).second)
      return;
    materialize(callee);
    open.push_back(&callee);
  };
  while (!open.empty()) {
    for (llvm::Instruction& instruction : llvm::instructions(*open.pop_back_val()))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        if (llvm::Function* callee = call->getCalledFunction())
          add(*callee);
        else
          through_pointers.insert(call->getFunctionType());
      }
    if (open.empty() && !through_pointers.empty())
      for (llvm::Function& other : *function.getParent())
        if (through_pointers.contains(other.getFunctionType()) && other.hasAddressTaken())
          add(other);
  }
}

} // namespace faultline::program
