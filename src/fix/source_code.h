// The body of a function as data: statements and expressions with their places in the file. faultline-harness reads C
// and C++ (harness/body.cpp), and fix/source_fortran.h reads Fortran.
#pragma once

#include "fix/writing.h"
#include "model/edit.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::fix {

// Bytes of the file.
struct Span {
  size_t begin = 0, end = 0;
  bool of_macro = false; // the definition of a macro has the text, and the file has its name

  bool contains(size_t offset) const { return begin <= offset && offset < end; }
  size_t size() const { return end - begin; }
};

enum class Scope : uint8_t { parameter, local, global };

struct Code {
  enum class Kind : uint8_t {
    number,
    name,   // of a variable
    call,   //
    op,     // a binary operator; `symbol` is + or +=
    unary,  // - + ! * & ++ --
    choice, // a ? b : c
    index,  // of an array: the array, then the subscripts
    member, // of a struct
    cast,   //
    other,
  };
  Kind kind = Kind::other;
  Span span;
  std::string symbol = {};         // name, operator, function
  std::string type = {};           // canonical: double
  std::optional<Value> value = {}; // of a constant
  size_t declared = 0;             // of a name: identifies the variable
  Scope scope = Scope::local;      // of a name
  bool library = false;            // a call of a system's function
  std::vector<Code> parts = {};    // operands, arguments

  bool is(Kind which) const { return kind == which; }
  bool assigns() const; // = += ++
};

struct Statement {
  enum class Kind : uint8_t { declare, expression, give_back, branch, loop, block, other };
  Kind kind = Kind::other;
  Span span;
  std::string name = {}; // of a declared variable
  size_t declared = 0;
  std::string type = {};
  std::optional<Code> value = {};                              // initial value, expression, result, condition
  std::vector<Statement> head = {}, body = {}, otherwise = {}; // of a loop; then, else
  bool braced = true;                                          // the body of a branch
  bool declares = false;                                       // a block that is one declaration

  bool is(Kind which) const { return kind == which; }
};

struct Function {
  std::string name, file;
  Language language = Language::c;
  Span span;
  size_t open = 0; // the offset of its body
  bool is_template = false;
  std::string result; // type
  std::vector<Statement> parameters, body;
};

// Reads what faultline-harness printed: the innermost function. Nothing if there is none. Throws UserError.
std::optional<Function> function_from(const std::string& json, Language language);

// A node of the function, with the statement that has it and the nodes and statements around it.
struct Found {
  const Code* node = nullptr;
  const Statement* statement = nullptr;      // with the value that has the node
  std::vector<const Code*> around = {};      // from the node's parent to the statement's value
  std::vector<const Statement*> blocks = {}; // from the outermost to `statement`
};

// The innermost node at this offset, its statement, and what is around it; nothing if there is none.
std::optional<Found> node_at(const Function& function, size_t offset);

// Calls `visit` for each expression with its statement, in the order of the source.
void each_value(const std::vector<Statement>& statements,
                const std::function<void(const Statement&, const Code&)>& visit);
// The expression and all of its parts.
void each_node(const Code& code, const std::function<void(const Code&)>& visit);

size_t offset_of(std::string_view text, int line, int column); // both from 1; npos: not in the text
int line_of(std::string_view text, size_t offset);

} // namespace faultline::fix
