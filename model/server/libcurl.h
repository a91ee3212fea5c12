// libcurl, loaded when a request is made: it brings thirty libraries, which every command would pay for at its start.
#pragma once

#include <curl/curl.h>

namespace residue::model {

// Its functions, by their names without "curl_".
struct Libcurl {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_version_info) version_info;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_perform) multi_perform;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_multi_poll) multi_poll;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
};

// Loads it at the first call, and sets it up. It stays until the process ends. Throws Error{internal} where it is not
// installed or cannot be set up; then the next call tries again.
const Libcurl& libcurl();

}  // namespace residue::model
