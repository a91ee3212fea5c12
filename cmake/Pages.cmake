# Lets the built program write its manual pages and completions:  cmake -DRESIDUE=... -DTO=... -DSOURCE=... -P Pages.cmake
file(REMOVE_RECURSE ${TO})
file(MAKE_DIRECTORY ${TO}/man1)

function(write_output file)
  execute_process(COMMAND ${RESIDUE} help ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Debian wants manuals and change logs compressed, the same bytes each time.
function(compress file)
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

write_output(${TO}/residue.bash --as bash)
write_output(${TO}/_residue --as zsh)
write_output(${TO}/residue.fish --as fish)
write_output(${TO}/man1/residue.1 --as man)
compress(${TO}/man1/residue.1)
execute_process(COMMAND ${RESIDUE} help --as commands OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n" ";" commands "${commands}")
foreach(command IN LISTS commands)
  if(command STREQUAL "")
    continue()
  endif()
  string(REPLACE " " "-" name "${command}")
  string(REPLACE " " ";" words "${command}")
  write_output(${TO}/man1/residue-${name}.1 ${words} --as man)
  compress(${TO}/man1/residue-${name}.1)
endforeach()

configure_file(${SOURCE}/cmake/copyright ${TO}/copyright COPYONLY)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH's, where it is set
file(WRITE ${TO}/changelog "residue (${VERSION}) unstable; urgency=medium\n\n  * See /usr/share/doc/residue.\n\n")
file(APPEND ${TO}/changelog " -- The developers of Residue <maintainers@users.noreply.example>  ${now}\n")
compress(${TO}/changelog)
file(TOUCH ${TO}/done)
