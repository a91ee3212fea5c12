// Small durable file operations: what the store needs beyond its engines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace residue::storage {

// fsync of a file or directory; Error{io} (the outcome is unknown: nothing more may be written).
void sync_path(const std::filesystem::path& path);

// Creates `file` (0600) with `bytes`, synced; Error{io} if it exists.
void write_new_file(const std::filesystem::path& file, std::string_view bytes);

// The whole file; Error{not found}, Error{io}, or Error{corrupt} if it is larger than `limit`.
std::string read_small_file(const std::filesystem::path& file, std::size_t limit = 1U << 20U);
// The same of a file of the store; Error{corrupt} where it is no regular file.
std::string read_store_file(const std::filesystem::path& file, std::size_t limit = 1U << 20U);

// 0700 directory; Error{io}.
void make_private_directory(const std::filesystem::path& dir);

// Refuses a directory on a network file system, of another owner, or that others can read.
void check_private_directory(const std::filesystem::path& dir);

// SHA-256 of a file's content (32 raw bytes), streamed; Error{io|not found}.
std::string sha256_file(const std::filesystem::path& file);

// Whether that is `digest`, raw or in hexadecimal.
bool has_sha256(const std::filesystem::path& file, std::string_view digest);

// Whether a system call failed for want of space: the disk, the quota or the limit on file sizes.
[[nodiscard]] bool means_full(int error);

// Whether the disk that holds `path` has next to nothing free: engines report that in several ways.
[[nodiscard]] bool disk_is_full(const std::filesystem::path& path);

// Copies a file with its mode; Error{try again} when there is no room, Error{not found|io}.
void copy_private_file(const std::filesystem::path& from, const std::filesystem::path& to);

// Removes `path` and all below it; what cannot be removed stays.
void discard(const std::filesystem::path& path) noexcept;

// The same of everything in `dir` whose name begins with one of `prefixes`.
void discard_beginning(const std::filesystem::path& dir, std::initializer_list<std::string_view> prefixes);

// Sum of the sizes of all regular files below `dir`.
std::uint64_t directory_bytes(const std::filesystem::path& dir);

}  // namespace residue::storage
