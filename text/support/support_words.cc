#include "text/support/support_words.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "text/words/placeholders.h"
#include "text/words/porter.h"

namespace residue::text {
namespace {

constexpr std::string_view kFunction =
    "a an the of in on at to for from by with and or but is are was were be been being am has have had having do does "
    "did "
    "doing done it its this that these those as he she they we i you his her hers their theirs our ours your yours him "
    "them us me my mine who whom whose which what when where why how while also than then there here so such into onto "
    "over under about after before between during through within upon among more most other another some any each both "
    "all only own same too very can will just should would could may might must shall s t d ll re ve m if because "
    "since "
    "until though although however yet still again further up down out off against per via himself herself itself "
    "themselves one's not no nor never none neither without cannot one get got gets getting etc e.g i.e eg ie";

constexpr std::string_view kNegators =
    "no not nor never none neither without cannot can't don't doesn't didn't won't wouldn't isn't aren't wasn't "
    "weren't "
    "hasn't haven't hadn't couldn't shouldn't deny denies denied denying lack lacks lacking lacked unable fails failed";

constexpr std::string_view kScopeEnders =
    "but however although though except besides yet whereas because he she they who which i we you instead otherwise";

constexpr std::string_view kFrame =
    "patient history show shows present presents presented presentation report complain complaint come comes came "
    "bring "
    "examination exam physical reveal note notable noted find finding evaluation evaluate physician doctor medical "
    "take "
    "taking give given say state describe year old age aged day week month hour minute test study result level measure "
    "currently current recently recent past ago time last first begin start started began develop developed experience "
    "make have include including include use used go undergo underwent person people individual mm hg ml mg dl kg cm "
    "percent celsius fahrenheit beat value within deny denies denied evidence reason concern follow due associated "
    "because become became seem appear additional several many much occur happen diagnose diagnosis admit admitted "
    "remain remainder otherwise know known receive received perform performed obtain order ordered increase decrease "
    "typically usually often mention tell told ask user author claim live work";

constexpr std::string_view kCommon =
    "man woman child infant newborn mother father parent wife husband son daughter brother sister family friend doctor "
    "emergency department hospital clinic office room normal abnormality abnormal limit range pain fever blood "
    "pressure pulse temperature respiration respiratory rate heart oxygen saturation air weight height vital sign "
    "medication drug treatment treat therapy surgery symptom disease condition serious illness severe mild moderate "
    "chronic acute left right upper lower bilateral side both skin chest abdomen abdominal lung head eye ear leg arm "
    "hand serum laboratory count cell clear auscultation soft tender tenderness remarkable unremarkable regular daily "
    "night morning today yesterday two three four five several episode onset sudden gradual progressive worse worsen "
    "improve new good well bad high low large small smoke drink alcohol cigarette feel look like want think need help "
    "try keep see second third home house school job city country name thing way lot part number state place call";

// The first word of a group stands for all of them.
constexpr std::string_view kSame =
    "man men male males gentleman boy boys;woman women female females lady girl girls;child children kid kids;"
    "newborn newborns neonate;mother mom mum mothers;father dad fathers;physician physicians doctor doctors dr;"
    "hospital hospitals;pregnant pregnancy;exam examination examinations examine examined exams;"
    "give gave given gives giving administer administered;take took taken takes taking;feel felt feels feeling;"
    "find found finds;begin began begun begins start started starts;bring brought brings;come came comes;"
    "undergo underwent undergone undergoes;wake woke awakened awakens;fall fell fallen falls;break broke broken;"
    "lose lost loses;see saw seen sees;go went gone goes;tell told tells;say said says;write wrote written;know knew "
    "known;"
    "think thought;leave left;grow grew grown;eat ate eaten;drink drank drunk drinks drinking;sleep slept asleep;"
    "become became;buy bought;teach taught;teacher teachers;meet met;win won;build built;make made makes;send sent;"
    "tooth teeth;foot feet;complain complains complained complaint complaints report reports reported;"
    "show shows showed shown showing reveal reveals revealed demonstrate demonstrates demonstrated;"
    "diagnose diagnosed diagnosis;hypertension hypertensive;diabetes diabetic diabetics;"
    "year years yr yrs yo;month months mo;week weeks wk wks;day days;hour hours hr hrs;minute minutes min mins;"
    "second seconds sec secs 2nd;first 1st;third 3rd;fourth 4th;fifth 5th;"
    "pound pounds lb lbs;kilogram kilograms kg kgs;gram grams g;milligram milligrams mg;"
    "microgram micrograms mcg ug;milliliter milliliters ml;liter liters litre litres l;deciliter dl;centimeter "
    "centimeters cm;millimeter millimeters mm;meter meters metre metres;kilometer kilometers km;mile miles;"
    "inch inches;percent percentage;celsius c;fahrenheit f;bpm;dollar dollars usd;euro euros eur;"
    "usa us america american u.s;"
    "sixth 6th;seventh 7th;eighth 8th;ninth 9th;tenth 10th;eleventh 11th;twelfth 12th;thirteenth 13th;fourteenth 14th;"
    "fifteenth 15th;sixteenth 16th;seventeenth 17th;eighteenth 18th;nineteenth 19th;twentieth 20th;uk u.k;"
    "hold held holds;run ran runs;speak spoke spoken;sing sang sung;fight fought;lead led;sell sold;spend spent;"
    "stand stood;steal stole stolen;swim swam swum;throw threw thrown;wear wore worn;catch caught;"
    "choose chose chosen;draw drew drawn;drive drove driven;fly flew flown;forget forgot forgotten;hear heard;"
    "hide hid hidden;keep kept;ride rode ridden;rise rose risen;shake shook shaken;shoot shot;bite bit bitten;"
    "blow blew blown;deal dealt;dig dug;feed fed;flee fled;freeze froze frozen;hang hung;lend lent;pay paid;"
    "seek sought;sink sank sunk;slide slid;spin spun;stick stuck;strike struck;swear swore sworn;sweep swept;"
    "swing swung;tear tore torn;weep wept;bend bent;bleed bled;cling clung;creep crept;kneel knelt;"
    "mistake mistook mistaken;overcome overcame;oversee oversaw overseen;understand understood;"
    "withdraw withdrew withdrawn;arise arose arisen;bear bore borne;sit sat;ring rang rung;"
    "die died dies dying dead death deaths;marry married marries marriage wed wedding;january jan;february feb;"
    "april apr;june jun;july jul;august aug;september sept sep;october oct;november nov;december dec;"
    "germany german germans;italy italian italians;france french;spain spanish;britain british;scotland scottish;"
    "ireland irish;wales welsh;netherlands dutch;sweden swedish;norway norwegian;denmark danish;finland finnish;"
    "poland polish;russia russian;ukraine ukrainian;turkey turkish;greece greek;china chinese;japan japanese;"
    "korea korean;india indian;canada canadian;mexico mexican;brazil brazilian;argentina argentine argentinian;"
    "australia australian;switzerland swiss;belgium belgian;austria austrian;portugal portuguese;"
    "hungary hungarian;israel israeli;egypt egyptian;iran iranian;iraq iraqi;syria syrian;cyprus cypriot;"
    "film films movie movies;attorney attorneys lawyer lawyers;knife knives;wolf wolves;shelf shelves;"
    "thief thieves;analysis analyses;crisis crises";

constexpr std::string_view kUnits =
    "year month week day hour minute second pound kilogram gram milligram microgram milliliter liter deciliter "
    "centimeter millimeter meter kilometer mile inch percent celsius fahrenheit bpm dollar euro";

constexpr std::string_view kNumberWords =
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty";
constexpr std::string_view kTens = "thirty forty fifty sixty seventy eighty ninety hundred";

constexpr std::string_view kHe = "he him his himself";
constexpr std::string_view kShe = "she her hers herself";

// Pairs of words of which the one excludes the other of the same thing.
constexpr std::string_view kRivals =
    "left right;upper lower;anterior posterior;medial lateral;proximal distal;increase decrease;elevate reduce;"
    "high low;positive negative;acute chronic;mild severe;benign malignant;maternal paternal;single married;"
    "improve worsen;gain loss;hypertension hypotension;tachycardia bradycardia;constipation diarrhea;"
    "hyperthyroidism hypothyroidism;north south;east west;early late;major minor;morning evening;summer winter;"
    "man woman;dry wet;hot cold;regular irregular;systolic diastolic;accept refuse;win lose;buy sell;arrive depart";

// Without sons and daughters, who are the patients of parents' reports.
constexpr std::string_view kKin =
    "mother father wife husband brother sister uncle aunt cousin nephew niece grandmother grandfather stepmother "
    "stepfather fiance fiancee boyfriend girlfriend roommate neighbor";
constexpr std::string_view kAnyRelative = "family relative parent grandparent sibling spouse";

// Whom or what a sentence turns to after a relative, and what a relative does as a witness.
constexpr std::string_view kKinEnders =
    "he she they i we you him her them me himself herself patient child boy girl man woman infant newborn baby toddler "
    "adolescent because currently physical examination vital temperature pulse medication";
constexpr std::string_view kWitness =
    "say report state note notice bring describe concern worry think believe tell give ask call add claim mention "
    "insist accompany find see deny";

constexpr std::string_view kPrepositions =
    "by with to for from than at of in on after about like without toward towards between among and";

constexpr std::string_view kReferents = "patient person individual author user man woman child infant newborn";

constexpr std::string_view kPlaceholders = kMaskWords;

template <class F>
void each_word(std::string_view list, F&& visit) {
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    if (end > 0) visit(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

// Of "one other;one other".
template <class F>
void each_pair(std::string_view list, F&& visit) {
  while (!list.empty()) {
    const auto end = std::min(list.find(';'), list.size());
    const auto gap = list.find(' ');
    visit(list.substr(0, gap), list.substr(gap + 1, end - gap - 1));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::string stem_of(std::string_view word) {
  const bool latin = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return latin ? std::string(porter_stem(word, Porter::kMartin)) : std::string(word);
}

// What is left of a stem without the endings that turn nouns into adjectives and verbs: abdomen and abdominal, nausea
// and nauseated, inflamed and inflammation meet here. Never shorter than five letters, so short words meet by stem
// only.
std::string_view root_of(std::string_view stem) {
  static constexpr std::array<std::string_view, 16> kEndings = {"ation", "osi", "iti", "ous", "ic", "in", "en", "at",
                                                                "iv",    "al",  "an",  "ea",  "i",  "e",  "t",  "c"};
  for (bool again = true; again;) {
    again = false;
    for (const auto ending : kEndings) {
      if (stem.size() >= ending.size() + 5 && stem.ends_with(ending)) {
        stem.remove_suffix(ending.size());
        again = true;
        break;
      }
    }
  }
  const auto n = stem.size();
  if (n > 5 && stem[n - 1] == stem[n - 2]) stem.remove_suffix(1);
  return stem;
}

class Lists {
 public:
  Lists() {
    for (std::string_view groups = kSame; !groups.empty();) {
      const auto end = std::min(groups.find(';'), groups.size());
      const auto group = groups.substr(0, end);
      const auto head = group.substr(0, group.find(' '));
      each_word(group, [&](std::string_view word) { same_.emplace(word, head); });
      groups.remove_prefix(std::min(end + 1, groups.size()));
    }
    // From the lightest to the heaviest, and the first to name a key wins.
    each_word(kFrame, [&](std::string_view word) { weight_.emplace(key_of(word), kFrameWeight); });
    each_word(kCommon, [&](std::string_view word) { weight_.emplace(key_of(word), kCommonWeight); });
    each_word(kFunction, [&](std::string_view word) { exact(word).weight = kFunctionWeight; });
    each_word(kNegators, [&](std::string_view word) {
      exact(word).weight = kFunctionWeight;
      exact(word).negator = true;
    });
    each_word(kScopeEnders, [&](std::string_view word) { exact(word).ends_scope = true; });
    each_word(kHe, [&](std::string_view word) { exact(word).implied = key_of("man"); });
    each_word(kShe, [&](std::string_view word) { exact(word).implied = key_of("woman"); });
    each_pair(kRivals, [&](std::string_view one, std::string_view other) {
      rivals_.emplace(key_of(one), key_of(other));
      rivals_.emplace(key_of(other), key_of(one));
    });
    std::uint8_t relative = 0;
    each_word(kKin, [&](std::string_view word) { kin_.emplace(key_of(word), ++relative); });
    relative = kAnyKin;
    each_word(kAnyRelative, [&](std::string_view word) { kin_.emplace(key_of(word), relative++); });
    each_word(kKinEnders, [&](std::string_view word) { kin_enders_.insert(key_of(word)); });
    each_word(kReferents, [&](std::string_view word) { referents_.insert(key_of(word)); });
    each_word(kWitness, [&](std::string_view word) { kin_enders_.insert(key_of(word)); });
    each_word(kPrepositions, [&](std::string_view word) { exact(word).preposition = true; });
    each_word(kPlaceholders, [&](std::string_view word) { exact(word).placeholder = true; });
    std::int64_t value = 0;
    each_word(kNumberWords, [&](std::string_view word) { numbers_.emplace(word, value++); });
    value = 30;
    each_word(kTens, [&](std::string_view word) {
      numbers_.emplace(word, value);
      value += 10;
    });
    each_word(kUnits, [&](std::string_view word) { units_.emplace(key_of(word), true); });
  }

  [[nodiscard]] SupportWord analyze(std::string_view word) const {
    SupportWord out;
    if (const auto listed = exact_.find(std::string(word)); listed != exact_.end()) out = listed->second;
    if (const auto number = numbers_.find(std::string(word)); number != numbers_.end()) out.number = number->second;
    const auto stem = head_stem(word);
    out.key = hash_bytes(stem, kWordSeed);
    out.root = hash_bytes(root_of(stem), kRootSeed);
    if (out.weight == kOrdinaryWeight) {
      if (const auto weight = weight_.find(out.key); weight != weight_.end()) out.weight = weight->second;
    }
    if (const auto rival = rivals_.find(out.key); rival != rivals_.end()) out.rival = rival->second;
    if (const auto kin = kin_.find(out.key); kin != kin_.end()) out.kin = kin->second;
    out.ends_kin = kin_enders_.contains(out.key);
    out.unit = units_.contains(out.key);
    out.referent = referents_.contains(out.key);
    if (out.unit) out.weight = std::min(out.weight, kFrameWeight);
    return out;
  }

 private:
  static constexpr std::uint64_t kWordSeed = 1;
  static constexpr std::uint64_t kRootSeed = 2;

  [[nodiscard]] std::string head_stem(std::string_view word) const {
    const auto found = same_.find(std::string(word));
    return stem_of(found == same_.end() ? word : std::string_view(found->second));
  }
  [[nodiscard]] std::uint64_t key_of(std::string_view word) const { return hash_bytes(head_stem(word), kWordSeed); }
  SupportWord& exact(std::string_view word) { return exact_[std::string(word)]; }

  std::unordered_map<std::string, std::string> same_;
  std::unordered_map<std::string, SupportWord> exact_;
  std::unordered_map<std::string, std::int64_t> numbers_;
  std::unordered_map<std::uint64_t, std::uint8_t> weight_;
  std::unordered_map<std::uint64_t, bool> units_;
  std::unordered_map<std::uint64_t, std::uint64_t> rivals_;
  std::unordered_map<std::uint64_t, std::uint8_t> kin_;
  std::unordered_set<std::uint64_t> kin_enders_;
  std::unordered_set<std::uint64_t> referents_;
};

const Lists& lists() {
  static const Lists instance;
  return instance;
}

// Direct-mapped: the word itself is compared, so a hit is always the right word.
struct CacheLine {
  static constexpr std::size_t kLongest = 23;
  std::array<char, kLongest> word{};
  std::uint8_t size = 0;
  SupportWord form;
};
constexpr std::size_t kCacheLines = 4096;

}  // namespace

const SupportWord& support_word(std::string_view word) {
  thread_local std::vector<CacheLine> cache(kCacheLines);
  thread_local SupportWord uncached;
  if (word.empty() || word.size() > CacheLine::kLongest) {
    uncached = lists().analyze(word);
    return uncached;
  }
  CacheLine& line = cache[hash_bytes(word) % kCacheLines];
  if (line.size != word.size() || std::memcmp(line.word.data(), word.data(), word.size()) != 0) {
    line.form = lists().analyze(word);
    std::memcpy(line.word.data(), word.data(), word.size());
    line.size = static_cast<std::uint8_t>(word.size());
  }
  return line.form;
}

std::uint64_t support_number_key(std::string_view canonical) { return hash_bytes(canonical, 3); }

std::uint64_t support_words_digest() {
  std::uint64_t digest = 0;
  for (const auto list :
       {kFunction, kNegators, kScopeEnders, kFrame, kCommon, kSame, kUnits, kNumberWords, kTens, kHe, kShe, kRivals,
        kKin, kAnyRelative, kKinEnders, kWitness, kPrepositions, kReferents, kPlaceholders}) {
    digest = hash_bytes(list, digest);
  }
  for (const auto weight :
       {kFunctionWeight, kFrameWeight, kCommonWeight, kOrdinaryWeight, kNumberWeight, kNameWeight}) {
    digest = mix(digest + weight);
  }
  return digest;
}

}  // namespace residue::text
