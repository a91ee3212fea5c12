// The vocabulary of the atomizer: which words govern clauses and lists, and which forbid a split. Any change of a list
// is a new kAtomizerVersion.
#pragma once

#include <array>
#include <string_view>

namespace residue::ingest::atomizer_words {

inline constexpr auto kFinite = std::to_array<std::string_view>(
    {"is",     "are",     "was",      "were",      "has",       "had",       "have",         "shows",
     "showed", "reveals", "revealed", "denies",    "denied",    "reports",   "reported",     "takes",
     "took",   "appears", "appeared", "reads",     "remains",   "remained",  "feels",        "felt",
     "does",   "did",     "can",      "could",     "cannot",    "will",      "would",        "must",
     "may",    "lives",   "lived",    "works",     "worked",    "drinks",    "drank",        "smokes",
     "smoked", "states",  "stated",   "became",    "began",     "started",   "stopped",      "came",
     "died",   "wants",   "wanted",   "complains", "presents",  "presented", "received",     "lost",
     "said",   "says",    "walks",    "sleeps",    "slept",     "gave",      "grew",         "asked",
     "fell",   "rose",    "vomited",  "returned",  "found",     "sees",      "demonstrates", "demonstrated",
     "weighs", "admits",  "appeals",  "develops",  "developed", "looks",     "looked"});
// Verbs that may follow "and" with the same subject.
inline constexpr auto kSameSubject = std::to_array<std::string_view>(
    {"is",       "was",       "are",    "were",    "has",    "had",      "denies",  "denied", "reports",
     "reported", "takes",     "lives",  "works",   "drinks", "smokes",   "appears", "does",   "cannot",
     "feels",    "complains", "states", "wants",   "hears",  "uses",     "plays",   "keeps",  "sings",
     "speaks",   "studies",   "sees",   "teaches", "eats",   "collects", "owns",    "weighs"});
inline constexpr auto kPronouns = std::to_array<std::string_view>({"he", "she", "it", "they", "there", "we", "i"});
inline constexpr auto kSubordinate =
    std::to_array<std::string_view>({"who",   "whom",    "whose",    "which",  "that",    "because", "when",  "while",
                                     "if",    "whether", "although", "though", "unless",  "until",   "since", "as",
                                     "after", "before",  "where",    "than",   "despite", "so",      "what",  "how"});
inline constexpr auto kPrepositions = std::to_array<std::string_view>(
    {"of",      "in",   "on",     "at",     "to",     "from",    "with",    "around", "over",  "under",
     "into",    "for",  "by",     "during", "within", "without", "through", "per",    "about", "between",
     "against", "near", "across", "along",  "upon",   "every",   "each",    "due"});
inline constexpr auto kPairs =
    std::to_array<std::string_view>({"between", "both", "either", "neither", "nor", "respectively", "not", "total"});
// A list may start after one of these (the last word of the lead-in).
inline constexpr auto kTriggers = std::to_array<std::string_view>(
    {"denies", "denied", "no",      "without",  "reports",   "reported", "has",
     "had",    "have",   "takes",   "took",     "include",   "includes", "included",
     "shows",  "showed", "reveals", "revealed", "developed", "develops", "demonstrates"});
// A list may start after a preposition that belongs to one of these.
inline constexpr auto kTriggerPairs = std::to_array<std::string_view>(
    {"history of",    "complains of",    "complaining of",  "complained of", "complaints of",  "negative for",
     "positive for",  "allergic to",     "significant for", "notable for",   "remarkable for", "diagnosed with",
     "presents with", "presented with",  "treated with",    "symptoms of",   "signs of",       "evidence of",
     "episodes of",   "consistent with", "because of",      "denies any",    "denied any",     "family of"});
inline constexpr auto kWholePhrases = std::to_array<std::string_view>(
    {"shortness of breath", "loss of appetite", "loss of consciousness", "loss of smell", "loss of taste",
     "loss of weight", "loss of vision", "blood in", "change in", "difficulty in", "lack of appetite"});
inline constexpr auto kIdioms = std::to_array<std::string_view>(
    {"up and down",        "on and off",       "back and forth",    "again and again",
     "more and more",      "more or less",     "wear and tear",     "trial and error",
     "pins and needles",   "once or twice",    "one or two",        "two or three",
     "day and night",      "head and neck",    "nose and throat",   "obstetrics and gynecology",
     "now and then",       "over and over",    "hand and foot",     "bread and butter",
     "time and place",     "person and place", "rest and exercise", "cut and dried",
     "risks and benefits", "rise and fall",    "height and weight", "side to side"});
// Words that mostly modify the noun that comes behind the joint: "weight and hair loss".
inline constexpr auto kModifiers = std::to_array<std::string_view>(
    {"heart",    "lung",    "brain",  "breast",   "skin",   "knee",      "hip",      "arm",    "leg",   "hand",
     "foot",     "wrist",   "ankle",  "shoulder", "elbow",  "colon",     "drug",     "blood",  "bowel", "bladder",
     "eye",      "ear",     "throat", "left",     "right",  "upper",     "lower",    "red",    "dry",   "mild",
     "severe",   "weight",  "hair",   "chest",    "muscle", "joint",     "night",    "high",   "low",   "large",
     "small",    "deep",    "first",  "second",   "third",  "one",       "two",      "three",  "four",  "acute",
     "moderate", "old",     "young",  "new",      "hot",    "cold",      "back",     "neck",   "front", "inner",
     "outer",    "long",    "short",  "round",    "firm",   "soft",      "tender",   "smooth", "warm",  "clear",
     "bone",     "liver",   "kidney", "vitamin",  "type",   "hepatitis", "her",      "his",    "their", "the",
     "a",        "an",      "very",   "both",     "any",    "diffuse",   "white",    "black",  "blue",  "yellow",
     "dark",     "thick",   "thin",   "intense",  "sharp",  "dull",      "frequent", "recent", "stage", "grade",
     "s1",       "sensory", "motor",  "well",     "alert",  "weak",      "poor",     "free"});
inline constexpr auto kFindingsInIng = std::to_array<std::string_view>(
    {"vomiting", "wheezing", "swelling", "bleeding", "itching",  "bruising", "sweating",
     "coughing", "burning",  "ringing",  "tingling", "bloating", "cramping", "stinging",
     "flushing", "clubbing", "drooling", "snoring",  "scarring", "guarding", "smoking"});

}  // namespace residue::ingest::atomizer_words
