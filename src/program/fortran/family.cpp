#include "program/fortran/family.h"

#include "program/fortran/declared.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace faultline::program {
namespace {

constexpr FamilyMember members[] = {{"polynomial", "x*x - 2", "at_*at_ - 2", "2*at_"},
                                    {"sine", "sin(x)", "sin(at_)", "cos(at_)"},
                                    {"constant", "the constant 1", "1", "0"}};

class Family {
public:
  Family(const FortranProcedure& interface, const std::string& prefix) : interface_(interface), prefix_(prefix) {
    for (const FortranEntity& dummy : interface.dummies)
      assign_role(dummy);
    const bool explicitly =
        std::ranges::any_of(interface.dummies, [](const FortranEntity& dummy) { return dummy.has("INTENT(OUT)"); });
    if (!interface.is_function && !array_ && written_.empty() && !explicitly && scalars_.size() > 1) {
      written_.push_back(scalars_.back()); // f(x, y): y is the result
      scalars_.pop_back();
    }
  }

  std::string text() const {
    std::string all;
    for (const FamilyMember& member : members)
      all += interface_.is_function ? function(member) : subroutine(member);
    return all;
  }

private:
  void assign_role(const FortranEntity& dummy) {
    if (!dummy.type.is_float() || dummy.is_procedure || dummy.has("OPTIONAL") || dummy.is_assumed_rank())
      return;
    if (dummy.has("INTENT(OUT)"))
      written_.push_back(&dummy);
    else if (!dummy.is_array())
      scalars_.push_back(&dummy);
    else if (!array_)
      array_ = &dummy;
    else if (!dummy.has("INTENT(IN)"))
      written_.push_back(&dummy);
  }

  // The number of elements: x(*) has none, but an integer argument may have it.
  std::string extent(const FortranEntity& array, size_t dimension) const {
    if (array.shape[dimension].upper != "*")
      return fmt::format("size({},{},8)", array.name, dimension + 1);
    const auto integer = std::ranges::find_if(interface_.dummies, [](const FortranEntity& dummy) {
      return dummy.type.kind == FortranKind::integer && !dummy.is_array() && !dummy.is_procedure;
    });
    return integer == interface_.dummies.end() ? "1_8" : fmt::format("int({},8)", integer->name);
  }

  static std::string element(const FortranEntity& array, const std::vector<std::string>& offsets) {
    std::vector<std::string> subscripts;
    for (size_t i = 0; i < array.shape.size(); ++i)
      subscripts.push_back(fmt::format("lbound({},{})+{}", array.name, i + 1, i < offsets.size() ? offsets[i] : "0"));
    return program::at(array.name, subscripts);
  }

  // The argument of the member, for the row-th value.
  std::string argument(const std::string& row) const {
    std::vector<std::string> terms;
    for (const FortranEntity* scalar : scalars_)
      terms.push_back(scalar->name);
    if (array_)
      terms.push_back(element(*array_, {fmt::format("mod({},{})", row, extent(*array_, 0))}));
    std::string sum = terms.empty() ? "1" : terms.front();
    for (size_t i = 1; i < terms.size(); ++i)
      sum += " + " + terms[i];
    return sum;
  }

  std::string head(const FamilyMember& member) const {
    std::vector<std::string> names;
    for (const FortranEntity& dummy : interface_.dummies)
      names.push_back(dummy.name);
    const bool pure = interface_.attributes.contains("PURE");
    return fmt::format("  {}{} {}_{}({})", pure ? "pure " : "", interface_.is_function ? "function" : "subroutine",
                       prefix_, member.name, listed(names));
  }

  // Declares the loop variables that the body uses.
  std::string with_locals(const std::string& body) const {
    const FortranEntity* first = !scalars_.empty() ? scalars_.front() : array_;
    const std::string type = first                               ? first->type.text
                             : interface_.result.type.is_float() ? interface_.result.type.text
                                                                 : "real(8)";
    std::string text = fmt::format("    {} :: at_\n", type);
    for (const char* loop : {"row_", "column_"})
      if (body.find(loop) != std::string::npos)
        text += fmt::format("    integer(8) :: {}\n", loop);
    return text + body;
  }

  std::string function(const FamilyMember& member) const {
    const FortranEntity& result = interface_.result;
    const bool decision = result.type.kind == FortranKind::logical;
    if ((!result.type.is_float() && !decision) || result.is_deferred())
      throw std::invalid_argument("a function that does not return a number");
    std::string text =
        head(member) + fmt::format(" result({})\n", result.name) + declared_dummies(interface_.dummies, false, "    ");
    FortranEntity plain = result;
    plain.attributes.clear();
    text += "    " + declared_dummy(plain, false) + "\n";
    return text + with_locals(result.shape.size() == 1 ? vector(result, member) : scalar(result, member)) +
           "  end function\n";
  }

