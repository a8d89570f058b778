#include "program/fortran/harness_writer.h"

#include "program/compile.h"
#include "program/fortran/declared.h"
#include "program/fortran/family.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <stdexcept>
#include <vector>

namespace faultline::program {

namespace {

// The parts of the text of a Fortran harness.
struct FortranHarnessText {
  static inline const std::string indent = "    "; // of lines in the parts

  std::vector<std::string> parameters = {}; // names
  std::string declarations = {}, locals = {}, before = {}, call = {}, after = {};
  std::string families = {}; // the passed procedures
  std::string result = {};   // the type of `returned`, if the harness is a function
  size_t loops = 0;          // nesting depth

  std::string whole(const FortranProcedure& procedure, const std::string& name) const;
};

// Returns the interface that a caller of an external procedure needs.
std::string interface_block(const FortranProcedure& procedure) {
  const std::string outer = FortranHarnessText::indent, inner = outer + "    ";
  std::vector<std::string> dummies;
  for (const FortranEntity& dummy : procedure.dummies)
    dummies.push_back(dummy.name);
  const char* kind = procedure.is_function ? "function" : "subroutine";
  const bool other_name = procedure.is_function && procedure.result.name != procedure.name;
  std::string text =
      fmt::format("{0}interface\n{0}  {1}{2} {3}({4}){5}\n{6}import\n", outer,
                  procedure.attributes.contains("ELEMENTAL") ? "elemental " : "", kind, procedure.name, listed(dummies),
                  other_name ? fmt::format(" result({})", procedure.result.name) : "", inner);
  text += declared_dummies(procedure.dummies, true, inner);
  if (procedure.is_function)
    text += inner + declared_dummy(procedure.result, false) + "\n";
  return text + fmt::format("{0}  end {1}\n{0}end interface\n", outer, kind);
}

// Returns the use statements for the types of an external procedure.
std::string uses(const FortranProcedure& procedure) {
  std::set<std::string> all;
  std::vector<FortranEntity> entities = procedure.dummies;
  entities.push_back(procedure.result);
  for (const FortranEntity& entity : entities)
    if (const std::string use = FortranNames::use_of(entity.type.name, *procedure.scope); !use.empty())
      all.insert(use);
  std::string text;
  for (const std::string& use : all)
    text += fmt::format("  use {}\n", use);
  return text;
}

std::string FortranHarnessText::whole(const FortranProcedure& procedure, const std::string& name) const {
  const bool external = procedure.module.empty();
  std::string all = external ? fmt::format("module of_{}\n{}", name, uses(procedure))
                             : fmt::format("submodule ({}) of_{}\n", procedure.module, name);
  const char* kind = result.empty() ? "subroutine" : "function";
  all += fmt::format("  implicit none\ncontains\n  {} {}({}) bind(c){}\n{}", kind, name, listed(parameters),
                     result.empty() ? "" : " result(returned)", declarations);
  if (!result.empty())
    all += fmt::format("{}{} :: returned\n", indent, result);
  if (external)
    all += interface_block(procedure);
  all += locals;
  for (size_t i = 1; i <= loops; ++i)
    all += fmt::format("{}integer(8) :: i{}\n", indent, i);
  return all + before + call + after + fmt::format("  end {}\n", kind) + families +
         fmt::format("end {}\n", external ? "module" : "submodule");
}

// Returns an incomplete harness for the user to fill in, for a procedure that cannot be called otherwise.
std::string harness_skeleton(const FortranProcedure& procedure, const std::string& name) {
  FortranHarnessText text;
  std::vector<std::string> passed;
  for (const FortranEntity& dummy : procedure.dummies) {
    passed.push_back(dummy.name);
    FortranEntity variable = dummy;
    if (dummy.type.is_number() && dummy.type.bytes <= 10 && !dummy.is_array() && !dummy.is_procedure) {
      text.parameters.push_back(dummy.name);
      variable.attributes = {"INTENT(IN)"};
      text.declarations += FortranHarnessText::indent + declared_dummy(variable, false) + "\n";
    } else {
      variable.attributes.clear();
      text.locals += FortranHarnessText::indent + declared_dummy(variable, false) + " ! fill in\n";
    }
  }
  text.result = "real(8)";
  text.call = fmt::format("{}{} {}({}){}\n", FortranHarnessText::indent, procedure.is_function ? "returned =" : "call",
                          procedure.name, listed(passed), procedure.is_function ? " ! if it is a number" : "");
  if (!procedure.is_function)
    text.after = FortranHarnessText::indent + "returned = 0 ! fill in\n";
  return text.whole(procedure, name);
}

// The length of a chain of procedures that pass on their argument: MINPACK's have two. It also bounds cycles.
constexpr int longest_chain = 8;

FortranProcedure followed(const FortranEntity& dummy, const FortranProcedure& procedure, const FortranSource& source,
                          const DefinedElsewhere& elsewhere, int steps) {
  const FortranNames names = source.names();
  if (auto declared = names.interface_of(dummy, procedure))
    return *declared;
  const FortranBody& body = source.body_of(procedure);
  if (const auto arguments = body.arguments_of_call(dummy.name); !arguments.empty())
    return called_interface(dummy, arguments, *procedure.scope);
  std::string last;
  for (const FortranBody::PassedOn& place : body.passed_on(dummy.name)) {
    last = place.procedure;
    for (const std::string& module : {procedure.module, std::string()}) {
      const FortranSource* there = &source;
      auto next = names.procedure(module, place.procedure);
      if (!next && module.empty() && (there = elsewhere(place.procedure)))
        next = there->names().procedure("", place.procedure);
      if (next && place.argument < next->dummies.size() && steps < longest_chain)
        return followed(next->dummies[place.argument], *next, *there, elsewhere, steps + 1);
    }
  }
  throw std::invalid_argument(last.empty() ? "its interface is unknown"
                                           : fmt::format("it is passed on to {}, which is not in the program", last));
}

} // namespace

const FortranBody& FortranSource::body_of(const FortranProcedure& procedure) const {
  static const FortranBody none;
  const auto found = bodies.find(body_key(procedure.module, procedure.name));
  return found == bodies.end() ? none : found->second;
}

FortranBody::Use FortranSource::use_of(const FortranEntity& dummy, const FortranProcedure& procedure) const {
  if (dummy.has("INTENT(IN)") || dummy.has("VALUE"))
    return {true, false};
  if (dummy.has("INTENT(OUT)"))
    return {false, true};
  if (dummy.has("INTENT(INOUT)"))
    return {true, true};
  const FortranBody::Use use = body_of(procedure).use_of(dummy.name, dummy.is_array());
  return use.read || use.written ? use : FortranBody::Use{true, false};
}

FortranSource read_fortran(const std::string& file, const std::vector<std::string>& flags, const Compilation& how) {
  const CompilerRun symbols = run_fortran_reader("-fdebug-dump-symbols", file, flags, how);
  const CompilerRun text = run_fortran_reader("-fdebug-unparse", file, flags, how);
  if (!symbols.succeeded() || !text.succeeded())
    return {};
  return {read_symbol_dump(symbols.output), fortran_bodies(text.output)};
}

FortranProcedure interface_of(const FortranEntity& dummy, const FortranProcedure& procedure,
                              const FortranSource& source, const DefinedElsewhere& elsewhere) {
  return followed(dummy, procedure, source, elsewhere, 0);
}

namespace {

// The numbers of a variable of a derived type: one parameter of the harness for each component.
struct ComponentNumbers {
  std::vector<FortranNumbers> all;
  std::string before; // preparation: arrays are allocated, texts are blanked
};

const std::string& indent = FortranHarnessText::indent;

void allocate(const FortranComponent& component, const FortranNumbers& whole, const FortranExtents& extents,
              FortranNumbers& numbers, std::string& before) {
  if (!whole.extents.empty())
    throw std::invalid_argument(fmt::format("its component {} is allocatable", component.shown.substr(1)));
  const auto given = extents.of(numbers.of, component.rank);
  if (!given || given->size() != component.rank)
    throw FreeLength{needs_size(numbers.of, component.rank)};
  numbers.variable = whole.variable + component.places.front();
  numbers.before = numbers.of;
  numbers.places = {""};
  numbers.extents = *given;
  numbers.first.assign(given->size(), 1);
  numbers.may_differ = true;
  before += fmt::format("{}allocate({})\n", indent, at(numbers.variable, texts_of(*given)));
}

// Throws std::invalid_argument for unsupported formats: real(16), real(2), ...
void check_format(const FortranType& type) {
  if (type.is_float() && type.bytes != 4 && type.bytes != 8 && type.bytes != 10)
    throw std::invalid_argument(
        fmt::format("{} is not supported: real(4), real(8) and real(10) are, and complex numbers of them", type.text));
}

// `whole` is the variable. Throws FreeLength, and std::invalid_argument with the reason if a component cannot be made.
ComponentNumbers component_numbers(const FortranType& type, const FortranNumbers& whole, const FortranNames& names,
                                   const FortranScope& where, const FortranExtents& extents) {
  ComponentNumbers made;
  for (const FortranComponent& component : components_of(type, names, where)) {
    for (const std::string& place : component.places)
      if (component.type.kind == FortranKind::character)
        made.before += in_loops(texts_of(whole.extents), indent, [&](const std::vector<std::string>& subscripts) {
          return fmt::format("{}{} = ' '", at(whole.variable, subscripts), place);
        });
    if (component.type.kind == FortranKind::character)
      continue;
    check_format(component.type);
    FortranNumbers numbers = whole;
    numbers.parameter = fmt::format("{}_{}", whole.parameter, component.name);
    numbers.type = component.type;
    numbers.places = component.places;
    numbers.as_float = false;
    if (whole.extents.empty())
      numbers.of = whole.of + component.shown; // otherwise --size applies to the whole
    if (component.rank > 0)
      allocate(component, whole, extents, numbers, made.before);
    made.all.push_back(std::move(numbers));
  }
  return made;
}

// An argument that is not a number but is selected by one: a text or a procedure.
struct FortranChoice {
  std::string parameter;             // of the harness: 0, 1, ...; other values mean 0
  std::vector<std::string> meanings; // 'U', sin(x)

