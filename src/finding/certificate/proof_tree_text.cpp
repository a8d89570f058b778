#include "finding/certificate/proof_tree_text.h"

#include "numeric/decimal.h"

#include <charconv>
#include <cmath>

namespace faultline::finding {
namespace {

using NodeKind = ProofNode::Kind;

// A proof of two million boxes for each of three measures; a node takes 24 bytes.
constexpr size_t most_nodes = 12'000'000;

// Reads the string from left to right.
class TreeReader {
public:
  TreeReader(const Place& place, const std::string& text, Certificate& certificate)
      : place_(place), at_(text.data()), end_(text.data() + text.size()), certificate_(certificate),
        claims_(certificate.claims()) {}

  void read() {
    size_t wanted = 1; // trees that have to come yet
    while (wanted > 0) {
      if (certificate_.tree.size() == most_nodes)
        refuse(fmt::format("has more than {} nodes, which is the most that is read", most_nodes));
      const NodeKind kind = node();
      wanted = kind == NodeKind::cut ? wanted + 1 : wanted - 1;
      if (wanted > 0)
        skip(' ');
    }
    if (at_ != end_)
      refuse("has more nodes than its cuts have parts");
  }

private:
  [[noreturn]] void refuse(const std::string& what) const {
    place_.refuse(at_ == end_ ? fmt::format("{}, at its end", what)
                              : fmt::format("{}, at '{}'", what, std::string(at_, std::min(at_ + 20, end_))));
  }

  bool is_at(char c) const { return at_ != end_ && *at_ == c; }
  void skip(char c) {
    if (!is_at(c))
      refuse(at_ == end_ ? "lacks nodes" : fmt::format("has no '{}' where one belongs", c));
    ++at_;
  }

  uint32_t index(size_t count, const char* what) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || value >= count)
      refuse(fmt::format("has a node whose {} does not exist", what));
    at_ = end;
    return value;
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(at_, end_, value, std::chars_format::hex);
    if (error != std::errc() || !std::isfinite(value))
      refuse("has something that is not a hexadecimal float");
    at_ = end;
    return value;
  }

  NodeKind node() {
    ProofNode node;
    if (is_at('?')) {
      ++at_;
      node = {NodeKind::open, index(certificate_.reasons.size(), "reason"), 0};
    } else if (is_at('=')) {
      ++at_;
      node = {NodeKind::bounded, index(certificate_.paths.size(), "path"), 0};
      for (size_t i = 0; i < claims_; ++i) {
        skip(',');
        certificate_.bounds.push_back(number());
      }
    } else {
      node = {NodeKind::cut, index(certificate_.inputs.size(), "input"), 0};
      skip(':');
      node.at = number();
    }
    certificate_.tree.push_back(node);
    return node.kind;
  }

  const Place& place_;
  const char* at_;
  const char* end_;
  Certificate& certificate_;
  size_t claims_;
};

} // namespace

std::string short_hex(double value) {
  std::string text = numeric::hex_float(value);
  text.erase(text.find("0x"), 2);
  if (const size_t plus = text.find('+'); plus != std::string::npos)
    text.erase(plus, 1);
  return text;
}

std::string tree_text(const Certificate& certificate) {
  std::string text;
  size_t bound = 0;
  const size_t claims = certificate.claims();
  for (const ProofNode& node : certificate.tree) {
    if (!text.empty())
      text += ' ';
    switch (node.kind) {
    case NodeKind::cut:
      text += fmt::format("{}:{}", node.which, short_hex(node.at));
      break;
    case NodeKind::bounded:
      text += fmt::format("={}", node.which);
      for (size_t i = 0; i < claims; ++i)
        text += ',' + short_hex(certificate.bounds[bound++]);
      break;
    case NodeKind::open:
      text += fmt::format("?{}", node.which);
      break;
    }
  }
  return text;
}

void read_tree(const Place& place, Certificate& certificate) {
  const std::string text = place.string();
  TreeReader(place, text, certificate).read();
}

} // namespace faultline::finding
