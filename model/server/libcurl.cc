#include "model/server/libcurl.h"

#include <dlfcn.h>

#include "base/error.h"

namespace residue::model {
namespace {

constexpr const char* kFile = "libcurl.so.4";  // the interface that curl.h is of

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) throw Error(Code::kInternal, "libcurl lacks a function", "install libcurl 7.85 or newer");
}

Libcurl load() {
  void* library = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Error(Code::kInternal, "libcurl cannot be loaded", "install libcurl 7.85 or newer (Debian: libcurl4)");
  }
  Libcurl all{};
  find(library, "curl_global_init", all.global_init);
  find(library, "curl_version_info", all.version_info);
  find(library, "curl_easy_init", all.easy_init);
  find(library, "curl_easy_setopt", all.easy_setopt);
  find(library, "curl_easy_getinfo", all.easy_getinfo);
  find(library, "curl_easy_cleanup", all.easy_cleanup);
  find(library, "curl_multi_init", all.multi_init);
  find(library, "curl_multi_add_handle", all.multi_add_handle);
  find(library, "curl_multi_remove_handle", all.multi_remove_handle);
  find(library, "curl_multi_perform", all.multi_perform);
  find(library, "curl_multi_info_read", all.multi_info_read);
  find(library, "curl_multi_poll", all.multi_poll);
  find(library, "curl_multi_cleanup", all.multi_cleanup);
  find(library, "curl_slist_append", all.slist_append);
  find(library, "curl_slist_free_all", all.slist_free_all);
  if (all.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    throw Error(Code::kInternal, "libcurl cannot be set up", "check its installation");
  }
  return all;
}

}  // namespace

const Libcurl& libcurl() {
  static const Libcurl loaded = load();
  return loaded;
}

}  // namespace residue::model
