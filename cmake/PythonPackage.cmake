# Where the module of Python is built, the Debian package is python3-residue: the component python and nothing else.
set(python_packages lib/python3/dist-packages/residue)
set(python_docs share/doc/python3-residue)
file(GLOB python_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/residue/*.py ${CMAKE_SOURCE_DIR}/python/residue/*.pyi
  ${CMAKE_SOURCE_DIR}/python/residue/py.typed)
install(FILES ${python_files} DESTINATION ${python_packages} COMPONENT python)
install(TARGETS residue_module LIBRARY DESTINATION ${python_packages} COMPONENT python)
install(FILES ${CMAKE_BINARY_DIR}/python/residue/libresidue_facts.so.1 DESTINATION ${python_packages} COMPONENT python)
install(TARGETS residue_statement RUNTIME DESTINATION ${python_packages} COMPONENT python)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/copyright ${CMAKE_SOURCE_DIR}/docs/python.md DESTINATION ${python_docs}
  COMPONENT python)
# scripts/package has made it for the program.
install(FILES ${CMAKE_SOURCE_DIR}/build/release/installed/changelog.gz DESTINATION ${python_docs} COMPONENT python OPTIONAL)

set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};residue;python;/")
set(CPACK_PACKAGE_NAME python3-residue)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "measure what a text sanitizer leaves behind, in Python")
set(CPACK_PACKAGE_DESCRIPTION
"The stores of residue in Python: data frames in and out, a function as a
sanitizer, evaluation with progress, SQL. Also ROUGE-L, BM25 and a judge over
plain lists of texts.")
set(CPACK_DEBIAN_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy, libcurl4 (>= 7.85)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-pandas)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS residue)
