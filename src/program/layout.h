// The argument block: gives each parameter its cells, by its declared type. discover.h has the cases (A) to (J) and
// decides which parameters have memory of their own.
#pragma once

#include "model/target.h"
#include "program/debug_type.h"

#include <llvm/IR/Argument.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

// A parameter as the source and the compiler describe it.
struct Declared {
  const llvm::DIType* type;
  const llvm::Argument* argument;

  // Accesses to the memory behind a pointer, as far as the optimiser knows them.
  bool only_read() const { return argument->onlyReadsMemory(); }
  bool only_written() const { return argument->hasAttribute(llvm::Attribute::WriteOnly); }
};

// Marks the target as unsuitable. The first reason counts.
void refuse(model::Target& target, const std::string& reason, model::Obstacle obstacle = model::Obstacle::harness);
// `format` names a float format that is known but not supported; empty if the type itself is the reason.
void refuse_type(model::Target& target, const std::string& name, const llvm::DIType* type, const std::string& format);

// Adds the floats among the cells.
void add_outputs(model::Target& target, const std::vector<model::Cell>& cells);

// How the memory behind a pointer may be accessed.
struct Access {
  bool one = false;         // a single element, not an array: a reference
  bool constant = false;    // only read
  bool initialised = false; // perhaps read before it is written: Rust's &mut
  bool rust = false;        // whose modules, not whose types, keep fields private
};

// A field that is not made of numbers, such as a pointer.
struct Unmade {
  std::string name;
  const llvm::DIType* type;
  uint64_t offset, bytes;
};

class Layout {
public:
  Layout(const model::Shapes& shapes, bool fortran, model::Target& target);

  // Adds the cells of the target's parameter, or refuses the target. `shared` is the number of elements of the array
  // whose memory the parameter shares, if --size does not give one.
  void add(model::Parameter& parameter, const Declared& declared, std::optional<uint64_t> shared = {});

  // Gives memory to a pointer in the block, to numbers or to a struct of numbers.
  void give_memory(Unmade pointer) { pointers_.push_back(std::move(pointer)); }
  // Adds the memory of these pointers, and of those in structs, after all parameters.
  void add_memory_of_fields();
  // The memory of these fields is that of another parameter.
  void share_fields(const std::string& parameter);

  // A pointer without a size that is treated as an output, but may point to an array that is read; empty if there is
  // none.
  const std::string& perhaps_an_array() const { return perhaps_an_array_; }
  // Why the target cannot be run before the extents of its arrays are known; empty if they are known.
  const std::string& needs_size() const { return needs_size_; }

private:
  uint64_t place(const model::Type& type);
  const std::vector<uint64_t>* size_of(const std::string& name) const;
  void add_array(model::Parameter& parameter, const model::Type& element, const std::vector<uint64_t>& extents,
                 bool reads, bool writes);
  void add_unsized(model::Parameter& parameter, const std::vector<uint64_t>& extents, bool reads, bool writes,
                   const std::string& reason);
  void add_scalar(model::Parameter& parameter, const model::Type& type, const Declared& declared);
  void behind_pointer(model::Parameter& parameter, const llvm::DIDerivedType& to, const Declared& declared);
  void add_input(const model::Parameter& parameter, const Declared& declared, const llvm::DIDerivedType& to);
  void add_changed(model::Parameter& parameter, const Declared& declared, const llvm::DIDerivedType& to,
                   bool reference);
  void slice(model::Parameter& parameter, const RustSlice& slice, const Declared& declared);
  void structs(model::Parameter& parameter, const llvm::DICompositeType& fields, const Declared& declared,
               const Access& access);
  std::vector<model::Cell> state(const model::Parameter& parameter, const llvm::DICompositeType& fields,
                                 const Declared& declared, const Access& access, const std::vector<model::Cell>& cells,
                                 const std::vector<Unmade>& unmade);
  std::optional<model::Parameter> memory_of(const Unmade& field) const;
  void rows(model::Parameter& parameter, const llvm::DIDerivedType& to, const Shape& row, bool reads, bool writes);
  void refuse_undescribed(const model::Parameter& parameter);
  // Fortran arrays.
  void fortran_array(model::Parameter& parameter, const llvm::DICompositeType& array, const Declared& declared);
  void extents_of_explicit_shape(const model::Parameter& parameter, const llvm::DICompositeType& array,
                                 std::vector<uint64_t>& extents);
  void extents_of_assumed_shape(const model::Parameter& parameter, const llvm::DICompositeType& array,
                                std::vector<uint64_t>& extents);
  bool is_for_each_dimension(const model::Parameter& parameter, const std::vector<uint64_t>& given) const;

  model::SizedBy size_origin(const std::string& name) const;

  model::Sizes sizes_;
  const model::Sizes& declared_; // those of sizes_ that come from the source and that the user does not override
  model::Target& target_;
  bool fortran_;
  std::string perhaps_an_array_, needs_size_;
  std::vector<Unmade> pointers_; // fields that get memory
  std::vector<uint64_t> shared_; // extents of the array that the current parameter shares
};

// Integers that code uses only as flags or enumerations: it compares them with constants, switches on them, masks them
// or looks them up in a table of constants. Only the values that the code distinguishes are worth trying: a mode of 17
// is treated as a mode of 3 is.
//
// The values are, each in the type's range:
//   == c, a case of a switch   c, and a neighbour that is no other case, on the side of zero if it can be
//   <, <=, >, >= c             c - 1, c, c + 1
//   a range check, lo to hi    lo - 1, lo, hi, hi + 1
//   & mask                     all combinations of the bits of all masks; if they are many, none, each and all of them
//   table[n]                   the indices of the table
// An enumeration has its enumerators, plus the combinations of masks.
//
// The integer is followed through casts, selections and local variables, and into functions of the program. Printing it
// does not count as a use. If it is used in any other way (in arithmetic, stored, returned, compared with a variable),
// it is a number and has no such values.
inline constexpr size_t most_flag_values = 32; // larger sets are thinned out: a search tries each value with its floats

// Collects the floats of a value returned in registers.
bool ir_cells(llvm::Type* type, const llvm::DataLayout& layout, uint64_t offset, std::vector<model::Cell>& cells);

// Collects the scalars of a struct, and what else it contains; false if it contains anything else and `unmade` is null.
bool field_cells(const llvm::DICompositeType& fields, const std::string& prefix, uint64_t offset,
                 std::vector<model::Cell>& cells, std::vector<Unmade>* unmade = nullptr);

// True if the cells are in the first `bytes` of the block; debug information may place them anywhere.
bool are_inside(const std::vector<model::Cell>& cells, uint64_t bytes);

} // namespace faultline::program
