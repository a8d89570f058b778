// Emits the instrumentation of an instruction. The walk over the program (function_walk.h) is the same for both kinds
// of execution; the two emitters differ only in the meaning of an index and in how they compute an operation:
//
//   taped:   %r = fsub double %a, %b          and a record appended inline: 4 stores, no branch, no call
//   lifted:  %i = call @faultline_lift(site, %ia, %ib, 0)
//            %r = call @faultline_lift_value_f64(%i)
//
// Indices are i32 values in both.
#pragma once

#include "numeric/format.h"
#include "ops/op.h"
#include "program/float_type.h"
#include "runtime/abi.h"
#include "runtime/lift.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <memory>

namespace faultline::instrument {

struct Emitted {
  llvm::Value* index;
  llvm::Value* value; // replaces the value in the program
};

class Emitter {
public:
  using Builder = llvm::IRBuilder<>;

  // Returns the value in its format's carrier.
  static llvm::Value* carried(Builder& builder, llvm::Value* value, numeric::Format format) {
    return builder.CreateFPExt(value, program::type_of(numeric::carrier(format), value->getContext()));
  }

  virtual ~Emitter() = default;

  // Ends a segment: straight-line code between two points where other instrumented code can run. The walk calls
  // `end_segment` before each such point and before the terminator of a block.
  virtual void end_segment(llvm::Instruction* before) {}

  virtual Emitted operation(Builder&, uint32_t site, llvm::ArrayRef<llvm::Value*> operands, llvm::Value* native,
                            numeric::Format) = 0;
  virtual llvm::Value* compare(Builder&, uint32_t site, llvm::ArrayRef<llvm::Value*> operands, llvm::Value* native) = 0;
  virtual llvm::Value* to_int(Builder&, uint32_t site, llvm::Value* operand, llvm::Value* native, bool is_signed) = 0;
  virtual llvm::Value* leaf(Builder&, llvm::Value* value, numeric::Format, uint32_t site) = 0;
  llvm::Value* leaf(Builder& builder, llvm::Value* value, numeric::Format format) {
    return leaf(builder, value, format, runtime::first_leaf_site + uint32_t(format));
  }
  // Called after a call of code that is not instrumented (runtime/lift.h), for lifted execution only: the function, its
  // arguments, and the leaves of its results. `rounds`: the function does arithmetic of its own.
  virtual bool follows_foreign() const { return false; }
  virtual void foreign_call(Builder&, llvm::Value* function, bool rounds) {}
  virtual void foreign_argument(Builder&, llvm::Value* index) {}
  virtual void foreign_pointer(Builder&, llvm::Value* pointer, uint64_t bytes, runtime::PointerKind) {}
  virtual void mark_foreign(Builder&, llvm::Value* index) {}
  // Emits the leaf of a result. On the tape it names the first arguments.
  virtual llvm::Value* foreign_leaf(Builder& builder, llvm::Value* value, numeric::Format format, uint32_t site,
                                    llvm::ArrayRef<llvm::Value*> arguments) {
    return leaf(builder, value, format, site);
  }
  virtual llvm::Value* load(Builder&, llvm::Value* address, llvm::Value* value, numeric::Format) = 0;
  // For an integer of 4 or 8 bytes that may contain a float (8 bytes: a double, or a float in the first half): returns
  // an index, or 0.
  virtual llvm::Value* load_weak(Builder&, llvm::Value* address, llvm::Value* value) = 0;
  virtual void store(Builder&, llvm::Value* address, llvm::Value* index, numeric::Format) = 0;
  // Integers that contain bits of floats (runtime/lift.h), for lifted execution only. `bits` is the index of the float
  // whose bits an integer contains, or 0.
  virtual bool follows_bits() const { return false; }
  virtual void read_bits(Builder&, llvm::Value* index) {}
  virtual llvm::Value* bits_at(Builder&, llvm::Value* address) { return nullptr; }
  virtual llvm::Value* merged_bits(Builder&, llvm::Value* a, llvm::Value* b) { return nullptr; }
  virtual void store_bits(Builder&, llvm::Value* address, uint64_t bytes, llvm::Value* bits) {}
  virtual llvm::Value* from_bits(Builder&, llvm::Value* value, numeric::Format, llvm::Value* bits) { return nullptr; }
  // Returns `candidate` if it is not 0 and agrees with the value, else a leaf.
  virtual llvm::Value* verified(Builder&, llvm::Value* candidate, llvm::Value* value, numeric::Format) = 0;

  // True if integer conditions are recorded (instrument/decisions.h). Lifted execution neither changes nor records
  // them.
  virtual bool records_decisions() const { return false; }
  virtual void decide(Builder&, uint32_t site, llvm::ArrayRef<llvm::Value*> operands, llvm::Value* outcome) {}
};

std::unique_ptr<Emitter> make_taped_emitter(llvm::Module& module);
std::unique_ptr<Emitter> make_lifted_emitter(llvm::Module& module);

// Declares an entry point of the runtime in the module.
llvm::FunctionCallee entry_point(llvm::Module& module, llvm::StringRef name);

} // namespace faultline::instrument
