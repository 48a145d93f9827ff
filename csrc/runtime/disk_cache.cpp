#include "runtime/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "braid/error.h"

namespace braid::runtime {
namespace {

// The file: this header, the key, the bytes. Native byte order: an entry of another machine does not match.
struct Header {
  char magic[8];
  uint64_t keySize, byteCount;
  uint64_t checksumLow, checksumHigh;  ///< XXH3-128 of the sizes, the key and the bytes
};
constexpr char kMagic[8] = {'B', 'R', 'A', 'I', 'D', 'K', '0', '1'};

void seal(Header& header, const std::string& key, const char* bytes) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, &header.keySize, sizeof header.keySize);
  XXH3_128bits_update(&state, &header.byteCount, sizeof header.byteCount);
  XXH3_128bits_update(&state, key.data(), key.size());
  XXH3_128bits_update(&state, bytes, header.byteCount);
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  header.checksumLow = hash.low64;
  header.checksumHigh = hash.high64;
}

/// A file descriptor that closes itself.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

bool belongsToUsAlone(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The whole file, if it is a plain one of ours.
std::optional<std::string> contents(const std::string& path) {
  const File file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || !belongsToUsAlone(status)) return std::nullopt;
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (count <= 0) return std::nullopt;
    done += static_cast<size_t>(count);
  }
  return bytes;
}

bool writeAll(int descriptor, const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

DiskCache::DiskCache(std::string directory) : directory_(std::move(directory)) {
  const auto refuse = [&](const std::string& why) {
    return Error(ErrorCode::File, fmt::format("the kernel cache cannot use {}: {}", directory_, why))
        .note("it needs a directory that belongs to this user and is closed to others (mode 700)");
  };
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::path(directory_).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (mkdir(directory_.c_str(), S_IRWXU) != 0 && errno != EEXIST) throw refuse(std::strerror(errno));
  struct stat status {};
  if (stat(directory_.c_str(), &status) != 0) throw refuse(std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) throw refuse("it is no directory");
  if (status.st_uid != geteuid()) throw refuse("it belongs to another user");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw refuse(fmt::format("others may use it (mode {:o})", status.st_mode & 07777u));
  }
}

std::string DiskCache::pathOf(const std::string& key) const {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return fmt::format("{}/{:016x}{:016x}.kernel", directory_, hash.high64, hash.low64);
}

std::optional<std::string> DiskCache::read(const std::string& key) const {
  const std::optional<std::string> file = contents(pathOf(key));
  if (!file || file->size() < sizeof(Header)) return std::nullopt;
  Header header;
  std::memcpy(&header, file->data(), sizeof header);
  const bool ours = std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.keySize == key.size() &&
                    file->size() - sizeof header >= key.size() &&
                    header.byteCount == file->size() - sizeof header - key.size() &&
                    file->compare(sizeof header, key.size(), key) == 0;
  if (!ours) return std::nullopt;
  Header expected = header;
  const char* bytes = file->data() + sizeof header + key.size();
  seal(expected, key, bytes);
  if (std::memcmp(&expected, &header, sizeof header) != 0) return std::nullopt;
  return std::string(bytes, header.byteCount);
}

bool DiskCache::write(const std::string& key, const std::string& bytes) const {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.keySize = key.size();
  header.byteCount = bytes.size();
  seal(header, key, bytes.data());
  std::string file(reinterpret_cast<const char*>(&header), sizeof header);
  file += key + bytes;

  std::string temporary = directory_ + "/.new-XXXXXX";
  bool written = false;
  {
    const File target(mkostemp(temporary.data(), O_CLOEXEC));  // mode 600
    if (target.get() < 0) return false;
    written = writeAll(target.get(), file) && fsync(target.get()) == 0;
  }
  if (written && std::rename(temporary.c_str(), pathOf(key).c_str()) == 0) return true;
  unlink(temporary.c_str());
  return false;
}

}  // namespace braid::runtime
