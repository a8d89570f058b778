#include "frontend/fpcore/core.h"

#include "frontend/error.h"
#include "frontend/fpcore/operators.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace faultline::frontend::fpcore {
namespace {

using numeric::Format;

std::optional<Format> format_named(const Form& form) {
  const bool in_full = form.head() == "float" && form.items.size() == 3;
  for (const Format format : numeric::all_formats) {
    const numeric::FormatInfo& info = numeric::info(format);
    if (form.is_symbol(info.fpcore_name) || (in_full && form.items[1].text == std::to_string(info.exponent_bits()) &&
                                             form.items[2].text == std::to_string(8 * info.bytes)))
      return format;
  }
  return {};
}

Format format_of(const Form& value, const std::string& file) {
  if (const std::optional<Format> format = format_named(value))
    return *format;
  fail(file, value.place, fmt::format("the precision {} is not supported", shown(value)),
       numeric::list_of(&numeric::FormatInfo::fpcore_name));
}

void check_rounding(const Form& value, const std::string& file) {
  if (!value.is_symbol("nearestEven"))
    fail(file, value.place, fmt::format("rounding {} is not supported", shown(value)),
         "nearestEven, which is what holds where nothing is said");
}

// The name, or the first of NAME_2, NAME_3, ... that nothing else has.
std::string distinct(const std::string& name, std::set<std::string>& taken) {
  std::string own = name;
  for (int other = 2; !taken.insert(own).second; ++other)
    own = fmt::format("{}_{}", name, other);
  return own;
}

class CoreReader {
public:
  CoreReader(const std::string& file) : file_(file) {}

  Core read(const Form& form) {
    Core core;
    core.place = form.place;
    size_t at = 1;
    if (at < form.items.size() && form.items[at].is_symbol() && !form.items[at].is_property())
      core.symbol = form.items[at++].text;
    if (at >= form.items.size() || !form.items[at].is_list())
      fail(file_, form.place, "an FPCore without a list of arguments", "(FPCore name (x y) body)");
    const Form& arguments = form.items[at++];
    std::map<std::string, const Form*> properties;
    core.format = format_of_properties(form.items, at, Format::binary64, file_, &properties);
    if (at + 1 != form.items.size())
      fail(file_, at < form.items.size() ? form.items[at + 1].place : form.place,
           at < form.items.size() ? "something stands behind the body" : "an FPCore without a body",
           "one expression, behind the arguments and properties");
    read_arguments(core, arguments);
    if (const auto found = properties.find(":pre"); found != properties.end())
      core.precondition = *found->second;
    if (const auto found = properties.find(":spec"); found != properties.end())
      core.meaning = *found->second;
    core.body = form.items[at];
    const auto name = properties.find(":name");
    core.name = name_for(core, name == properties.end() ? "" : name->second->text);
    return core;
  }

private:
  void read_arguments(Core& core, const Form& arguments) {
    if (arguments.items.size() > most_arguments)
      fail(file_, arguments.place, fmt::format("more than {} arguments", most_arguments), "a smaller function");
    std::set<std::string> names, c_names;
    for (const Form& one : arguments.items) {
      Argument argument{.name = {}, .c_name = {}, .format = core.format};
      const Form* named = &one;
      if (one.head() == "!") {
        size_t at = 1;
        argument.format = format_of_properties(one.items, at, core.format, file_);
        if (at + 1 != one.items.size())
          refuse_argument(one);
        named = &one.items[at];
      }
      if (!named->is_symbol() || named->is_property())
        refuse_argument(*named);
      argument.name = named->text;
      if (!names.insert(argument.name).second)
        fail(file_, named->place, fmt::format("two arguments are called {}", shown(*named)), "another name for one");
      argument.c_name = distinct(c_name(argument.name), c_names);
      core.arguments.push_back(std::move(argument));
    }
  }

  [[noreturn]] void refuse_argument(const Form& form) {
    fail(file_, form.place, fmt::format("{} is not an argument that can be read", shown(form)),
         form.is_list() ? "tensors are not supported: an argument for each of their numbers" : "a name");
  }

  std::string name_for(const Core& core, const std::string& title) {
    ++count_;
    return distinct(!core.symbol.empty() ? c_name(core.symbol)
                    : !title.empty()     ? c_name(title)
                                         : fmt::format("fpcore_{}", count_),
                    names_);
  }

  const std::string& file_;
  int count_ = 0;
  std::set<std::string> names_;
};

} // namespace

Format format_of_properties(const std::vector<Form>& items, size_t& first, Format outer, const std::string& file,
                            std::map<std::string, const Form*>* others) {
  Format format = outer;
  for (; first < items.size() && items[first].is_property(); first += 2) {
    const Form& name = items[first];
    if (first + 1 >= items.size())
      fail(file, name.place, fmt::format("the property {} has no value", shown(name)), ":precision binary64");
    const Form& value = items[first + 1];
    if (name.text == ":precision")
      format = format_of(value, file);
    else if (name.text == ":round")
      check_rounding(value, file);
    else if (others)
      others->emplace(name.text, &value); // what is said twice holds as it was said first
  }
  return format;
}

std::vector<Core> read_cores(std::string_view text, const std::string& file) {
  const std::vector<Form> forms = read_forms(text, file);
  CoreReader reader(file);
  std::vector<Core> cores;
  for (const Form& form : forms) {
    if (form.head() != "FPCore")
      fail(file, form.place, fmt::format("{} where an FPCore is expected", shown(form)),
           "(FPCore (x) :pre (<= 0 x 1) (- (exp x) 1))");
    if (cores.size() >= most_cores)
      fail(file, form.place, fmt::format("more than {} FPCores", most_cores), "several files");
    cores.push_back(reader.read(form));
  }
  if (cores.empty())
    throw UserError(status_unsuitable, fmt::format("{}: there is no FPCore in it", file),
                    "(FPCore (x) :pre (<= 0 x 1) (- (exp x) 1))");
  return cores;
}

} // namespace faultline::frontend::fpcore
