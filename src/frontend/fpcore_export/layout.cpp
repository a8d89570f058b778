#include "frontend/fpcore_export/layout.h"

#include "frontend/fpcore/form.h"

namespace faultline::frontend::fpcore {
namespace {

constexpr size_t widest = 100;

class Layout {
public:
  void write(const Form& form, size_t indent) {
    const std::string flat = in_one_line(form);
    if (!form.is_list() || indent + flat.size() <= widest) {
      text_ += flat;
      return;
    }
    text_ += form.is_square ? "[" : "(";
    const std::string_view head = form.head();
    const size_t kept = head == "FPCore" ? 3 : head == "!" ? form.items.size() : form.items.front().is_list() ? 1 : 2;
    const bool is_block = head == "FPCore" || head == "let*" || head == "while";
    size_t column = indent + 1;
    const size_t below = is_block ? indent + 2 : form.items.front().is_list() ? indent + 1 : indent + head.size() + 2;
    for (size_t i = 0; i < form.items.size(); ++i) {
      const bool is_value = i > 0 && form.items[i - 1].is_property();
      if (i > 0 && (i < kept || is_value)) {
        text_ += " ";
        ++column;
      } else if (i > 0) {
        text_ += "\n" + std::string(below, ' ');
        column = below;
      }
      const size_t before = text_.size();
      write(form.items[i], column);
      const size_t line = text_.rfind('\n');
      column = line == std::string::npos || line < before ? column + text_.size() - before : text_.size() - line - 1;
    }
    text_ += form.is_square ? "]" : ")";
  }

  std::string take() { return std::move(text_) + "\n"; }

private:
  static std::string in_one_line(const Form& form) {
    if (!form.is_list())
      return form.text;
    std::string text = form.is_square ? "[" : "(";
    for (const Form& item : form.items)
      text += (text.size() > 1 ? " " : "") + in_one_line(item);
    return text + (form.is_square ? "]" : ")");
  }

  std::string text_;
};

} // namespace

std::string laid_out(const std::string& text) {
  Layout layout;
  for (const Form& form : read_forms(text, "FPCore"))
    layout.write(form, 0);
  return layout.take();
}

} // namespace faultline::frontend::fpcore
