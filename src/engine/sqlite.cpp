#include "engine/sqlite.hpp"

#include <sqlite3.h>

#include <new>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace proofline::engine::sqlite {
namespace {

/// SQLite takes a null pointer for NULL; an empty text or blob is none.
template <class T>
const void* not_null(const T* data) {
  static constexpr char kEmpty = 0;
  return data == nullptr ? static_cast<const void*>(&kEmpty) : data;
}

}  // namespace

Database::Database(const std::filesystem::path& file, std::string name) : name_(std::move(name)) {
  // An absolute path has none of the meanings that SQLite gives to ":memory:" and "file:".
  const std::string path = file.empty() ? ":memory:" : std::filesystem::absolute(file).string();
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
  try {
    if (code != SQLITE_OK) fail(code);
    sqlite3_extended_result_codes(handle_, 1);
    // SQLite opens for reading what it may not write.
    if (sqlite3_db_readonly(handle_, "main") != 0) fail(SQLITE_READONLY);
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::fail(int code) const {
  const std::string said = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  const int system = handle_ != nullptr ? sqlite3_system_errno(handle_) : 0;
  const std::string cause = system != 0 ? said + " (" + std::generic_category().message(system) + ")" : said;
  switch (code & 0xff) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw IoError(name_ + ": in use by another process; stop that one, or name another file");
    case SQLITE_NOTADB:
      throw InputError(name_ + ": not a database; name another file, or move this one away to begin a new one");
    case SQLITE_CORRUPT:
      throw InputError(name_ + ": damaged (" + said + "); restore it, or move it away to begin a new one");
    case SQLITE_READONLY:
      throw IoError(name_ + ": cannot be written; the file and its folder need write permission");
    case SQLITE_CANTOPEN:
      throw IoError(name_ + ": cannot open: " + cause + "; the folder must exist and be writable");
    case SQLITE_FULL:
      throw IoError(name_ + ": the disk is full");
    case SQLITE_TOOBIG:
      throw InputError(name_ + ": too large to be stored: " + said);
    case SQLITE_IOERR:
      throw IoError(name_ + ": cannot read or write: " + cause);
    default:
      throw IoError(name_ + ": " + cause);
  }
}

void Database::execute(const std::string& sql) const {
  if (const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK) fail(code);
}

std::int64_t Database::integer(std::string_view sql) const {
  Statement statement(*this, sql);
  statement.step();
  return statement.integer(0);
}

std::string Database::text(std::string_view sql) const {
  Statement statement(*this, sql);
  statement.step();
  return statement.text(0);
}

std::int64_t Database::last_row_id() const {
  return sqlite3_last_insert_rowid(handle_);
}

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

void Statement::bind(int parameter, std::int64_t value) {
  if (const int code = sqlite3_bind_int64(handle_, parameter, value); code != SQLITE_OK) database_.fail(code);
}

void Statement::bind(int parameter, std::optional<std::int64_t> value) {
  if (value) return bind(parameter, *value);
  if (const int code = sqlite3_bind_null(handle_, parameter); code != SQLITE_OK) database_.fail(code);
}

void Statement::bind(int parameter, std::string_view text) {
  const auto* data = static_cast<const char*>(not_null(text.data()));
  const int code = sqlite3_bind_text64(handle_, parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) database_.fail(code);
}

void Statement::bind(int parameter, std::span<const std::uint8_t> bytes) {
  const int code = sqlite3_bind_blob64(handle_, parameter, not_null(bytes.data()), bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) database_.fail(code);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

std::optional<std::int64_t> Statement::optional_integer(int column) const {
  if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::nullopt;
  return integer(column);
}

std::string Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(handle_, column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::span<const std::uint8_t> Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return {static_cast<const std::uint8_t*>(data), size};
}

Transaction::Transaction(const Database& database) : database_(database) {
  database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  // Some errors have rolled back already; then this is refused, which is as well.
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace proofline::engine::sqlite