  std::string declaration() const { return fmt::format("integer(4), intent(in) :: {}", parameter); }

  NamedParameter named() const {
    return {.name = parameter,
            .before = parameter,
            .between = {},
            .after = {},
            .extents = {},
            .leaves = {""},
            .of = parameter,
            .choices = meanings};
  }

  // "uplo: 0 is 'U', 1 is 'L'".
  std::string explained() const {
    std::string text = parameter;
    for (size_t i = 0; i < meanings.size(); ++i)
      text += fmt::format("{} {} is {}", i == 0 ? ":" : ",", i, meanings[i]);
    return text;
  }

  // One statement per choice.
  std::string made(const std::vector<std::string>& statements, const std::string& indent) const {
    std::string text = fmt::format("{}select case ({})\n", indent, parameter);
    for (size_t i = 1; i < statements.size(); ++i)
      text += fmt::format("{0}case ({1})\n{0}  {2}\n", indent, i, statements[i]);
    return text + fmt::format("{0}case default\n{0}  {1}\n{0}end select\n", indent, statements.front());
  }
};

void check_result(const FortranEntity& result) {
  const FortranKind kind = result.type.kind;
  if (kind == FortranKind::character || kind == FortranKind::none || result.is_procedure)
    throw std::invalid_argument("it returns no number");
  check_format(result.type);
}

bool takes_float(const FortranEntity& dummy) { return !dummy.is_procedure && dummy.type.may_hold_floats(); }

class Writer {
public:
  Writer(const FortranProcedure& procedure, const FortranSource& source, const DefinedElsewhere& elsewhere,
         const model::Sizes& sizes, HarnessNote& note)
      : procedure_(procedure), source_(source), names_(source.names()), elsewhere_(elsewhere),
        extents_(procedure, sizes), note_(note) {
    for (const FortranEntity& dummy : procedure.dummies)
      taken_.insert(dummy.name);
    taken_.insert({procedure.name, "returned"});
    judged_ = procedure.result.type.may_hold_floats() ||
              std::ranges::any_of(procedure.dummies, [&](const FortranEntity& dummy) {
                return takes_float(dummy) && source.use_of(dummy, procedure).written;
              });
  }

