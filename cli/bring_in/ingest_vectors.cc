// ingest vectors: what an embedding model made of texts that are there.
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/syntax.h"
#include "ingest/files/dataset.h"
#include "verbs/ingest.h"

namespace residue::cli {
namespace {

Run setup(Syntax& syntax) {
  struct Flags : IngestFlags {
    ingest::VectorSourceOptions source;
    std::string model;
    std::string set{ingest::kDefaultClaimSet};
  };
  auto options = std::make_shared<Flags>();
  syntax.add("DATASET", options->target, "the dataset whose texts have these vectors").required();
  options->add_to(syntax);
  syntax.add("--model", options->model, "a name for the model that made the vectors").required();
  syntax
      .add("--of", options->source.of, "what the vectors are of: record (default), variant (a text of a run) or claim")
      .one_of({"record", "variant", "claim"});
  syntax.add("--run", options->source.run, "with --of variant: the run");
  syntax.add("--set", options->set, "the claim set in which \"r-12#2\" is claim number 2 of r-12 (default: claims)");
  syntax.add("--ids", options->source.ids, "for a .npy file: the file with the ids of its rows, one a line");
  return [options](Context& context) {
    const auto store = open_store(context);
    verbs::VectorsOptions wanted;
    wanted.dataset = options->target;
    wanted.model = options->model;
    wanted.set = options->set;
    ingest_rows(context, *store, *options, wanted, verbs::ingest_vectors);
    return 0;
  };
}

}  // namespace

Command ingest_vectors_command() {
  return {.name = "ingest vectors",
          .group = Group::kBringIn,
          .summary = "embeddings of texts, made elsewhere",
          .usage =
              "DATASET FILE... --model NAME [--of record|variant|claim] [--run RUN] [--set NAME] [--ids FILE] "
              "[--on-error stop|skip]",
          .details =
              "FILEs are JSON Lines with \"id\" and \"vector\", or one .npy file with --ids. A vector belongs to a "
              "text: whatever has the same text shares it. If a file has several vectors of one text, the first "
              "counts. Texts can be guessed from their vectors, so both are protected alike. An interrupted command "
              "goes on when it is repeated.",
          .examples = {{"residue ingest vectors clinic vectors.jsonl --model minilm",
                        "lines {\"id\": ..., \"vector\": [...]}"},
                       {"residue ingest vectors clinic azure.npy --ids ids.txt --model minilm --of variant --run azure",
                        "a NumPy matrix, one row for each id"}},
          .setup = setup};
}

}  // namespace residue::cli
