// What a server, or what stands before it, may do to a request, and what then becomes of it in the ledger. But for
// "saved" the question is asked again.
#pragma once

namespace residue::model::testing {

struct Misbehaviour {
  const char* behaviour;  // of stub::Server
  const char* state;
  bool takes_long = false;
};

inline constexpr Misbehaviour kMisbehaviours[] = {{"ok", "saved"},
                                                  {"chunked", "saved"},
                                                  {"gzip", "saved"},
                                                  {"wrapped", "saved"},
                                                  {"fenced", "saved"},
                                                  {"think", "saved"},
                                                  {"eos", "saved"},
                                                  {"end_turn", "saved"},
                                                  {"close-idle", "saved"},
                                                  {"truncated-json", "invalid"},
                                                  {"close-no-length", "invalid"},
                                                  {"empty", "invalid"},
                                                  {"error200", "invalid"},
                                                  {"no-choices", "invalid"},
                                                  {"refused", "invalid"},
                                                  {"length", "invalid"},
                                                  {"content-filter", "invalid"},
                                                  {"tool-calls", "invalid"},
                                                  {"null-content", "invalid"},
                                                  {"empty-content", "invalid"},
                                                  {"not-json", "invalid"},
                                                  {"html", "invalid"},
                                                  {"204", "invalid"},
                                                  {"rating-4", "invalid"},
                                                  {"rating-string", "invalid"},
                                                  {"rating-float", "invalid"},
                                                  {"rating-true", "invalid"},
                                                  {"missing-claim", "invalid"},
                                                  {"repeat-claim", "invalid"},
                                                  {"unknown-claim", "invalid"},
                                                  {"duplicate-key", "invalid"},
                                                  {"reply-key-twice", "invalid"},
                                                  {"no-ratings", "invalid"},
                                                  {"huge", "invalid", true},
                                                  {"500", "unknown"},
                                                  {"502", "unknown"},
                                                  {"504", "unknown"},
                                                  {"408", "unknown"},
                                                  {"close-before", "unknown"},
                                                  {"reset", "unknown"},
                                                  {"close-mid", "unknown"},
                                                  {"chunked-cut", "unknown"},
                                                  {"garbage", "unknown"},
                                                  {"gzip-broken", "unknown"},
                                                  {"slow", "unknown", true},
                                                  {"503", "refused"},
                                                  {"503-loading", "refused"},
                                                  {"502-bare", "refused"},
                                                  {"429", "refused"},
                                                  {"429-after-1", "refused", true}};

// What no second request mends.
inline constexpr const char* kHopeless[] = {"400", "401", "403", "404", "429-quota", "redirect"};

}  // namespace residue::model::testing