  void write() {
    for (const FortranEntity& dummy : procedure_.dummies)
      add(dummy);
    call();
    if (text_.result.empty() && std::ranges::none_of(note_.parameters, &NamedParameter::written))
      throw std::invalid_argument("it has no numeric result");
    note_.text = text_.whole(procedure_, note_.name);
  }

private:
  std::string unused(std::string name) {
    while (!taken_.insert(name).second)
      name += "_";
    return name;
  }

  void pass(const FortranEntity& dummy, const std::string& actual) {
    passed_.push_back(skipped_ ? fmt::format("{}={}", dummy.name, actual) : actual);
  }

  void add(const FortranEntity& dummy) {
    try {
      if (dummy.is_procedure)
        procedure_argument(dummy);
      else if (dummy.type.kind == FortranKind::character)
        text_argument(dummy);
      else
        data_argument(dummy);
    } catch (const FreeLength& free) {
      if (!dummy.has("OPTIONAL"))
        throw;
      skipped_ = true; // it is absent
    } catch (const std::invalid_argument& problem) {
      if (!dummy.has("OPTIONAL"))
        throw std::invalid_argument(fmt::format("'{}': {}", dummy.name, problem.what()));
      skipped_ = true;
    }
  }

  void data_argument(const FortranEntity& dummy) {
    check_format(dummy.type);
    if (dummy.type.kind == FortranKind::none || dummy.is_assumed_rank())
      throw std::invalid_argument("it is neither a number nor made from numbers");
    std::vector<uint64_t> extents;
    const FortranBody::Use use = source_.use_of(dummy, procedure_);
    const bool made = dummy.is_deferred() && !use.read;
    if (made)
      extents = extents_.of_made(dummy, dummy.name);
    else if (dummy.is_array())
      extents = wanted(dummy);
    FortranNumbers numbers{.parameter = dummy.name,
                           .variable = dummy.name,
                           .type = dummy.type,
                           .extents = extents,
                           .first = first_subscripts(dummy, extents.size()),
                           .read = use.read,
                           .written = use.written,
                           .may_differ = dummy.is_deferred(),
                           .of = dummy.name,
                           .before = dummy.name};
    for (const FortranBounds& bounds : dummy.shape)
      numbers.declared_lengths.push_back(bounds.length());
    const bool plain = dummy.type.is_number() && !dummy.is_deferred();
    numbers.as_float = !judged_ && use.written && !use.read && !dummy.type.is_float();
    if (plain && !numbers.as_float) {
      take(numbers);
      return pass(dummy, dummy.name);
    }
    numbers.variable = variable(dummy, extents, made);
    if (dummy.type.kind == FortranKind::derived)
      derived(dummy, numbers);
    else
      copied(numbers);
    pass(dummy, numbers.variable);
  }

