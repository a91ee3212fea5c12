// The items of another program's file as rows of ours.
//
//   FILE ─> next_item ─> --only ─> convert ─> {"id","text","error"} | {"record","answer"} | {"claim","rating"} ─> rows/
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/neighbours/choices.h"
#include "ingest/neighbours/json_walk.h"
#include "ingest/read/json_parser.h"
#include "ingest/read/row_reader.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

// What an item came to: a text, or why there is none.
struct ItemOutput {
  std::optional<std::string> text;
  std::string kind;   // without a text: "an error", "cut off", ... for counting
  std::string error;  // without a text: the program's own words, or the kind
};

// No text, for the reason `kind`, in the program's own `words` if there are some.
ItemOutput no_text(std::string kind, const Value* words = nullptr);

// The path in an item that stands for `field`: the flag's, or that of --map.
std::optional<std::string> place_of(const SourceOptions& options, const std::string& field,
                                    const std::optional<std::string>& flag = {});

// The names of the members of an item that paths begin with.
std::set<std::string> members_of(const std::vector<std::string>& paths);

// What is wanted of one object: its members as they come, put together and parsed.
class ItemParts {
 public:
  // `later`: a member that is wanted only where `mark` stands in one before it.
  explicit ItemParts(std::set<std::string> wanted, std::string later = {}, std::string mark = {});

  void begin();

  // Takes the member whose value begins here, or passes over it.
  void add(JsonWalk& walk, const std::string& name);

  // Reads the whole object that begins here.
  void read(JsonWalk& walk, Value& item);

  // Parses what was added. Throws Refusal: not JSON, nested too deep, a field twice, over 16 MiB.
  void parse(Value& item);

 private:
  std::set<std::string> wanted_, seen_;
  std::string later_, mark_, json_, problem_;
  JsonParser parser_;
};

// An object that is made member by member, of strings that live as long as the maker's next object.
class RowMaker {
 public:
  void begin(Value& object);
  void text(std::string_view name, std::string value);
  void number(std::string_view name, std::uint64_t value);
  void null(std::string_view name);
  void value(std::string_view name, const Value& value);  // a copy that views what `value` views

 private:
  Value* object_ = nullptr;
  std::deque<std::string> held_;
};

// Words of at most 200 bytes for the error of an item: what the program said, or else `otherwise`.
std::string said_by(const Value* error, std::string_view otherwise);

// The text of a message's content: a string, or the texts of its parts joined by line breaks. Throws Refusal for
// anything else, naming `place`.
std::string content_text(const Value& content, std::string_view place);

// Reads items one at a time and holds one. Throws Error{usage} at the end where --only has to choose, and Error{bad
// input} where no item is left or none has what is wanted: so its rows are stored all or none.
class NeighbourRows : public RowReader {
 public:
  bool next(InputRow& row) final;
  [[nodiscard]] std::vector<std::string> notes() const final;
  [[nodiscard]] bool whole() const final { return true; }

 protected:
  struct Names {
    std::string file;                    // for messages
    std::string items;                   // "samples"
    std::string thing;                   // "text": what an item must have to be of use
    std::vector<std::string_view> axes;  // on which all items must agree, by importance
    std::string_view times = {};         // the axis of keeps_time()
  };
  NeighbourRows(InputBuffer input, Names names, const SourceOptions& options);

  // The next item: line, index, number and object are set. False at the end. Throws Refusal for an item that is none.
  virtual bool next_item(InputRow& item) = 0;

  // The row that an item is; false where it is none, which note() or fail() have said why. Throws Refusal.
  virtual bool convert(const InputRow& item, RowMaker& row) = 0;

  // One line each, of the file itself.
  [[nodiscard]] virtual std::vector<std::string> of_file() const { return {}; }

  // Of the item at hand: it has what is wanted; or it has not, for a reason that is counted under `kind`.
  void usable() { ++usable_; }
  void failed(const std::string& kind) { ++failed_[kind]; }

  // The row's text or its error; or its answer under `name`, null where there is none. Counts it.
  void put_text(RowMaker& row, ItemOutput output);
  void put_answer(RowMaker& row, const char* name, ItemOutput output);

  Choices choices_;
  const Names names_;

 private:
  void finish() const;
  [[nodiscard]] std::string failures() const;

  InputRow item_;
  RowMaker maker_;
  std::uint64_t items_ = 0, kept_ = 0, usable_ = 0, refused_ = 0;
  std::map<std::string, std::uint64_t> failed_;
  bool done_ = false;
};

}  // namespace residue::ingest
