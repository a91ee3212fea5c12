// ingest vectors: what an embedding model made of texts that are there.
#include <memory>
#include <string>

#include "base/error.h"
#include "base/hash.h"
#include "cli/command.h"
#include "cli/flags/ingest_options.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/syntax.h"
#include "ingest/files/dataset.h"
#include "ingest/files/vectors.h"

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
  syntax.add("--model", options->model, "what made the vectors; models are kept apart by this name").required();
  syntax.add("--of", options->source.of, "whose vectors: record (default), variant, claim")
      .one_of({"record", "variant", "claim"});
  syntax.add("--run", options->source.run, "the run of variants' vectors");
  syntax.add("--set", options->set, "the claim set that \"r-12#2\" counts in (default: claims)");
  syntax.add("--ids", options->source.ids, "FILE is a .npy file; this one has the ids of its rows, one a line");
  return [options](Context& context) {
    if (options->source.ids && options->files.size() > 1) {
      throw Error(Code::kUsage, "one file of ids, several .npy files", "ingest them one by one");
    }
    const auto store = open_store(context);
    return ingest_files(context, *options, [&](const auto& source, const auto& how) {
      const auto rows = ingest::open_vectors(source);
      ingest::SourceIdentity file = ingest::identify(source);
      file.reading = hash_of(file.reading, options->set);
      return ingest::ingest_vectors(*store, options->target, options->model, options->set, *rows, file, how);
    });
  };
}

}  // namespace

Command ingest_vectors_command() {
  return {
      .name = "ingest vectors",
      .group = Group::kBringIn,
      .summary = "embeddings of texts, made elsewhere",
      .usage =
          "DATASET FILE... --model NAME [--of record|variant|claim] [--run RUN] [--set NAME] [--ids FILE] "
          "[--on-error stop|skip]",
      .details =
          "FILEs are JSON Lines with \"id\" and \"vector\", or one .npy file with --ids. A vector belongs to a text:\n"
          "what has the same text shares it, and of several in one file the first counts. Vectors are kept as safe\n"
          "as the texts, which can be guessed from them. The same command again continues an interrupted one.",
      .examples = {{"residue ingest vectors clinic vectors.jsonl --model minilm",
                    "lines {\"id\": ..., \"vector\": [...]}"},
                   {"residue ingest vectors clinic azure.npy --ids ids.txt --model minilm --of variant --run azure",
                    "a NumPy matrix, one row for each id"}},
      .setup = setup};
}

}  // namespace residue::cli
