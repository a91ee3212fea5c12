// Words that are names too, and words for offices, kinds of institutions and times. Written by hand; no data set went
// into it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <unordered_set>

#include "base/hash_places.h"
#include "text/following/name_words.h"

namespace residue::text {

namespace {

// What stands in names and names nobody.
constexpr std::string_view kRoles =
    "chef coach manager engineer actor actress singer writer artist composer conductor pianist journalist reporter "
    "editor producer photographer architect scientist physicist chemist economist historian philosopher surgeon "
    "physician dentist psychiatrist psychologist teacher student pupil driver player striker goalkeeper midfielder "
    "quarterback pitcher catcher jockey trainer owner founder partner member members assistant deputy head ceo cfo "
    "interpreter expert witness notary accountant employee employer worker farmer competition contemporary stakes "
    "academy admiral advocate african agency agent agents airport ambassador american and annex appendix applicant "
    "applicants arab archbishop army article articles arts asian assembly association at athletic attorney aunt "
    "australian austrian author authority avenue award awards barrister baseball basketball board book boulevard "
    "brazilian british brother buddhist building bulgarian bureau canadian capt captain cardinal cathedral catholic "
    "center central centre chair chairman chairwoman chamber championship championships chapter chechen chinese choir "
    "city claimant client clinic co code college colonel commander commission commissioner committee company "
    "complainant congress congressman constitution constitutional convention corp corporal corporation council "
    "counsel count countess county courts cricket croatian customer cypriot czech da dame danish daughter de decree "
    "defendant del den department deputy der detective di directive director district doctor doña dr dra drive du "
    "duchess dutch eastern economics education el emperor engineering european federal federation festival film films "
    "finnish football for force forces foundation frau front games gmbh golf government governor grandfather "
    "grandmother greek group harbor harbour herald herr hindu hockey holdings hospital hotel hungarian husband in inc "
    "indian inspector institute institution insurance international islands italian japanese jewish journal junior "
    "kingdom korean kurdish la laboratory lady las lawyer le library lieutenant limited literature llc lord los lower "
    "ltd madame magazine magistrate mayor medal medicine mexican minister ministry miss mlle mme monsieur mr mrs ms "
    "municipal museum muslim mx national navy news newspaper northern norwegian of office old olympic olympics on "
    "opera orchestra order orthodox paragraph parliament party patient philosophy plaintiff plc police polish "
    "portuguese post president princess private prix prize prof professor prosecutor protestant protocol province "
    "quartet quintet radio records region regional registrar regulation representative republic respondent restaurant "
    "rev reverend review river road romanian rugby rule rules russian san santa school science sciences scottish "
    "season secretary section senate senior serbian señor señora signor signora sir sister slovak slovenian society "
    "solicitor southern spanish sr sra srta st state states studies studio studios supreme swedish swiss symphony "
    "team television tennis the theater theatre theology theory times tournament town treaty tribunal tribune trio "
    "turkish tv ukrainian uncle union united university upper van vice vietnamese village von war way welsh western "
    "widow wife world";

constexpr std::string_view kTitles =
    "mr mrs ms mx miss dr prof professor doctor sir dame lady lord rev reverend capt captain herr frau mme mlle "
    "monsieur madame sr sra srta señor señora signor signora doña dra"
    " judge justice general colonel captain lieutenant lt major inspector detective officer sergeant sgt president "
    "minister senator governor mayor father sister brother bishop rabbi imam nurse attorney mister herrn hr don senhor "
    "senhora pan pani med";

// Surnames and first names that are words, and words that stand in titles of things.
constexpr std::string_view kWords =
    "fundamental freedoms chess olympiad olympiads allowance stadium forum philharmonic wanderers economic acting "
    "formula stakes contest festival gala derby classic "
    "abbey able abroad ace acre act action active added adder adult advance advanced affair affairs again age ahead "
    "air alder ale alive alley alone amber ample anchor ancient angel angle animal annual answer apart apple applied "
    "april arch archer arm armour arrow art ash ashes aspen august aurora autumn avenger aye bacon badger bail baker "
    "balance ball ballad band bank banker banks bar barber bard bark barley barn baron barrel barrow base basil bass "
    "bath bay beach beacon bead beam bean bear beard beauty beech beginning being bell bells belt bench berry best "
    "bill birch bird bishop bitter black blackbird blacksmith blade blake bland blank bless blessing block blood "
    "bloom blue body bold bolt bond bone bones books boot born bottom bow bower bowl bowler bowman box boy boys brace "
    "branch brand brandy brass brave bravo bread breeze brew brewer brick bridge bridges bright brook brooks broom "
    "brown brush buck buckle bull bullock bunch burden burn burns bush business butcher butler butter button cable "
    "cage cain cake call camp can candle candy cane cannon cape capital care career carol carpenter carry carter "
    "carver case casey cash castle cat catch cause cave century chad chain chalk chambers champion chance chandler "
    "change chapel chapman character charge charity chase chester chestnut chief child children childs choice "
    "christian church circle civil classic clay clean clear cliff climate clinical close cloud clover club coach coal "
    "coast coates cobb coin cold cole collar collier color colour colt comb comedy comet common community complete "
    "computer constable constant control cook cooke cookson cool cooper copper coral cork corn corner cotton couch "
    "course court cove cover coward cowl cox crab craft crane cream creative crisp crook cross crow crowd crown "
    "cruise crystal culture cup cure current curry curtain cut dagger daily daisy dale dam dance dancer dangerous "
    "dark darling dart dash date dawn day days deacon dead deal dean dear death deep deer defence defense dell dent "
    "design desire destiny development devil dew dick diet digital dignity dike dill dime dinner direct disc "
    "discovery distance ditch dog dove dragon drama draper draw dream drew drink driver drum dry duck duke duty "
    "dwelling dyer eagle earl early earth east economy eden electric element ell elm empire end energy english "
    "enterprise environment equal evening event evidence evil ewe exact example exchange experience eye face fact "
    "fair fairy faith falcon fall falls false fame family fan fantasy farm farmer farrow fashion fast fate father "
    "faulk fear feather feature female fence fern fiction field fields fig figure fin final finch finder fine finger "
    "fire first fish fisher fitter flag flagg flame flannel flash flax fleece fleet flight flint flood flower flowers "
    "fly flynn focus fold folk food foot ford foreign foreman forest forester forge fork form formula fort fortune "
    "forward foster found fountain fowl fowler fox frank free freedom freeman french fresh frey friar friday friend "
    "fries frost fry full fuller fun furnace future gable gale gallery gamble game gang gap garden gardens garland "
    "garner garth gate gates gay gem general generation gentle gentry german ghost giant gift gin girl glass glaze "
    "glazier glee glen global globe glory glove glover god gold golden good goode goodman goose grace grain grammy "
    "grand grange granite grant grape grass grave graves gray great green grey ground grove growth guard guest guide "
    "gulf gulley gun guy hack hail hair half hall halls ham hammer hand hands handy happy hard harder hare harm "
    "harmony harp harper harrow hart harvest hatch hatter haven hawk hay hazard hazel head health heard heart hearth "
    "heath heather hedge height held hell helm help hem hen heritage hero heron hickey hidden high hill hills hind "
    "hinds history hit hive hobby hog hold holder hole holiday hollow holly holt holy home honey honor honour hood "
    "hook hooker hope hopper horn horse hose hour house how huff hull human hundred hunt hunter hurst hut ice idea "
    "idle image impact independence industrial infinite information ink innocent inside interest internet iris irish "
    "iron island issue ivory ivy jack jade jay jet jewel job joint joke jolly journey joy judge june jungle just "
    "justice kay keen keep kettle key keys kid kidd kill kind king kiss kitchen kite knight knights knowledge label "
    "labor labour lace lad lake lamb lamp lance land lander landing lane language lard large lark last latch late "
    "latin law lawn lay leader leading leaf league lean leather leave lee leek left legacy legal legend lemon leopard "
    "lesson letter level levy liberal liberty life light lily lime limit line ling link linn lion list literary "
    "little live living load local lock locker lodge loft logic lonely long look loom loss lost lot loud love low "
    "lowe loyal luck lucky lunar lung lynx mace machine magic magnet maid main major male mallard malt man management "
    "manly mantle maple marble march mare marine mark market marks marsh marshal marten martial mason mass mast "
    "master mate math matter maximum may mayer mead meadow meadows mean means media medical member memorial memory "
    "men mental mercer merchant mercy merit merry message messenger metal method middle midnight mild miles military "
    "mill miller mills mind mine miner minor mint minute mirror mission moat mobile model modern mole moment monday "
    "money monk moody moon moor moore moose more morning moss moth mother motion motor mount mountain mouse movement "
    "mule mundy murder muse music must mystery nail nash nature naval need neighbor nest network new newcomer newman "
    "nice night nightingale nobel noble noon normal north number nurse nut oak oakes oates object ocean officer "
    "official olive only open opening operation orange orchard original otter outer outlaw outside owl ox pace "
    "pacific pack page paige pain paine paint painter palace pale palm palmer pan pang panther paper paradise parent "
    "parish park parker parks parrot parson parsons part partridge pass passion past pat patch path patience paul "
    "payment peace peach peacock pear pearl pebble penny people pepper perch perfect performance period perry person "
    "phase pheasant phoenix phone photo piano picture piece pierce pike pilgrim pilot pine pink piper pipes pit "
    "pitcher place plain planet plaster play player pleasure plum plumber poem poet poetry point pole policy "
    "political politics pollard pond pool poole poor pop pope poplar popular port porter position pot potter potts "
    "pound pounds powder power powers practice pray prayer precious premier present press pretty price pride priest "
    "primary prime prince prior problem process proctor product production professional profit program programme "
    "progress project promise proper proud public purchase pure purple pusher quail quarry queen quest question quick "
    "quiet quill rabbit race rain rainbow rains ram ramp ramsey random range ranger rank rash raven ray read reader "
    "reading ready reality reason rebel record red redd reed reeds reeve reform register regular report research "
    "resident rest revolution reward rhythm rice rich riches rider ridge right rime ring rise rising rivers robin "
    "rock rod role roll roller roman romance rook rookie room root rope rose rosemary rough round rouse rove row "
    "royal ruby rude rural rush rust sable sack sacred saddler safe sage sail sailor saint sale salmon salt sand "
    "sands sandy savage savory sawyer scales schooner screen scribe sea seal seals sealy seaman search second secret "
    "security see seed self sellers senator sense sergeant series service settle seven sex sexton shade shadow shaft "
    "shake sharp shaw shears sheep sheet shell shepherd sheriff shield shilling shine ship shirt shore short shot "
    "shovel show shower shy sickle side sign signal silence silk silver simple singer single sink six skin skinner "
    "skipper sky slack slater sleep slide slight sling sloan slow small smart smile smith smoke snail snake snow "
    "snyder social soil sole solo son song sorrow soul sound source south space spain spark sparks sparrow spear "
    "special speed spence spicer spirit sport sports spring springer spur square squire squires stable stack staff "
    "stage stair stand standard standing star stark stars start station steel steele stein step sterling stern "
    "steward stick still stock stoker stone stones stork storm story strange strategy straw stream street strong "
    "stubbs sturgeon style subject success sugar summer summers sun sunday sunny super support sure surface surgery "
    "survey swallow swan sweet swift sword system table tailor tall tanner target tart taylor teacher teal technical "
    "technology temple ten thatcher theme thick thin thing third thorn thorne thousand three thriller thrush thunder "
    "tide tile till tiller tillman timber time tin tinker title today together toll tombs tool top topping torch "
    "total touch tour tower towers trade trader tradition traffic train trainer trans trapper travel traveler "
    "treasure tree trees trial triangle trick trim trinity trouble trout trowel true trump trust truth tucker tull "
    "turf turk turkey turn turner turtle twelve twentieth twig twin two tyler ultimate under underground underwood "
    "unit unity universal upright urban usher vale valley value vance vane variety veil venture vessel vest vicar "
    "victor victory vine vinegar violet virtue vision visual vital voice volume waddle wade waits wake walk walker "
    "wall waller walls ward warden ware warm warner warren wash water waters watts wave wax wayman wealth weather "
    "weaver web wedge weed week weekend weekes weir welch well wells wench west whale wheat wheel wheeler wheelwright "
    "whip white whitehead wick wicker wild wilder will willow win wind winder window wine wing winner winter winters "
    "wire wise wish wit wolf woman women wonder wood woodman woods woodward wool word words work worker works worth "
    "worthy wren wright writer wynn yard yates year years yellow yeoman yesterday yew young youngman youth zone";

// The words of a list: most words are of none.
class WordSet {
 public:
  explicit WordSet(std::string_view list) {
    while (!list.empty()) {
      const std::size_t end = list.find(' ');
      places_.add(list.substr(0, end));
      words_.insert(list.substr(0, end));
      list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
    }
  }
  [[nodiscard]] bool contains(std::string_view word) const { return places_.may_have(word) && words_.contains(word); }

 private:
  std::unordered_set<std::string_view> words_;
  HashPlaces<16'384> places_;
};

}  // namespace

bool is_common_word(std::string_view key) {
  static const WordSet words(kWords);
  return words.contains(key);
}

bool is_role_word(std::string_view key) {
  static const WordSet words(kRoles);
  return words.contains(key);
}

bool is_particle(std::string_view key) {
  constexpr std::array<std::string_view, 17> kParticles{"de",  "la", "del", "der", "den", "van", "von", "da", "di",
                                                        "dos", "du", "le",  "al",  "bin", "ibn", "ter", "ten"};
  return std::ranges::find(kParticles, key) != kParticles.end();
}

bool is_title_word(std::string_view key) {
  static const WordSet words(kTitles);
  return words.contains(key);
}

}  // namespace residue::text
