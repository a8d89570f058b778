#include "frontend/capture/source_kind.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

namespace faultline::frontend {
namespace {

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

// As GCC's manual lists them ("Options Controlling the Kind of Output").
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

} // namespace

std::optional<SourceKind> kind_by_ending(Driver driver, const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const auto* found = std::ranges::find(endings, ending, &Ending::ending);
  if (found == std::end(endings))
    return std::nullopt;
  if (driver == Driver::cxx && found->language == Language::c && !found->is_header) // to g++ and clang++, C is C++
    return SourceKind{Language::cxx, found->given == std::string_view("c") ? "c++" : preprocessed_cxx, "", false};
  return SourceKind{found->language, found->given, found->obstacle, found->is_header};
}

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

} // namespace faultline::frontend
