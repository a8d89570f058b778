#include "cli/campaign/campaign_commands.h"
#include "cli/campaign/campaign_folder.h"

#include "cli/output_file.h"
#include "frontend/error.h"
#include "hunt/targets/hunt_targets.h"
#include "report/wording.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::cli {

namespace fs = std::filesystem;
using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline campaign init night libfoo.a                 what a build with faultline cc has made
  faultline campaign init night src/ -- -Iinclude        a folder of sources, with flags
  faultline campaign init night -p build --seed 7        all of a build's database

The options are those of faultline hunt that say what to hunt in, and what counts; paths are relative to the current
folder, as in a hunt. Settings by function stand in the project's faultline.toml, or in DIR/faultline.toml.)";

constexpr const char* empty_settings = R"(# Settings of this campaign: docs/configuration.md has all keys. For instance:
#
# threshold = 1e-6
#
# [function.'gsl_sf_bessel_*']
# range = { x = [0, 1e3] }
)";

// Relative to the campaign's folder if it lies near, so that both can move together.
std::string folder_from(const fs::path& campaign) {
  const fs::path here = fs::current_path(), near = here.lexically_relative(campaign);
  const bool is_near = !near.empty() && std::distance(near.begin(), near.end()) <= 3; // a guess: ../../..
  return is_near ? near.string() : here.string();
}

} // namespace

int campaign_init(const CommandLine& line) {
  if (line.words.empty() || line.words.front() == "--help" || line.words.front() == "-h")
    throw Help{fmt::format("Begins a campaign in a new folder.\nUsage: faultline campaign init DIR SOURCE... [options "
                           "of faultline hunt] [-- COMPILER-FLAGS]\n\n{}\n",
                           examples)};
  const std::string& folder = line.words.front();
  if (folder.starts_with("-"))
    throw UserError(status_usage, fmt::format("{}: the folder comes first", folder),
                    "faultline campaign init DIR SOURCE...");
  campaign::Subject subject;
  subject.command = {"hunt"};
  subject.command.insert(subject.command.end(), line.typed.begin() + 2, line.typed.end());
  // Said by whoever types, each time: it is not recorded.
  const bool trusted = std::erase(subject.command, "--trust-flags") > 0;
  const bool quiet = std::erase(subject.command, "-q") + std::erase(subject.command, "--quiet") > 0;
  const std::string absolute = absolute_folder(folder);
  subject.folder = folder_from(absolute);
  campaign::Options options =
      options_of_words(subject.command, absolute, {trusted ? frontend::Trust::yes : frontend::Trust::no, {}});
  const campaign::HuntTargets selected =
      campaign::select_unmeasured_targets(options); // what cannot be hunted in is told now
  subject.seed = options.settings.seed;
  campaign::make_campaign(absolute, subject);
  std::error_code error;
  if (!options.configuration && !fs::exists(absolute + "/faultline.toml", error))
    OutputFile(absolute + "/faultline.toml").write(empty_settings);
  const auto unmeasured =
      std::ranges::count_if(selected.targets, [](const auto& target) { return !target.suitable(); });
  if (!quiet)
    print(fmt::format(
        "{}: {}{}; faultline campaign run {}\n", folder, report::counted(selected.targets.size(), "function"),
        unmeasured > 0 ? fmt::format(" ({} of them once their arrays are measured)", unmeasured) : "", folder));
  return frontend::status_nothing;
}

} // namespace faultline::cli
