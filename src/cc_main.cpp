// faultline-cc, faultline-c++ and faultline-fc: one small program whose behaviour depends on the name that starts it.
// It is separate from faultline, which takes longer to start than a compiler takes to answer a query.
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
