#include "base/large_array.hpp"

#include <sys/mman.h>

#include <new>

namespace proofline {

LargeMemory::LargeMemory(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  at_ = static_cast<std::byte*>(at);
  // Advice: small pages do as well, only slower.
  madvise(at, bytes, MADV_HUGEPAGE);
}

LargeMemory::~LargeMemory() {
  if (at_ != nullptr) munmap(at_, size_);
}

}  // namespace proofline
