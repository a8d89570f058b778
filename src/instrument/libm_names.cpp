#include "instrument/libm_names.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/Twine.h>

namespace faultline::instrument {

using ops::Op;

namespace {

// libm's names are the operations' names but for these.
constexpr std::pair<const char*, Op> other_names[] = {
    {"fma", Op::fma},
    {"drem", Op::remainder},
    {"remquo", Op::remainder}, // the quotient stays the machine's
    {"scalbn", Op::ldexp},
    {"scalbln", Op::ldexp},
    {"nearbyint", Op::rint},
    {"gamma", Op::lgamma},
    {"cabs", Op::hypot},
    {"pow10", Op::exp10},
    {"lrint", Op::to_int_rint},
    {"llrint", Op::to_int_rint},
    {"lround", Op::to_int_round},
    {"llround", Op::to_int_round},
    {"fmaximum_num", Op::fmax},
    {"fminimum_num", Op::fmin},
};

// Operations that are no function of C, or one of another form.
bool has_another_form(Op op) {
  switch (op) {
  case Op::fneg:
  case Op::fpext:
  case Op::fptrunc:
  case Op::round_add:
  case Op::round_sub:
  case Op::round_fma:
  case Op::powi:
  case Op::frexp:
  case Op::modf:
  case Op::modulo:
  case Op::erfcx:
    return true;
  default:
    return ops::is_decision(op) || ops::is_complex_part(op);
  }
}

void add_fortran(llvm::StringMap<Op>& map) {
  constexpr std::pair<const char*, Op> names[] = {
      {"ModReal", Op::fmod}, {"ModuloReal", Op::modulo}, {"Scale", Op::ldexp}, {"ErfcScaled", Op::erfcx}};
  for (const char* kind : {"4", "8", "10"}) {
    for (auto [name, op] : names)
      map[("_FortranA" + llvm::Twine(name) + kind).str()] = op;
    for (const char* integer : {"i", "k"})
      map[(llvm::Twine("_FortranAFPow") + kind + integer).str()] = Op::powi;
  }
}

llvm::StringMap<Op> all_names() {
  llvm::StringMap<Op> map;
  auto add = [&map](llvm::StringRef name, Op op) {
    for (const char* format : {"", "f", "l"})
      map[(name + format).str()] = op;
  };
  for (int i = int(Op::sqrt); i < ops::operation_count; ++i)
    if (!has_another_form(Op(i)))
      add(llvm::StringRef(ops::name(Op(i))), Op(i));
  for (auto [name, op] : other_names)
    add(name, op);
  for (const char* format : {"", "f", "l"})
    map[(llvm::Twine("lgamma") + format + "_r").str()] = Op::lgamma; // the sign stays the machine's
  add_fortran(map);
  return map;
}

} // namespace

Op operation_named(llvm::StringRef name) {
  static const llvm::StringMap<Op> names = all_names();
  return names.lookup(name);
}

} // namespace faultline::instrument
