# surefield_find_python(): the interpreter that the Python package is for, in SUREFIELD_PYTHON. The first python3 of the PATH
# need not have NumPy (pyenv, conda); the first that has it is taken. -DSUREFIELD_PYTHON=/path/to/python3 chooses one.
function(surefield_find_python)
  set(candidates ${SUREFIELD_PYTHON})
  if(NOT candidates)
    string(REPLACE ":" ";" folders "$ENV{PATH}")
    foreach(folder ${folders} /usr/bin /usr/local/bin)
      if(EXISTS ${folder}/python3)
        list(APPEND candidates ${folder}/python3)
      endif()
    endforeach()
    list(REMOVE_DUPLICATES candidates)
  endif()
  foreach(candidate ${candidates})
    execute_process(COMMAND ${candidate} -c "import numpy, sys; print(sys.executable)" RESULT_VARIABLE failed
                    OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      set(SUREFIELD_PYTHON ${found} CACHE FILEPATH "The interpreter of the Python package; it has NumPy" FORCE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "The Python package needs a python3 that has NumPy, and none of these has it: ${candidates}. "
                      "scripts/setup.sh installs Debian's; -DSUREFIELD_PYTHON=/path/to/python3 names another; "
                      "-DSUREFIELD_BUILD_PYTHON=OFF leaves the package out.")
endfunction()
