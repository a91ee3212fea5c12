# Libraries that tests and benches share.

# A language-model server to test against. It runs on threads inside the tests, so it is built as they are, with the same
# sanitizers: ThreadSanitizer reports races that are none around code that it does not see.
add_library(residue_stub_server STATIC tests/stub/stub_server.cc tests/stub/stub_context.cc tests/stub/stub_tasks.cc tests/stub/stub_answers.cc
            tests/stub/stub_gzip.cc tests/stub/stub_presets.cc tests/stub/stub_rewrites.cc tests/stub/stub_obey.cc tests/stub/stub_probabilities.cc)
set_target_properties(residue_stub_server PROPERTIES UNITY_BUILD ${RESIDUE_UNITY} UNITY_BUILD_BATCH_SIZE 4)
target_link_libraries(residue_stub_server PUBLIC residue_settings nlohmann_json::nlohmann_json Threads::Threads)
target_compile_options(residue_stub_server PRIVATE -Wno-conversion)

# What the fast linkers are compared with.
add_library(residue_oracles STATIC tests/index/bm25/bm25_oracle.cc tests/index/dense/dense_oracle.cc
            tests/index/rouge/rouge_oracle.cc)
target_link_libraries(residue_oracles PUBLIC residue_index)
