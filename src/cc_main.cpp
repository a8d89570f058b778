// faultline-cc, faultline-c++ and faultline-fc: one small program, which the name that it is started by tells what it
// is. It is not part of faultline, because starting that takes longer than a compiler's answer to a question.
#include "frontend/capture/wrapper.h"
#include "frontend/error.h"

#include <cstdio>
#include <exception>
#include <string_view>

namespace {

faultline::frontend::Driver driver_of(std::string_view name) {
  if (name.ends_with("c++"))
    return faultline::frontend::Driver::cxx;
  if (name.ends_with("fc"))
    return faultline::frontend::Driver::fc;
  return faultline::frontend::Driver::cc;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return faultline::frontend::wrap_compiler(driver_of(argc > 0 ? argv[0] : ""), {argv + (argc > 0), argv + argc});
  } catch (const faultline::frontend::UserError& error) {
    std::fprintf(stderr, "faultline: error: %s\n  try: %s\n", error.what(), error.hint.c_str());
    return error.status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "faultline: internal error: %s, please report\n", error.what());
    return faultline::frontend::status_internal;
  }
}
