#include "program/capture/command.h"

#include "program/compiling/option_table.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace faultline::program {

namespace {

// The language of a source, by its ending or by -x, as compiler drivers determine it.
struct SourceKind {
  Language language = Language::unknown;
  std::string given;      // -x value for clang or flang
  std::string obstacle;   // as in CompiledSource
  bool is_header = false; // a source of a precompiled header, not of an object
};

constexpr const char* assembly = "assembly";
constexpr const char* preprocessed_c = "cpp-output";
constexpr const char* preprocessed_cxx = "c++-cpp-output";

struct Ending {
  std::string_view ending;
  Language language;
  const char* given = "";
  const char* obstacle = "";
  bool is_header = false;
};

// As listed in GCC's manual ("Options Controlling the Kind of Output").
constexpr Ending endings[] = {
    {".c", Language::c, "c"},
    {".i", Language::c, preprocessed_c},
    {".cc", Language::cxx, "c++"},
    {".cp", Language::cxx, "c++"},
    {".cxx", Language::cxx, "c++"},
    {".cpp", Language::cxx, "c++"},
    {".CPP", Language::cxx, "c++"},
    {".c++", Language::cxx, "c++"},
    {".C", Language::cxx, "c++"},
    {".ii", Language::cxx, preprocessed_cxx},
    {".f", Language::fortran},
    {".for", Language::fortran},
    {".ftn", Language::fortran, "f77"},
    {".F", Language::fortran},
    {".FOR", Language::fortran},
    {".fpp", Language::fortran, "f77-cpp-input"},
    {".FPP", Language::fortran, "f77-cpp-input"},
    {".FTN", Language::fortran, "f77-cpp-input"},
    {".f90", Language::fortran},
    {".f95", Language::fortran},
    {".f03", Language::fortran},
    {".f08", Language::fortran},
    {".F90", Language::fortran},
    {".F95", Language::fortran},
    {".F03", Language::fortran},
    {".F08", Language::fortran},
    {".s", Language::unknown, "", assembly},
    {".S", Language::unknown, "", assembly},
    {".sx", Language::unknown, "", assembly},
    {".m", Language::unknown, "", "Objective-C"},
    {".mi", Language::unknown, "", "Objective-C"},
    {".M", Language::unknown, "", "Objective-C++"},
    {".mm", Language::unknown, "", "Objective-C++"},
    {".mii", Language::unknown, "", "Objective-C++"},
    {".go", Language::unknown, "", "Go"},
    {".d", Language::unknown, "", "D"},
    {".adb", Language::unknown, "", "Ada"},
    {".ads", Language::unknown, "", "Ada"},
    {".cu", Language::unknown, "", "CUDA"},
    {".h", Language::c, "", "", true},
    {".hh", Language::cxx, "", "", true},
    {".H", Language::cxx, "", "", true},
    {".hp", Language::cxx, "", "", true},
    {".hxx", Language::cxx, "", "", true},
    {".hpp", Language::cxx, "", "", true},
    {".HPP", Language::cxx, "", "", true},
    {".h++", Language::cxx, "", "", true},
    {".tcc", Language::cxx, "", "", true},
};

// Returns nothing if the driver passes the file to the linker.
std::optional<SourceKind> kind_by_ending(Driver driver, const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const auto* found = std::ranges::find(endings, ending, &Ending::ending);
  if (found == std::end(endings))
    return std::nullopt;
  if (driver == Driver::cxx && found->language == Language::c && !found->is_header) // to g++ and clang++, C is C++
    return SourceKind{Language::cxx, found->given == std::string_view("c") ? "c++" : preprocessed_cxx, "", false};
  return SourceKind{found->language, found->given, found->obstacle, found->is_header};
}

// Returns the kind that -x NAME selects.
SourceKind kind_by_name(const std::string& name) {
  if (name == "c" || name == preprocessed_c)
    return {Language::c, name, "", false};
  if (name == "c++" || name == preprocessed_cxx)
    return {Language::cxx, name, "", false};
  if (name == "f77" || name == "f95" || name == "f77-cpp-input" || name == "f95-cpp-input")
    return {Language::fortran, name, "", false};
  if (name == "assembler" || name == "assembler-with-cpp")
    return {Language::unknown, "", assembly, false};
  return {Language::unknown, "", name, name.ends_with("-header")};
}

constexpr int most_nested_files = 16; // bounds response files that include each other: a guess

// Options with which no object is written, whatever the others are.
constexpr std::string_view no_object[] = {"-S",
                                          "-E",
                                          "-M",
                                          "-MM",
                                          "-fsyntax-only",
                                          "-###",
                                          "--version",
                                          "--help",
                                          "-help",
                                          "--target-help",
                                          "-emit-llvm",
                                          "-emit-ast",
                                          "--analyze",
                                          "--precompile",
                                          "-cc1",
                                          "-cc1as",
                                          "-dumpversion",
                                          "-dumpmachine",
                                          "-dumpfullversion"};
constexpr std::string_view no_object_beginnings[] = {"-print-", "--print-", "--help="};

// Flags of GCC and of the linker that take a value, and that clang does not know or reads otherwise. They are ignored,
// and the next word is not a source.
constexpr std::string_view with_value[] = {
    "-T", "-u", "-e", "-A", "-B", "-h", "-aux-info", "-dumpbase", "-dumpbase-ext", "-wrapper", "-arch", "-framework"};

bool is_one_of(const std::string& word, const auto& words) {
  return std::ranges::find(words, std::string_view(word)) != std::end(words);
}

class Reader {
public:
  Reader(Driver driver, const std::vector<std::string>& words) : driver_(driver), words_(words) {}

