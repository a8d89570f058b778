#include "model/settings/table.h"
#include "targets.h"

#include <algorithm>

namespace faultline::fuzz {

// What is read can be written, and is read as the same.
int fuzz_values(const uint8_t* data, size_t size) {
  const std::string_view text = text_of(data, size);
  std::vector<std::string> words;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    words.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  const model::Settings settings = read_settings(model::raw_settings_in(words));
  const std::vector<std::string> written = words_of(raw_settings_of(settings));
  const model::Settings again = own([&] { return read_settings(model::raw_settings_in(written)); });
  if (words_of(raw_settings_of(again)) != written)
    throw Broken("settings read back as others");
  return 0;
}

} // namespace faultline::fuzz
