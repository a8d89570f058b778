#include "frontend/compiling/flag_filter.h"

#include "frontend/compiling/flag_rules.h"
#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>

namespace faultline::frontend {
namespace {

// Bitcode and assembly are not read by the compiler, where no guard is (frontend/reading/reader_guard.h).
constexpr std::string_view languages[] = {"c", "c++", "none", "f77", "f77-cpp-input", "f95", "f95-cpp-input"};

// What becomes of a flag that is neither kept nor dropped.
enum class Unusual : uint8_t { refused, taken, left_out };

class Filter {
public:
  Filter(const std::vector<std::string>& flags, const std::string& file, Unusual unusual)
      : flags_(flags), file_(file), unusual_(unusual) {}

  BuildFlags run() {
    while (at_ < flags_.size())
      one();
    return std::move(result_);
  }

private:
  struct Flag {
    std::vector<std::string> words; // one, or the flag and its value
    std::optional<std::string> value;
  };

  void one() {
    const std::string& word = flags_[at_];
    const FlagRule rule = rule_for(word);
    const Flag flag = next(rule);
    if (word.starts_with("@") && word.ends_with(".modmap"))
      return; // CMake's, of C++20's modules
    if (!std::ranges::all_of(flag.words, is_read_as_it_stands))
      unusual(flag);
    else if (rule.name == "-Wp,")
      for_preprocessor(flag);
    else if (rule.name == "-Xclang" || rule.name == "-Xpreprocessor")
      for_part_of_compiler(flag);
    else if (rule.use == FlagUse::drop)
      return;
    else if (rule.use == FlagUse::refuse || !is_ordinary(rule, flag))
      unusual(flag);
    else if (rule.name == "-J" || rule.name == "-module-dir" || rule.name == "-include")
      take_in_other_words(rule, flag);
    else
      take(flag.words);
  }

  Flag next(const FlagRule& rule) {
    const std::string& word = flags_[at_++];
    Flag flag{{word}, {}};
    if (rule.shape == FlagShape::separate || (rule.shape == FlagShape::either && word == rule.name)) {
      if (at_ < flags_.size()) {
        flag.value = flags_[at_++];
        flag.words.push_back(*flag.value);
      }
    } else if (rule.shape != FlagShape::alone) {
      flag.value = word.substr(rule.name.size());
    }
    return flag;
  }

  // Compilers put the words of a file in the place of @FILE, wherever it stands, and see nothing behind a zero byte.
  static bool is_read_as_it_stands(const std::string& word) {
    return !word.starts_with("@") && word.find('\0') == std::string::npos;
  }

  static bool is_ordinary(const FlagRule& rule, const Flag& flag) {
    if (rule.shape == FlagShape::alone)
      return true;
    if (!flag.value)
      return false; // the last word, without its value
    if (rule.name == "-x")
      return std::ranges::find(languages, *flag.value) != std::end(languages);
    if (rule.name == "-target" || rule.name == "--target=")
      return flag.value->starts_with("x86_64");
    return true;
  }

  // A value becomes a word of its own, or a word ends where a value was empty: neither may be read as something else.
  void take_in_other_words(const FlagRule& rule, const Flag& flag) {
    if (flag.value->empty() || !is_read_as_it_stands(*flag.value))
      unusual(flag);
    else if (rule.name == "-include")
      include(*flag.value);
    else
      take({"-I" + *flag.value});
  }

  // By the front end's own option: the driver's would take HEADER.pch, where there is one, for HEADER.
  void include(const std::string& header) { take({"-Xclang", "-include", "-Xclang", header}); }

  // What CMake makes of a precompiled header for Clang (which it names as such, and as the text that it was made from),
  // and of OpenMP for Apple's compiler.
  void for_part_of_compiler(const Flag& flag) {
    const bool has_file = at_ + 1 < flags_.size() && flags_[at_] == "-Xclang" && !flags_[at_ + 1].starts_with("-") &&
                          is_read_as_it_stands(flags_[at_ + 1]);
    if (flag.value == "-fopenmp")
      return take({*flag.value});
    if (!has_file || (flag.value != "-include" && flag.value != "-include-pch"))
      return unusual(flag);
    if (flag.value == "-include")
      include(flags_[at_ + 1]);
    at_ += 2;
  }

  // -Wp,-D_FORTIFY_SOURCE=3,-MD,FILE
  void for_preprocessor(const Flag& flag) {
    const std::string& parts = *flag.value;
    const auto end_of = [&](size_t from) { return std::min(parts.find(',', from), parts.size()); };
    for (size_t from = 0; from < parts.size();) {
      const std::string part = parts.substr(from, end_of(from) - from);
      from = end_of(from) + 1;
      if (part.size() > 2 && (part.starts_with("-D") || part.starts_with("-U")))
        take({part});
      else if (part == "-MD" || part == "-MMD" || part == "-MF" || part == "-MT" || part == "-MQ")
        from = from < parts.size() ? end_of(from) + 1 : from; // with its file
      else if (part != "-MP" && part != "-MG" && part != "-w")
        return unusual(flag);
    }
  }

  void take(const std::vector<std::string>& words) { std::ranges::copy(words, std::back_inserter(result_.taken)); }

  void unusual(const Flag& flag) {
    if (unusual_ == Unusual::taken)
      return take(flag.words);
    if (unusual_ == Unusual::left_out)
      return result_.left_out.push_back(fmt::format("{}", fmt::join(flag.words, " ")));
    throw UserError(status_usage,
                    fmt::format("{}: the compiler flag '{}' is not taken from a file: with it, the compiler could run "
                                "or write something",
                                file_, fmt::join(flag.words, " ")),
                    fmt::format("--trust-flags takes all flags of {}, if you trust whoever wrote it", file_));
  }

  const std::vector<std::string>& flags_;
  const std::string& file_;
  Unusual unusual_;
  size_t at_ = 0;
  BuildFlags result_;
};

} // namespace

std::vector<std::string> flags_from_file(const std::vector<std::string>& flags, const std::string& file, Trust trust) {
  return Filter(flags, file, trust == Trust::yes ? Unusual::taken : Unusual::refused).run().taken;
}

BuildFlags flags_of_build(const std::vector<std::string>& flags) {
  return Filter(flags, "the command line", Unusual::left_out).run();
}

} // namespace faultline::frontend