  CompilerCommand read() {
    while (at_ < words_.size())
      one();
    finish();
    return std::move(command_);
  }

private:
  void one() {
    const std::string& word = words_[at_++];
    if (!word.starts_with("-"))
      return input(word);
    const bool is_prefixed =
        std::ranges::any_of(no_object_beginnings, [&](auto begin) { return word.starts_with(begin); });
    if (word == "-" || is_prefixed || is_one_of(word, no_object))
      other_ = true; // "-" is standard input, which can only be read once
    else if (word == "-c")
      stops_at_objects_ = true;
    else if (is_one_of(word, with_value))
      ++at_;
    else
      flag(at_ - 1);
  }

  void flag(size_t at) {
    const CompilerOption option = read_option(words_, at, Compilers::both);
    at_ = at + option.words.size();
    const std::string value = option.values.empty() ? "" : option.values.front();
    if (option.name == "-o")
      command_.output = value;
    else if (option.name == "-x")
      given_ = value == "none" ? std::nullopt : std::optional(kind_by_name(value));
    else if (option.name == "-module-dir")
      command_.module_folder = value;
    else
      command_.flags.insert(command_.flags.end(), option.words.begin(), option.words.end());
  }

  void input(const std::string& file) {
    const std::optional<SourceKind> kind = given_ ? given_ : kind_by_ending(driver_, file);
    if (!kind)
      return; // for the linker
    if (kind->is_header)
      other_ = true;
    command_.sources.push_back({file, "", kind->language, kind->given, kind->obstacle});
  }

  void finish() {
    if (other_ || command_.sources.empty() || command_.output == "-" || command_.output == "/dev/null")
      return;
    command_.kind = stops_at_objects_ ? CommandKind::compile : CommandKind::compile_and_link;
    for (CompiledSource& source : command_.sources)
      source.object = !command_.output.empty()
                          ? command_.output
                          : std::filesystem::path(source.file).filename().replace_extension(".o").string();
  }

  Driver driver_;
  const std::vector<std::string>& words_;
  size_t at_ = 0;
  std::optional<SourceKind> given_; // from the last -x
  bool other_ = false, stops_at_objects_ = false;
  CompilerCommand command_;
};

// Splits a response file at white space, with quotes and backslashes.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote ? c == quote : (c == '\'' || c == '"')) {
      quote = quote ? 0 : c;
      inside = true;
    } else if (!quote && std::isspace(static_cast<unsigned char>(c))) {
      if (inside)
        words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside)
    words.push_back(std::move(word));
  return words;
}

void expand(const std::vector<std::string>& arguments, int depth, std::vector<std::string>& words) {
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (depth < most_nested_files && argument.starts_with("@") &&
        std::filesystem::is_regular_file(argument.substr(1), error)) {
      std::ifstream stream(argument.substr(1), std::ios::binary);
      expand(words_of({std::istreambuf_iterator<char>(stream), {}}), depth + 1, words);
    } else {
      words.push_back(argument);
    }
  }
}

} // namespace

CompilerCommand parse_command(Driver driver, const std::vector<std::string>& words) {
  return Reader(driver, words).read();
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  expand(arguments, 0, words);
  return words;
}

} // namespace faultline::program
