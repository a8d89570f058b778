#include "frontend/fpcore/file.h"

#include "frontend/error.h"
#include "frontend/fpcore/meaning_text.h"
#include "frontend/fpcore/number.h"
#include "frontend/fpcore/precondition.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <set>

namespace faultline::frontend::fpcore {
namespace {

constexpr size_t largest_source = size_t(64) << 20; // bytes, of all functions together

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), std::streamsize(text.size()));
  if (stream.bad() || !stream.is_open())
    throw UserError(status_usage, fmt::format("{}: cannot be read", file), "a file you may read");
  text.resize(size_t(stream.gcount()));
  return text;
}

// As a text of C: whatever is not plain is written in octal.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (const auto byte = static_cast<unsigned char>(c);
        byte < 0x20 || byte > 0x7e || c == '"' || c == '\\' || c == '?')
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  return out;
}

void collect_heads(const Form& form, std::set<std::string>& heads) {
  if (!form.head().empty())
    heads.emplace(form.head());
  for (const Form& item : form.items)
    collect_heads(item, heads);
}

std::vector<std::string> ranges_of(const Core& core, const std::string& file) {
  std::vector<std::string> ranges;
  for (const ArgumentRange& range : precondition_of(core).ranges) {
    if (!(range.low <= range.high))
      fail(file, core.precondition->place, fmt::format("no {} is within the precondition", range.argument),
           "(<= LOW x HIGH)");
    for (const Argument& argument : core.arguments)
      if (argument.c_name == range.argument)
        ranges.push_back(fmt::format("{}={}:{}", range.argument, decimal_text(range.low, argument.format),
                                     decimal_text(range.high, argument.format)));
  }
  return ranges;
}

} // namespace

bool is_fpcore(const std::string& file) { return file.ends_with(".fpcore"); }

std::string c_source(const std::string& file, Preconditions preconditions) {
  return c_source_of(content_of(file), file, preconditions);
}

std::vector<FunctionSaid> said_in(const std::string& file) { return said_in_text(content_of(file), file); }

std::string c_source_of(std::string_view text, const std::string& file, Preconditions preconditions) {
  const std::vector<Core> cores = read_cores(text, file);
  std::set<std::string> heads;
  for (const Core& core : cores)
    collect_heads(core.body, heads);
  std::string source = fmt::format("#line 1 \"{}\"\nvoid {}(void);\n", quoted(file), precondition_handler);
  Callables earlier;
  for (const Core& core : cores) {
    const bool is_called = !core.symbol.empty() && heads.contains(core.symbol) && !find_operator(core.symbol);
    const FunctionText written = function_text(core, earlier, is_called, preconditions, file);
    source += written.text;
    if (source.size() > largest_source)
      fail(file, core.place, fmt::format("more than {} MiB of C", largest_source >> 20),
           "shorter lines, or several files");
    if (is_called)
      earlier.emplace(core.symbol, Callable{&core, written.result});
  }
  return source;
}

std::vector<FunctionSaid> said_in_text(std::string_view text, const std::string& file) {
  const std::vector<Core> cores = read_cores(text, file);
  std::vector<FunctionSaid> all;
  for (const Core& core : cores) {
    FunctionSaid said{core.name, core.place.line, ranges_of(core, file), "", !precondition_of(core).rest.empty()};
    Meaning meaning = meaning_of(core, cores);
    said.meaning = std::move(meaning.text);
    if (!meaning.obstacle.empty())
      said.remarks.push_back(
          fmt::format("{}: its :spec is not used, as a meaning cannot express {}", core.name, meaning.obstacle));
    all.push_back(std::move(said));
  }
  return all;
}

} // namespace faultline::frontend::fpcore