  std::string subroutine(const FamilyMember& member) const {
    std::string body;
    for (const FortranEntity* one : written_)
      if (one->is_deferred())
        throw std::invalid_argument("a procedure that returns an allocated array");
      else if (!one->is_array())
        body += scalar(*one, member);
      else if (one->shape.size() == 1)
        body += vector(*one, member);
      else if (one->shape.size() == 2 && array_)
        body += matrix(*one, member);
    return head(member) + "\n" + declared_dummies(interface_.dummies, false, "    ") + with_locals(body) +
           "  end subroutine\n";
  }

  std::string scalar(const FortranEntity& written, const FamilyMember& member) const {
    return fmt::format("    at_ = {}\n    {} = {}\n", argument("0_8"), written.name, value_for(written, member));
  }

  // For a decision, whether the value is above 0.
  static std::string value_for(const FortranEntity& written, const FamilyMember& member) {
    return written.type.kind == FortranKind::logical ? fmt::format("real({}, 8) > 0", member.value) : member.value;
  }

  std::string vector(const FortranEntity& written, const FamilyMember& member) const {
    return fmt::format("    do row_ = 0, {}-1\n      at_ = {}\n      {} = {}\n    end do\n", extent(written, 0),
                       argument("row_"), element(written, {"row_"}), value_for(written, member));
  }

  std::string matrix(const FortranEntity& written, const FamilyMember& member) const {
    const std::string here = element(written, {"row_", "column_"});
    return fmt::format("    do column_ = 0, {}-1\n      do row_ = 0, {}-1\n        at_ = {}\n        {} = 0\n"
                       "        if (mod(row_,{}) == column_) {} = {}\n      end do\n    end do\n",
                       extent(written, 1), extent(written, 0), argument("row_"), here, extent(*array_, 0), here,
                       member.slope);
  }

  const FortranProcedure& interface_;
  const std::string& prefix_;
  std::vector<const FortranEntity*> scalars_, written_;
  const FortranEntity* array_ = nullptr;
};

// Returns the type of the first number in an expression that has one: a name, or a literal such as 1._8.
FortranType type_of(const FortranWords& words, const FortranScope& caller) {
  FortranType integer = fortran_type("INTEGER(4)");
  bool float_literal = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const FortranSymbol* symbol = caller.symbol(words[i]);
    const FortranEntity entity = symbol ? fortran_entity(*symbol) : FortranEntity{};
    if (entity.type.is_float() || (words.size() == 1 && entity.type.kind != FortranKind::none))
      return entity.type;
    if (entity.type.kind == FortranKind::integer)
      integer = entity.type;
    float_literal |= words[i] == ".";
    if (float_literal && words[i].ends_with("_8"))
      return fortran_type("REAL(8)");
  }
  return float_literal ? fortran_type("REAL(4)") : integer;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Translates the bounds to names of the called procedure: variables that the caller passes have a name there. Nothing
// if they use other names.
std::optional<std::string> translated(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_word(text[end]))
      ++end;
    const std::string word = text.substr(i, end - i);
    if (word.empty()) {
      result += text[i++];
      continue;
    }
    const bool is_own = word == "int" || word == "kind" || std::isdigit(static_cast<unsigned char>(word.front()));
    if (!is_own && !names.contains(word))
      return std::nullopt;
    result += is_own ? word : names.at(word);
    i = end;
  }
  return result;
}

std::vector<FortranBounds> translated(const std::vector<FortranBounds>& shape,
                                      const std::map<std::string, std::string>& names) {
  std::vector<FortranBounds> result;
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto lower = translated(shape[i].lower, names), upper = translated(shape[i].upper, names);
    const bool last = i + 1 == shape.size();
    if (!lower || (!upper && !last))
      return {{"", "*"}}; // only the address is known
    result.push_back({*lower, upper && !upper->empty() ? *upper : "*"});
  }
  return result;
}

} // namespace

std::span<const FamilyMember> family_members() { return members; }

FortranProcedure called_interface(const FortranEntity& dummy, const std::vector<FortranWords>& arguments,
                                  const FortranScope& caller) {
  FortranProcedure interface {
    .name = dummy.name, .module = {}, .is_function = dummy.is_function, .attributes = {}, .dummies = {}, .result = {}
  };
  interface.result = {.name = "value_", .type = dummy.type, .shape = {}, .attributes = {}};
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].size() == 1)
      names.emplace(arguments[i].front(), fmt::format("x{}", i + 1));
  for (size_t i = 0; i < arguments.size(); ++i) {
    FortranEntity argument{
        .name = fmt::format("x{}", i + 1), .type = type_of(arguments[i], caller), .shape = {}, .attributes = {}};
    const FortranSymbol* symbol = arguments[i].empty() ? nullptr : caller.symbol(arguments[i].front());
    const FortranEntity actual = symbol ? fortran_entity(*symbol) : FortranEntity{};
    const bool element = arguments[i].size() > 1 && arguments[i][1] == "(" && actual.is_array();
    if (arguments[i].size() == 1)
      argument.shape = translated(actual.shape, names);
    else if (!element)
      argument.attributes.insert("INTENT(IN)"); // an expression cannot be assigned to
    interface.dummies.push_back(std::move(argument));
  }
  return interface;
}

std::string family_text(const FortranProcedure& interface, const std::string& prefix) {
  return Family(interface, prefix).text();
}

} // namespace faultline::program
