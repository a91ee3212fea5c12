#include "cli/print/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace residue::cli {
namespace {

TEST(Numbers, GroupsThousands) {
  const struct {
    std::uint64_t number;
    const char* text;
  } cases[] = {{0, "0"}, {999, "999"}, {1000, "1 000"}, {1240, "1 240"}, {5000000, "5 000 000"}, {123456, "123 456"}};
  for (const auto& c : cases) EXPECT_EQ(grouped(c.number), c.text);
}

TEST(Numbers, SayDurationsInTwoUnits) {
  const struct {
    double seconds;
    const char* text;
  } cases[] = {{-1, "0.0s"},      {0.44, "0.4s"},   {9.94, "9.9s"},   {9.96, "10s"},   {59.4, "59s"},
               {59.6, "1m00s"},   {99, "1m39s"},    {3599, "59m59s"}, {3600, "1h00m"}, {7500, "2h05m"},
               {86399, "23h59m"}, {86400, "1d00h"}, {273600, "3d04h"}};
  for (const auto& c : cases) EXPECT_EQ(duration_text(c.seconds), c.text) << c.seconds;
}

TEST(Numbers, SayBytesInBinaryUnits) {
  const struct {
    std::uint64_t bytes;
    const char* text;
  } cases[] = {{0, "0 B"},        {1023, "1023 B"},     {1024, "1.0 KiB"},
               {1536, "1.5 KiB"}, {24117248, "23 MiB"}, {1048575, "1.0 MiB"}};
  for (const auto& c : cases) EXPECT_EQ(bytes_text(c.bytes), c.text);
}

TEST(Numbers, PrintRealsWithFourDecimals) {
  EXPECT_EQ(real_text(0.98434), "0.9843");
  EXPECT_EQ(real_text(1), "1.0000");
  EXPECT_EQ(real_text(0), "0.0000");
  EXPECT_EQ(real_text(0.0000123), "1.230e-05");
  EXPECT_EQ(real_text(std::nan("")), "-");
  EXPECT_EQ(percent_text(0.98434), "98.4 %");
}

TEST(Numbers, WriteJsonNumbersThatReadBackTheSame) {
  for (double value : {0.1, 1.0 / 3, 2.0 / 3, 1e-300, 5e-324, 123456789.125, -0.4444444444444445}) {
    EXPECT_EQ(std::strtod(json_number(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(1), "1.0");
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
}

}  // namespace
}  // namespace residue::cli
