#include "program/discover.h"
#include "program/unit.h"
#include "targets.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <vector>

namespace faultline::fuzz {
namespace {

// Functions whose arguments and results are passed in several ways. Their types are made from the data.
constexpr const char* text = R"(
  target triple = "x86_64-pc-linux-gnu"
  define double @f(ptr %a, double %b, i32 %c, ptr %d) !dbg !4 {
    %v = load double, ptr %a
    %w = getelementptr double, ptr %d, i32 %c
    store double %v, ptr %w
    %r = fsub double %v, %b, !dbg !9
    ret double %r
  }
  define void @g(ptr sret([4 x double]) %a, ptr %b, ptr %c) !dbg !10 {
    ret void
  }
  define { double, <2 x double> } @h(i64 %a, ptr %b) !dbg !13 {
    ret { double, <2 x double> } zeroinitializer
  }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "f.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
  !5 = distinct !DISubroutineType(types: !6)
  !6 = distinct !{null, null, null, null, null}
  !9 = !DILocation(line: 0, scope: !4)
  !10 = distinct !DISubprogram(name: "g", file: !1, line: 4294967295, type: !11, spFlags: DISPFlagDefinition, unit: !0)
  !11 = distinct !DISubroutineType(types: !12)
  !12 = distinct !{null, null, null}
  !13 = distinct !DISubprogram(name: "h", file: !1, line: 0, type: !14, spFlags: DISPFlagDefinition, unit: !0)
  !14 = distinct !DISubroutineType(types: !15)
  !15 = distinct !{null, null, null}
)";

class Bytes {
public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  uint8_t next() { return empty() ? 0 : data_[at_++]; }
  uint64_t number() { // mostly small
    const uint8_t first = next();
    return first < 200 ? first : uint64_t(next()) << (first - 200);
  }

private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

// Types that refer to each other in any way.
class Types {
public:
  Types(llvm::LLVMContext& context, Bytes& bytes, llvm::Metadata* file)
      : context_(context), bytes_(bytes), file_(file) {}

  void make() {
    while (!bytes_.empty() && types_.size() < 64)
      types_.push_back(made());
    while (!bytes_.empty() && !types_.empty()) { // cycles
      auto* node = llvm::cast<llvm::MDNode>(types_[bytes_.next() % types_.size()]);
      llvm::Metadata* with = any();
      if (llvm::isa<llvm::DICompositeType>(node) && bytes_.next() % 2)
        node->replaceOperandWith(elements, llvm::MDTuple::get(context_, {member(with), member(any())}));
      else if (llvm::isa<llvm::DIDerivedType, llvm::DICompositeType>(node))
        node->replaceOperandWith(base_type, with);
    }
  }
  llvm::Metadata* any() { return types_.empty() ? nullptr : types_[bytes_.next() % types_.size()]; }

private:
  static constexpr unsigned base_type = 3, elements = 4; // operands of derived and composite types

  llvm::Metadata* member(llvm::Metadata* type) {
    return llvm::DIDerivedType::getDistinct(context_, llvm::dwarf::DW_TAG_member, name(), file(), 1, nullptr,
                                            llvm::cast_or_null<llvm::DIType>(type), 64, 0, bytes_.number(),
                                            std::nullopt, std::nullopt, llvm::DINode::FlagZero);
  }
  llvm::DIFile* file() const { return llvm::cast<llvm::DIFile>(file_); }
  llvm::StringRef name() {
    constexpr const char* names[] = {"",         "x",        "array<double, 3>", "&[f64]",     "&mut [f64]",
                                     "&mut f64", "data_ptr", "length",           "long double"};
    return names[bytes_.next() % std::size(names)];
  }
  llvm::Metadata* range() {
    auto* count =
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), bytes_.number()));
    return bytes_.next() % 8 == 0 ? nullptr : llvm::DISubrange::get(context_, count, nullptr, nullptr, nullptr);
  }

  llvm::DIType* made() {
    namespace dwarf = llvm::dwarf;
    constexpr unsigned derived[] = {dwarf::DW_TAG_pointer_type,  dwarf::DW_TAG_typedef,
                                    dwarf::DW_TAG_const_type,    dwarf::DW_TAG_reference_type,
                                    dwarf::DW_TAG_volatile_type, dwarf::DW_TAG_restrict_type};
    constexpr unsigned composite[] = {dwarf::DW_TAG_structure_type, dwarf::DW_TAG_class_type, dwarf::DW_TAG_array_type,
                                      dwarf::DW_TAG_enumeration_type, dwarf::DW_TAG_union_type};
    constexpr unsigned encodings[] = {dwarf::DW_ATE_float, dwarf::DW_ATE_signed, dwarf::DW_ATE_unsigned,
                                      dwarf::DW_ATE_boolean, dwarf::DW_ATE_complex_float};
    auto* base = llvm::cast_or_null<llvm::DIType>(any());
    switch (bytes_.next() % 3) {
    case 0:
      return llvm::DIBasicType::getDistinct(context_, dwarf::DW_TAG_base_type, name(), bytes_.number(), 0,
                                            encodings[bytes_.next() % std::size(encodings)], llvm::DINode::FlagZero);
    case 1:
      return llvm::DIDerivedType::getDistinct(context_, derived[bytes_.next() % std::size(derived)], name(), file(), 1,
                                              nullptr, base, 64, 0, 0, std::nullopt, std::nullopt,
                                              llvm::DINode::FlagZero);
    default: {
      const unsigned tag = composite[bytes_.next() % std::size(composite)];
      const bool array = tag == dwarf::DW_TAG_array_type;
      llvm::MDTuple* parts = array ? llvm::MDTuple::get(context_, {range(), range()})
                                   : llvm::MDTuple::get(context_, {member(base), member(any())});
      return llvm::DICompositeType::getDistinct(context_, tag, name(), file(), 1, nullptr, array ? base : nullptr,
                                                bytes_.number(), 0, 0, llvm::DINode::FlagZero, parts, 0, nullptr);
    }
    }
  }

  llvm::LLVMContext& context_;
  Bytes& bytes_;
  llvm::Metadata* file_;
  std::vector<llvm::Metadata*> types_;
};

} // namespace

int fuzz_debug_types(const uint8_t* data, size_t size) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  if (!module)
    throw Broken(problem.getMessage().str());
  Bytes bytes(data, size);
  Types types(context, bytes, module->getFunction("f")->getSubprogram()->getFile());
  types.make();
  for (const llvm::Function& function : *module) {
    auto* tuple = llvm::cast<llvm::MDTuple>(function.getSubprogram()->getType()->getRawTypeArray());
    for (unsigned i = 0; i < tuple->getNumOperands(); ++i)
      tuple->replaceOperandWith(i, types.any());
  }
  if (llvm::verifyModule(*module))
    throw base::UserError(base::status_unsuitable, "not valid");
  for (const llvm::Function& function : *module)
    for (const model::Sizes& sizes : {model::Sizes{}, model::Sizes{{"*", {4}}}, model::Sizes{{"arg1", {3, 5}}}})
      (void)program::discover(function, [&](const model::Target&) { return model::Shapes{sizes, {}}; });
  return 0;
}

} // namespace faultline::fuzz