  std::vector<uint64_t> wanted(const FortranEntity& array) const {
    const auto extents = extents_.of(array);
    if (!extents)
      throw FreeLength{needs_size(array.name, array.shape.size())};
    return *extents;
  }

  // Declares the variable of the argument in the harness.
  std::string variable(const FortranEntity& dummy, const std::vector<uint64_t>& extents, bool made) {
    const std::string name = unused(dummy.name + "_value");
    const std::string type = dummy.type.polymorphic ? fmt::format("type({})", dummy.type.name) : dummy.type.text;
    const std::vector<std::string> dimensions = texts_of(extents);
    if (!dummy.is_deferred()) {
      text_.locals += fmt::format("{}{} :: {}\n", indent, type, at(name, dimensions));
      return name;
    }
    text_.locals += fmt::format("{}{}, {} :: {}\n", indent, type, dummy.has("POINTER") ? "pointer" : "allocatable",
                                at(name, std::vector<std::string>(extents.size(), ":")));
    if (!made)
      text_.before += fmt::format("{}allocate({})\n", indent, at(name, dimensions));
    return name;
  }

  void take(const FortranNumbers& numbers) {
    text_.parameters.push_back(numbers.parameter);
    text_.declarations += indent + numbers.declaration() + "\n";
    note_.parameters.push_back(numbers.named());
  }

  void copied(const FortranNumbers& numbers) {
    take(numbers);
    if (numbers.read)
      text_.before += numbers.filled(indent);
    if (numbers.written)
      text_.after += numbers.taken(indent);
    text_.loops = std::max(text_.loops, numbers.extents.size());
  }

  void derived(const FortranEntity& entity, const FortranNumbers& whole) {
    ComponentNumbers components = component_numbers(entity.type, whole, names_, *procedure_.scope, extents_);
    text_.before += components.before;
    for (FortranNumbers& numbers : components.all) {
      numbers.parameter = unused(numbers.parameter);
      copied(numbers);
    }
  }

  void choose(const FortranChoice& choice, const std::vector<std::string>& statements) {
    text_.parameters.push_back(choice.parameter);
    text_.declarations += indent + choice.declaration() + "\n";
    text_.before += choice.made(statements, indent);
    note_.parameters.push_back(choice.named());
    note_.families.push_back(choice.explained());
  }

  // Selects a text that the code compares the argument with; blanks if there is none.
  void text_argument(const FortranEntity& dummy) {
    constexpr size_t most = 8; // a guess: LAPACK's options have up to five
    std::vector<std::string> texts = source_.body_of(procedure_).texts_compared_with(dummy.name);
    if (texts.empty())
      texts.emplace_back(" ");
    texts.resize(std::min(texts.size(), most));
    FortranEntity value = dummy;
    if (!dummy.type.has_fixed_length())
      value.type.text = dummy.is_deferred()
                            ? "character(:)"
                            : fmt::format("character({})", std::ranges::max(texts, {}, &std::string::size).size());
    const std::string name = variable(value, dummy.is_array() ? wanted(dummy) : std::vector<uint64_t>{}, true);
    FortranChoice choice{.parameter = dummy.name, .meanings = {}};
    std::vector<std::string> statements;
    for (const std::string& text : texts) {
      choice.meanings.push_back(fmt::format("'{}'", text));
      statements.push_back(fmt::format("{} = {}", name, fortran_text(text)));
    }
    if (texts.size() > 1)
      choose(choice, statements);
    else
      text_.before += indent + statements.front() + "\n";
    pass(dummy, name);
  }

