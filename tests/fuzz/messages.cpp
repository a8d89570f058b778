#include "finding/message.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_messages(const uint8_t* data, size_t size) {
  const finding::Message message = finding::parse_message(text_of(data, size));
  const std::string written = finding::message_text(message);
  if (written.find('\n') != std::string::npos)
    throw Broken("a message is not one line: " + written);
  if (finding::message_text(own([&] { return finding::parse_message(written); })) != written)
    throw Broken("a message reads back as another: " + written);
  return 0;
}

} // namespace faultline::fuzz
