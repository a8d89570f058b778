// values.csv and gsl_univariate.csv, read.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace faultline::benchmarks {

struct Row {
  std::string function;
  std::vector<double> arguments;
  std::string value; // decimal, 40 digits
};

inline std::vector<std::vector<std::string>> read_table(const char* path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line); // the heading
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');)
      row.push_back(field);
  }
  return rows;
}

inline std::vector<std::string> univariate_functions() {
  std::vector<std::string> names;
  for (const auto& row : read_table(GSL_UNIVARIATE))
    names.push_back(row.at(0));
  return names;
}

inline std::vector<Row> independent_values() {
  std::vector<Row> rows;
  for (const auto& fields : read_table(GSL_INDEPENDENT_VALUES)) {
    Row& row = rows.emplace_back(Row{fields.at(0), {}, fields.at(2)});
    std::istringstream arguments(fields.at(1));
    for (std::string argument; arguments >> argument;)
      row.arguments.push_back(std::stod(argument));
  }
  return rows;
}

} // namespace faultline::benchmarks