  void procedure_argument(const FortranEntity& dummy) {
    const FortranProcedure interface = interface_of(dummy, procedure_, source_, elsewhere_);
    const std::string prefix = fmt::format("{}_{}", note_.name, dummy.name), name = unused(dummy.name + "_value");
    text_.families += family_text(interface, prefix);
    text_.locals += fmt::format("{}procedure({}_constant), pointer :: {}\n", indent, prefix, name);
    std::vector<std::string> statements, meanings;
    for (const FamilyMember& member : family_members()) {
      statements.push_back(fmt::format("{} => {}_{}", name, prefix, member.name));
      meanings.emplace_back(member.meaning);
    }
    choose({.parameter = dummy.name, .meanings = meanings}, statements);
    pass(dummy, name);
  }

  // Writes the call. Results that are not floats are not judged if floats are written.
  void call() {
    const std::string called = fmt::format("{}({})", procedure_.name, listed(passed_));
    if (!procedure_.is_function) {
      text_.call = fmt::format("{}call {}\n", indent, called);
      return;
    }
    const FortranEntity& result = procedure_.result;
    check_result(result);
    const bool number = !result.type.may_hold_floats() || result.type.kind == FortranKind::real;
    if (number && !result.is_array()) {
      const bool decision = result.type.kind == FortranKind::logical;
      text_.call = fmt::format("{}returned = {}\n", indent, decision ? fmt::format("merge(1, 0, {})", called) : called);
      text_.result = decision ? "integer(4)" : result.type.text;
      if (!judged_ && !result.type.may_hold_floats())
        text_.result = "real(8)"; // so that it is judged
      return;
    }
    FortranNumbers numbers{.parameter = "returned",
                           .variable = {},
                           .type = result.type,
                           .read = false,
                           .written = true,
                           .as_float = !result.type.may_hold_floats(), // decisions
                           .of = "return",
                           .before = "return"};
    if (result.is_array()) {
      numbers.extents = extents_.of_made(result, "return");
      numbers.first = first_subscripts(result, numbers.extents.size());
      numbers.may_differ = true;
    }
    FortranEntity value = result;
    value.name = "returned";
    value.attributes = {result.is_array() ? "ALLOCATABLE" : ""};
    numbers.variable = variable(value, numbers.extents, true);
    text_.call = fmt::format("{}{} = {}\n", indent, numbers.variable, called);
    if (result.type.kind == FortranKind::derived)
      derived(value, numbers);
    else if (!numbers.as_float || !judged_)
      copied(numbers);
  }

  const FortranProcedure& procedure_;
  const FortranSource& source_;
  FortranNames names_;
  const DefinedElsewhere& elsewhere_;
  FortranExtents extents_;
  HarnessNote& note_;
  bool judged_ = false;         // true if a float is an output
  bool skipped_ = false;        // true if an optional argument is absent: those after it are passed by keyword
  std::set<std::string> taken_; // used names
  std::vector<std::string> passed_;
  FortranHarnessText text_;
};

} // namespace

void write_fortran_harness(const FortranProcedure& procedure, const FortranSource& source,
                           const DefinedElsewhere& elsewhere, const model::Sizes& sizes, HarnessNote& note) {
  note.name = "harness_" + (procedure.module.empty() ? "" : procedure.module + "_") + procedure.name;
  if (!procedure.result.type.may_hold_floats() && std::ranges::none_of(procedure.dummies, takes_float)) {
    note.obstacle = "it has no floating-point input or output";
    return;
  }
  note.misread = std::ranges::any_of(procedure.dummies, [](const FortranEntity& dummy) {
    return dummy.is_procedure || !(dummy.type.is_number() || dummy.type.kind == FortranKind::logical);
  });
  try {
    Writer(procedure, source, elsewhere, sizes, note).write();
    return;
  } catch (const FreeLength& free) {
    note.obstacle = free.text;
    note.needs_size = true;
  } catch (const std::invalid_argument& problem) {
    note.obstacle = fmt::format("{}: write a harness; faultline harness prints one to complete", problem.what());
  }
  note.parameters.clear();
  note.families.clear();
  note.text = harness_skeleton(procedure, note.name);
}

} // namespace faultline::program
