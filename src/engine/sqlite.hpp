#pragma once
/// SQLite's C interface as three objects that end what they began. Errors carry the file's name: IoError for what the
/// system refuses (a full disk, no permission, another process), InputError for a file that is no sound database.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace proofline::engine::sqlite {

/// An open database. One thread at a time uses it and its statements.
class Database {
 public:
  /// Opens the file for reading and writing or makes it; an empty path is a database in memory. `name` begins messages.
  Database(const std::filesystem::path& file, std::string name);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  const std::string& name() const { return name_; }
  sqlite3* handle() const { return handle_; }
  /// One or more statements whose results are of no interest.
  void execute(const std::string& sql) const;
  /// The first column of the first row: of a pragma, for example.
  std::int64_t integer(std::string_view sql) const;
  std::string text(std::string_view sql) const;
  std::int64_t last_row_id() const;
  /// Throws what SQLite's result code stands for.
  [[noreturn]] void fail(int code) const;

 private:
  std::string name_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  /// The database must outlive it.
  Statement(const Database& database, std::string_view sql);
  /// With its parameters, in order.
  template <class... Parameters>
  Statement(const Database& database, std::string_view sql, const Parameters&... parameters)
      : Statement(database, sql) {
    int number = 0;
    (bind(++number, parameters), ...);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  void bind(int parameter, std::int64_t value);
  void bind(int parameter, std::optional<std::int64_t> value);
  /// Text and bytes are borrowed and must outlive the statement.
  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::span<const std::uint8_t> bytes);

  /// Whether there is another row.
  bool step();

  std::int64_t integer(int column) const;
  std::optional<std::int64_t> optional_integer(int column) const;
  std::string text(int column) const;
  /// Borrowed, until the next step.
  std::span<const std::uint8_t> bytes(int column) const;

 private:
  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// A statement of no rows, run to its end.
template <class... Parameters>
void run(const Database& database, std::string_view sql, const Parameters&... parameters) {
  Statement(database, sql, parameters...).step();
}

/// All statements from its making to commit() take effect together; without commit(), none does.
class Transaction {
 public:
  explicit Transaction(const Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  /// On the disk on return.
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

}  // namespace proofline::engine::sqlite
