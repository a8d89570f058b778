// JSON documents whose objects keep the order of their members.
//
// nlohmann::ordered_json compares each key that is added or looked for with all others: an input of 100,000 elements,
// each a member, took it half a minute. This is the same with an index, once an object has many members.
#pragma once

#include <functional>
#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

namespace faultline::finding {

template <class Key, class T, class Less = std::less<Key>, class Allocator = std::allocator<std::pair<const Key, T>>>
class IndexedMap : public nlohmann::ordered_map<Key, T, Less, Allocator> {
  using Base = nlohmann::ordered_map<Key, T, Less, Allocator>;

public:
  using Base::Base;
  using typename Base::const_iterator;
  using typename Base::iterator;
  using typename Base::size_type;
  using typename Base::value_type;

  template <class Name>
  std::pair<iterator, bool> emplace(Name&& name, T&& value) {
    if (const size_t place = place_of(name); place < this->size())
      return {this->begin() + long(place), false};
    this->emplace_back(Key(std::forward<Name>(name)), std::forward<T>(value));
    return {std::prev(this->end()), true};
  }
  std::pair<iterator, bool> insert(value_type value) { return emplace(value.first, std::move(value.second)); }
  template <class Iterator>
  void insert(Iterator first, Iterator last) {
    for (; first != last; ++first)
      emplace(first->first, T(first->second));
  }

  template <class Name>
  T& operator[](Name&& name) {
    return emplace(std::forward<Name>(name), T{}).first->second;
  }
  iterator find(std::string_view name) { return this->begin() + long(place_of(name)); }
  const_iterator find(std::string_view name) const { return this->begin() + long(place_of(name)); }
  size_type count(std::string_view name) const { return place_of(name) < this->size() ? 1 : 0; }
  T& at(std::string_view name) { return this->data()[present(name)].second; }
  const T& at(std::string_view name) const { return this->data()[present(name)].second; }

  size_type erase(std::string_view name) {
    const size_t place = place_of(name);
    if (place == this->size())
      return 0;
    erase(this->begin() + long(place));
    return 1;
  }
  iterator erase(iterator at) { return erase(at, std::next(at)); }
  iterator erase(iterator first, iterator last) {
    places_.clear();
    indexed_ = 0;
    return Base::erase(first, last);
  }

private:
  static constexpr size_t few = 32; // a guess: comparing with as many costs less than an index

  // The number of members if there is no such one.
  size_t place_of(std::string_view name) const {
    const value_type* members = this->data();
    if (this->size() <= few) {
      size_t place = 0;
      while (place < this->size() && members[place].first != name)
        ++place;
      return place;
    }
    if (indexed_ > this->size()) { // moved from, and filled again
      places_.clear();
      indexed_ = 0;
    }
    for (; indexed_ < this->size(); ++indexed_)
      places_.emplace(std::hash<std::string_view>{}(members[indexed_].first), indexed_);
    const auto [first, last] = places_.equal_range(std::hash<std::string_view>{}(name));
    for (auto candidate = first; candidate != last; ++candidate)
      if (members[candidate->second].first == name)
        return candidate->second;
    return this->size();
  }

  size_t present(std::string_view name) const {
    const size_t place = place_of(name);
    if (place == this->size())
      throw std::out_of_range("key not found");
    return place;
  }

  mutable std::unordered_multimap<size_t, size_t>
      places_;                 // by the hash of the name: members move when others are added
  mutable size_t indexed_ = 0; // how many of the members are in it
};

using Json = nlohmann::basic_json<IndexedMap>;

Json measure(double value); // infinity is the largest double, NaN is null
// The text, in one line, or with an indentation. Bytes that are not UTF-8 (in a file's name, say) are replaced.
std::string json_text(const Json& json, int indentation = -1);

// Called at the begin of an object or a list, at a key, a value, and at the end of an object or a list, which is given
// whole; of nlohmann's callbacks it has names, order and depths. False: this does not become part of the document.
// (Nlohmann's parser looks through all members of an object at the end of each.)
using Look = std::function<bool(int depth, Json::parse_event_t event, Json& parsed)>;

// For files from anywhere. Throw UserError: not JSON, or nested so deep that a reader could run out of stack.
Json parse_json(std::string_view text);
Json parse_json(std::istream& stream, const Look& look);

} // namespace faultline::finding

// Compiled once, in json.cpp.
extern template class nlohmann::basic_json<faultline::finding::IndexedMap>;
