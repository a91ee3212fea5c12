// BM25 (index/bm25.h) as a weight for Xapian's matcher: Xapian's own BM25Weight cannot give Lucene's idf.
// This header shows xapian.h: only files behind the Xapian wall include it (index/xapian_db.h).
#pragma once

#include <xapian.h>

#include "index/bm25.h"

namespace residue::index {

// Equal to the definition up to the order of summation, which is the matcher's: callers rescore what they keep.
class Bm25Weight final : public Xapian::Weight {
 public:
  explicit Bm25Weight(Bm25Options options);

  Bm25Weight* clone() const override;
  void init(double factor) override;
  double get_sumpart(Xapian::termcount wdf, Xapian::termcount length, Xapian::termcount unique) const override;
  double get_maxpart() const override;
  double get_sumextra(Xapian::termcount length, Xapian::termcount unique) const override;
  double get_maxextra() const override;

 private:
  Bm25Options options_;
  double weight_ = 0;  // idf * wqf * factor
};

}  // namespace residue::index
