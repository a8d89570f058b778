// The names of cells of arrays: A[3] is cell 3 of A. Findings, messages and people name cells; here the names are made
// and taken apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace faultline::frontend {

struct ArrayCell {
  std::string array;
  size_t index = 0;
};

std::string cell_name(const std::string& array, size_t index);
std::optional<ArrayCell> array_cell(const std::string& name); // none if the name is not of this form

// What precedes the last bracket: A of A[3], p of p[0].x, x of x.
std::string array_of(const std::string& name);

// Cells A[0], A[1], ... of one array that follow each other in a list.
struct ArrayRun {
  std::string array;
  size_t length = 0; // 0: the first cell is not A[0]
};

// The run that begins at cell `first`. The cells have a `name`.
template <class Cell>
ArrayRun array_run(const std::vector<Cell>& cells, size_t first) {
  const std::optional<ArrayCell> head = array_cell(cells[first].name);
  if (!head)
    return {};
  ArrayRun run{head->array};
  for (size_t i = first; i < cells.size(); ++i, ++run.length)
    if (const auto next = array_cell(cells[i].name); !next || next->array != run.array || next->index != run.length)
      break;
  return run;
}

} // namespace faultline::frontend
