#include "frontend/fortran/harness_writer.h"

#include "frontend/fortran/choices.h"
#include "frontend/fortran/component_numbers.h"
#include "frontend/fortran/declared.h"
#include "frontend/fortran/extents.h"
#include "frontend/fortran/family.h"
#include "frontend/fortran/harness_text.h"
#include "frontend/fortran/numbers.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

namespace faultline::frontend {
namespace {

const std::string& indent = FortranHarnessText::indent;

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
         const Sizes& sizes, HarnessNote& note)
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
      throw std::invalid_argument("no number comes out of it");
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
      throw std::invalid_argument("it is no number, and nothing that can be made of numbers");
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

  // The argument itself, made in the harness.
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

  // One of the texts that the code compares it with; a blank if it does so with none.
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

  // What a function gives that is no float is not judged if floats are written.
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
  bool judged_ = false;         // some float is given back
  bool skipped_ = false;        // some optional argument is absent: those behind it are passed by their names
  std::set<std::string> taken_; // names
  std::vector<std::string> passed_;
  FortranHarnessText text_;
};

} // namespace

void write_fortran_harness(const FortranProcedure& procedure, const FortranSource& source,
                           const DefinedElsewhere& elsewhere, const Sizes& sizes, HarnessNote& note) {
  note.name = "harness_" + (procedure.module.empty() ? "" : procedure.module + "_") + procedure.name;
  if (!procedure.result.type.may_hold_floats() && std::ranges::none_of(procedure.dummies, takes_float)) {
    note.obstacle = "no float goes into it, and none comes out";
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
    note.obstacle = fmt::format("{}: write a harness, of which faultline harness prints the beginning", problem.what());
  }
  note.parameters.clear();
  note.families.clear();
  note.text = harness_skeleton(procedure, note.name);
}

} // namespace faultline::frontend
