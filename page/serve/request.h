// What a browser asks, and what it gets.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace residue::page {

struct Request {
  std::string method;  // GET or POST
  std::string path;
  std::map<std::string, std::string, std::less<>> query;  // UTF-8; of equal names the last
  std::string body = {};
};

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::string file = {};  // under this name it is saved; empty: it is shown
  std::string news = {};  // for later answers, as Kept::news has them
};

}  // namespace residue::page
