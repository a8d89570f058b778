#include "model/message.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_messages(const uint8_t* data, size_t size) {
  const model::Message message = model::parse_message(text_of(data, size));
  const std::string written = model::message_text(message);
  if (written.find('\n') != std::string::npos)
    throw Broken("a message is not one line: " + written);
  if (model::message_text(own([&] { return model::parse_message(written); })) != written)
    throw Broken("a message reads back as another: " + written);
  return 0;
}

} // namespace faultline::fuzz
