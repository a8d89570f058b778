// faultline-cc, faultline-c++ and faultline-fc: one small program whose behaviour depends on the name that starts it.
// It is separate from faultline, which takes longer to start than a compiler takes to answer a query.
#include "base/error.h"
#include "program/capture/wrapper.h"

#include <cstdio>
#include <exception>
#include <string_view>

namespace {

faultline::program::Driver driver_of(std::string_view name) {
  if (name.ends_with("c++"))
    return faultline::program::Driver::cxx;
  if (name.ends_with("fc"))
    return faultline::program::Driver::fc;
  return faultline::program::Driver::cc;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return faultline::program::wrap_compiler(driver_of(argc > 0 ? argv[0] : ""), {argv + (argc > 0), argv + argc});
  } catch (const faultline::base::UserError& error) {
    std::fprintf(stderr, "faultline: error: %s\n  try: %s\n", error.what(), error.hint.c_str());
    return error.status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "faultline: internal error: %s, please report\n", error.what());
    return faultline::base::status_internal;
  }
}
