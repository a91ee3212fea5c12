# What `cmake --install` and the Debian package hold: the program, a manual page for each command, completions for three
# shells, the documents. The built program writes the pages and the completions.
include(GNUInstallDirs)
install(TARGETS residue)

set(made ${CMAKE_BINARY_DIR}/installed)
add_custom_command(OUTPUT ${made}/done
  COMMAND ${CMAKE_COMMAND} -DRESIDUE=$<TARGET_FILE:residue> -DTO=${made} -DSOURCE=${CMAKE_SOURCE_DIR}
    -DVERSION=${PROJECT_VERSION} -P ${CMAKE_SOURCE_DIR}/cmake/Pages.cmake
  DEPENDS residue ${CMAKE_SOURCE_DIR}/cmake/Pages.cmake ${CMAKE_SOURCE_DIR}/cmake/copyright
  VERBATIM)
add_custom_target(pages ALL DEPENDS ${made}/done)  # `cmake --install` takes what is there

install(DIRECTORY ${made}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${made}/residue.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME residue OPTIONAL)
install(FILES ${made}/_residue DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions OPTIONAL)
install(FILES ${made}/residue.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
install(FILES ${made}/copyright ${made}/changelog.gz README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME residue)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "measure what a text sanitizer leaves behind")
set(CPACK_PACKAGE_DESCRIPTION
"Residue plays the attacker against sanitized texts: it links what somebody
might know about a person to the released records, judges what the found text
still says, and reports privacy and utility with intervals. It stores every
run and every judgment, so that a new run costs only what is new.
.
It works on this machine alone. Texts are sent to a language model only where
an endpoint was added and its host was allowed for the dataset.")
set(CPACK_PACKAGE_VENDOR "the developers of Residue")
set(CPACK_PACKAGE_CONTACT "The developers of Residue <maintainers@users.noreply.example>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/extension)  # libresidue_facts.so
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcurl4 (>= 7.85)")  # loaded by name: nothing is linked with it
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "wordnet-base, man-db, bash-completion")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
if(RESIDUE_PYTHON)
  include(PythonPackage)
endif()
include(CPack)
