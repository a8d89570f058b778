// Numbers that the program prints, and the lines of its standard output.
#include "run/function_twin.h"

#include <algorithm>

namespace faultline::run {

using llvm::Value;

static constexpr int none = -1;

// A function that prints. Numbers are the floats from `numbers` on.
struct Printer {
  const char* name;
  int stream;  // the argument that is the stream; none: see `is_standard`
  int format;  // of printf, or text that is printed; none
  int numbers; // none: there are no floats
  bool is_standard = false;
  int length = none; // of the text
  bool ends_line = false;
};

namespace {

constexpr Printer printers[] = {
    {"printf", none, 0, 1, true},
    {"__printf_chk", none, 1, 2, true},
    {"fprintf", 0, 1, 2},
    {"__fprintf_chk", 0, 2, 3},
    {"sprintf", none, 1, 2},
    {"__sprintf_chk", none, 3, 4},
    {"snprintf", none, 2, 3},
    {"__snprintf_chk", none, 4, 5},
    {"puts", none, 0, none, true, none, true},
    {"fputs", 1, 0, none},
    {"_ZNSo9_M_insertIdEERSoT_", 0, none, 1},
    {"_ZNSolsEd", 0, none, 1},
    {"_ZNSolsEf", 0, none, 1},
    {"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", 0, 1, none, false, 2},
    {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", 0, 1, none},
    {"_FortranAioOutputReal64", none, none, 1},
    {"_FortranAioOutputReal32", none, none, 1},
    {"_FortranAioOutputComplex64", none, none, 1},
    {"_FortranAioOutputComplex32", none, none, 1},
};

// Functions that print one character: the argument that is the character, and the stream.
struct CharacterPrinter {
  const char* name;
  int character, stream;
};
constexpr CharacterPrinter character_printers[] = {
    {"putchar", 0, none}, {"putc", 0, 1}, {"fputc", 0, 1}, {"_ZNSo3putEc", 1, 0}};

bool is_fortran(llvm::StringRef name) { return name.starts_with("_FortranAio"); }

bool is_cxx(llvm::StringRef name) { return name.starts_with("_Z"); }

// What runs at the call: true if the stream is standard output.
Value* is_standard_output(Builder& builder, llvm::Module& module, Value* stream, bool cxx) {
  const char* name = cxx ? "_ZSt4cout" : "stdout";
  auto* variable = module.getNamedGlobal(name);
  if (!variable)
    return builder.getFalse();
  Value* standard = cxx ? static_cast<Value*>(variable) : builder.CreateLoad(builder.getPtrTy(), variable);
  return builder.CreateICmpEQ(stream, standard);
}

// Fortran's runtime library gets the unit when a statement begins.
int unit_argument(llvm::StringRef name) {
  if (name == "_FortranAioBeginExternalListOutput")
    return 0;
  return name == "_FortranAioBeginExternalFormattedOutput" ? 3 : none;
}

} // namespace

void FunctionTwin::printing(llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return;
  const llvm::StringRef name = callee->getName();
  Builder builder(&call);
  if (const int unit = unit_argument(name); unit != none)
    builder.CreateCall(twin_.entry("faultline_run_statement", builder.getVoidTy(), {builder.getInt32Ty()}),
                       {call.getArgOperand(unsigned(unit))});
  if (name.starts_with("_FortranAioBeginInternal"))
    builder.CreateCall(twin_.entry("faultline_run_statement", builder.getVoidTy(), {builder.getInt32Ty()}),
                       {builder.getInt32(uint32_t(internal_unit))});
  if (name == "_FortranAioEndIoStatement")
    builder.CreateCall(twin_.entry("faultline_run_statement_end", builder.getVoidTy(), {}), {});
  for (const CharacterPrinter& printer : character_printers)
    if (name == printer.name && call.arg_size() > unsigned(printer.character)) {
      Value* standard =
          printer.stream == none
              ? builder.getTrue()
              : is_standard_output(builder, twin_.module(), call.getArgOperand(unsigned(printer.stream)), is_cxx(name));
      builder.CreateCall(
          twin_.entry("faultline_run_character", builder.getVoidTy(), {builder.getInt32Ty(), builder.getInt32Ty()}),
          {builder.CreateZExt(standard, builder.getInt32Ty()),
           builder.CreateSExtOrTrunc(call.getArgOperand(unsigned(printer.character)), builder.getInt32Ty())});
    }
  for (const Printer& printer : printers)
    if (name == printer.name)
      print(builder, call, printer);
}

void FunctionTwin::print(Builder& builder, llvm::CallBase& call, const Printer& printer) {
  const auto argument = [&](int index) { return call.getArgOperand(unsigned(index)); };
  if (int(call.arg_size()) <= std::max({printer.stream, printer.format, printer.length}))
    return;
  llvm::Type *pointer = builder.getPtrTy(), *word = builder.getInt32Ty(), *number = builder.getDoubleTy();
  Value* standard = builder.getInt1(printer.is_standard);
  if (printer.stream != none)
    standard = is_standard_output(builder, twin_.module(), argument(printer.stream), is_cxx(printer.name));
  standard = is_fortran(printer.name) ? builder.getInt32(2) : builder.CreateZExt(standard, word);
  Value* text = printer.format == none ? llvm::ConstantPointerNull::get(builder.getPtrTy()) : argument(printer.format);
  const auto print =
      twin_.entry("faultline_run_print", builder.getVoidTy(), {word, word, pointer, word, number, number});
  for (int i = printer.numbers; i != none && i < int(call.arg_size()); ++i) {
    Value* printed = argument(i);
    if (!is_followed(printed->getType()) || printed->getType()->isVectorTy())
      continue;
    const uint32_t where = site(call, "printed");
    builder.CreateCall(print, {builder.getInt32(where), standard, text, builder.getInt32(uint32_t(i - printer.numbers)),
                               wide(builder, printed), residue(builder, printed)});
  }
  if (printer.format == none)
    return;
  Value* length = printer.length == none ? builder.getInt64(~uint64_t(0)) : argument(printer.length);
  builder.CreateCall(twin_.entry("faultline_run_text", builder.getVoidTy(), {word, pointer, builder.getInt64Ty()}),
                     {standard, text, length});
  if (printer.ends_line)
    builder.CreateCall(twin_.entry("faultline_run_character", builder.getVoidTy(), {word, word}),
                       {standard, builder.getInt32('\n')});
}

} // namespace faultline::run
