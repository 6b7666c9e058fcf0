#pragma once
/// The exceptions that cross Proofline's API borders. Every message says what was wrong, where, and
/// what was expected, so that it can be shown to a user as it is.
#include <stdexcept>
#include <string>

namespace proofline {

/// Root of the hierarchy: catch this at an API border.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something that came from outside (file, JSON, point, flag) is not what it must be.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: missing file, full disk, no permission.
class IoError : public Error {
 public:
  using Error::Error;
};

/// A witness does not satisfy its circuit. The message names the first broken constraint.
class UnsatisfiedError : public Error {
 public:
  using Error::Error;
};

}  // namespace proofline
