# surefield_gather(TARGET COUNT): compiles the sources of a target in runs of at most COUNT files of one layer (the first
# folder), so that what they all include is read once a run and not once a file. A run never crosses layers: the price
# is that names in unnamed namespaces of one layer differ. Files that factor matrices are one run of their own, because
# what Eigen makes of a factorisation is most of their cost.
#
# Off (SUREFIELD_GATHER) while working on one file: then only that file is compiled again.
function(surefield_gather target count)
  if(NOT SUREFIELD_GATHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(last "")
  foreach(source ${sources})
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    file(STRINGS ${source} factors REGEX "#include <(Eigen/|LBFGS)")
    if(factors)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP eigen)
      continue()
    endif()
    string(REGEX REPLACE "^surefield/" "" path ${path})
    string(REGEX REPLACE "/.*" "" layer ${path})
    if(NOT layer STREQUAL last)
      set(last ${layer})
      set(files 0)
      set(run 1)
    elseif(files EQUAL count)
      set(files 0)
      math(EXPR run "${run} + 1")
    endif()
    math(EXPR files "${files} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${layer}_${run})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # a long run is a fifth faster if the compiler collects no garbage below 1 GB
    target_compile_options(${target} PRIVATE --param ggc-min-heapsize=1000000)
  endif()
endfunction()

# surefield_optimise(TARGET DEV RELEASE): the levels at which a target is compiled in place of those of the presets. Layers that ask the
# inner loops and read files are as fast at -O2 as at -O3, for a quarter to a third less to compile.
function(surefield_optimise target dev release)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:${dev}> $<$<CONFIG:Release>:${release}>)
  endif()
endfunction()

# surefield_compile_quickly(TARGET): code that asks the library and waits for it is optimised less than the library: a
# quarter less to compile in the dev preset, four tenths less in the release preset, and what it computes by itself is little.
function(surefield_compile_quickly target)
  surefield_optimise(${target} -Og -O1)
endfunction()
