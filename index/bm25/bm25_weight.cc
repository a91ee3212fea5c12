#include "index/bm25/bm25_weight.h"

#include <algorithm>

namespace residue::index {

Bm25Weight::Bm25Weight(Bm25Options options) : options_(options) {
  for (const auto stat : {COLLECTION_SIZE, AVERAGE_LENGTH, TERMFREQ, WQF, WDF, WDF_MAX, DOC_LENGTH, DOC_LENGTH_MIN}) {
    need_stat(stat);
  }
}

Bm25Weight* Bm25Weight::clone() const { return new Bm25Weight(options_); }

void Bm25Weight::init(double factor) {
  // Xapian asks with factor 0 for the part that does not depend on terms, where wqf means nothing.
  weight_ = factor == 0 ? 0 : bm25_idf(get_collection_size(), get_termfreq()) * get_wqf() * factor;
}

double Bm25Weight::get_sumpart(Xapian::termcount wdf, Xapian::termcount length, Xapian::termcount) const {
  return bm25_part(weight_, wdf, bm25_norm(options_, length, get_average_length()));
}

double Bm25Weight::get_maxpart() const {
  const Xapian::termcount wdf = get_wdf_upper_bound();
  if (wdf == 0) return 0;
  // A share grows with tf and shrinks with the length, and a document is at least as long as one of its terms is
  // frequent. The slack keeps the bound one under rounding.
  const Xapian::termcount length = std::max(get_doclength_lower_bound(), wdf);
  return bm25_part(weight_, wdf, bm25_norm(options_, length, get_average_length())) * (1 + 1e-12);
}

double Bm25Weight::get_sumextra(Xapian::termcount, Xapian::termcount) const { return 0; }

double Bm25Weight::get_maxextra() const { return 0; }

}  // namespace residue::index
