#include "text/measures/vader_words.h"

namespace residue::text {
namespace {

constexpr VaderRoleWord kRoles[] = {
    {"no", kVaderNo},
    {"or", kVaderOr},
    {"nor", kVaderOr},
    {"never", kVaderNever},
    {"so", kVaderSo},
    {"this", kVaderSo},
    {"without", kVaderWithout},
    {"doubt", kVaderDoubt},
    {"least", kVaderLeast},
    {"at", kVaderAt},
    {"very", kVaderAt},
    {"but", kVaderBut},
    // Contractions without their apostrophe.
    {"aint", kVaderNegates},
    {"arent", kVaderNegates},
    {"cant", kVaderNegates},
    {"couldnt", kVaderNegates},
    {"darent", kVaderNegates},
    {"didnt", kVaderNegates},
    {"doesnt", kVaderNegates},
    {"dont", kVaderNegates},
    {"hadnt", kVaderNegates},
    {"hasnt", kVaderNegates},
    {"havent", kVaderNegates},
    {"isnt", kVaderNegates},
    {"mightnt", kVaderNegates},
    {"mustnt", kVaderNegates},
    {"neednt", kVaderNegates},
    {"oughtnt", kVaderNegates},
    {"shant", kVaderNegates},
    {"shouldnt", kVaderNegates},
    {"wasnt", kVaderNegates},
    {"werent", kVaderNegates},
    {"wont", kVaderNegates},
    {"wouldnt", kVaderNegates},
    // Others.
    {"cannot", kVaderNegates},
    {"despite", kVaderNegates},
    {"neither", kVaderNegates},
    {"never", kVaderNegates},
    {"none", kVaderNegates},
    {"nope", kVaderNegates},
    {"nor", kVaderNegates},
    {"not", kVaderNegates},
    {"nothing", kVaderNegates},
    {"nowhere", kVaderNegates},
    {"rarely", kVaderNegates},
    {"seldom", kVaderNegates},
    {"uh-uh", kVaderNegates},
    {"uhuh", kVaderNegates},
    {"without", kVaderNegates},
};

constexpr std::string_view kIntensifiers[] = {
    "absolutely",    "amazingly",  "awfully",   "completely", "considerable", "considerably", "decidedly",
    "deeply",        "effing",     "enormous",  "enormously", "entirely",     "especially",   "exceptional",
    "exceptionally", "extreme",    "extremely", "fabulously", "flippin",      "flipping",     "frackin",
    "fracking",      "frickin",    "fricking",  "friggin",    "frigging",     "fuckin",       "fucking",
    "fuggin",        "fugging",    "fully",     "greatly",    "hella",        "highly",       "hugely",
    "incredible",    "incredibly", "intensely", "major",      "majorly",      "more",         "most",
    "particularly",  "purely",     "quite",     "really",     "remarkably",   "so",           "substantially",
    "thoroughly",    "total",      "totally",   "tremendous", "tremendously", "uber",         "unbelievably",
    "unusually",     "utter",      "utterly",   "very",
};

constexpr std::string_view kDampeners[] = {
    "almost",   "barely",   "hardly",     "kind-of",    "kinda",        "kindof", "less",
    "little",   "marginal", "marginally", "occasional", "occasionally", "partly", "scarce",
    "scarcely", "slight",   "slightly",   "somewhat",   "sort-of",      "sorta",  "sortof",
};

constexpr VaderPhrase kPhrases[] = {
    {{"the", "shit", ""}, 3},  {{"the", "bomb", ""}, 3},        {{"bad", "ass", ""}, 1.5},
    {{"bus", "stop", ""}, 0},  {{"yeah", "right", ""}, -2},     {{"kiss", "of", "death"}, -1.5},
    {{"to", "die", "for"}, 3}, {{"beating", "heart", ""}, 3.1}, {{"broken", "heart", ""}, -2.9},
};

constexpr std::array<std::string_view, 2> kDoubleDampeners[] = {{"just", "enough"}, {"kind", "of"}, {"sort", "of"}};

}  // namespace

std::span<const VaderRoleWord> vader_role_words() { return kRoles; }
std::span<const std::string_view> vader_intensifiers() { return kIntensifiers; }
std::span<const std::string_view> vader_dampeners() { return kDampeners; }
std::span<const VaderPhrase> vader_phrases() { return kPhrases; }
std::span<const std::array<std::string_view, 2>> vader_double_dampeners() { return kDoubleDampeners; }

}  // namespace residue::text
