# The report page: page/ bundled by esbuild, with Vega-Lite, into one HTML template; its bytes linked into a target.
#
# The npm packages are those of page/package-lock.json and live in the build folder. They are fetched once; npm keeps them for
# other build folders.
function(surefield_add_page target)
  find_program(SUREFIELD_NODE NAMES node nodejs)
  find_program(SUREFIELD_NPM npm)
  if(NOT SUREFIELD_NODE OR NOT SUREFIELD_NPM)
    message(FATAL_ERROR "The report page is built with node and npm, and one of them is missing (node: ${SUREFIELD_NODE}, "
                        "npm: ${SUREFIELD_NPM}). scripts/setup.sh installs them. To build the library alone: "
                        "-DSUREFIELD_BUILD_PROGRAM=OFF -DSUREFIELD_BUILD_TESTS=OFF")
  endif()
  set(source ${PROJECT_SOURCE_DIR}/page)
  set(build ${PROJECT_BINARY_DIR}/page)
  set(SUREFIELD_PAGE_TEMPLATE ${build}/page_template.html)
  file(MAKE_DIRECTORY ${build})

  set(only "--omit=dev")
  if(SUREFIELD_BUILD_TESTS)
    set(only "--include=dev")  # the tests drive a browser
  endif()
  add_custom_command(
    OUTPUT ${build}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E copy ${source}/package.json ${source}/package-lock.json ${build}
    COMMAND ${SUREFIELD_NPM} ci ${only} --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${build}/packages.stamp
    DEPENDS ${source}/package.json ${source}/package-lock.json
    WORKING_DIRECTORY ${build}
    COMMENT "Fetching the packages of the report page"
    VERBATIM)
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${source}/*.js ${source}/*.css ${source}/*.html ${source}/*.mjs)
  list(FILTER parts EXCLUDE REGEX "/node_modules/")
  add_custom_command(
    OUTPUT ${SUREFIELD_PAGE_TEMPLATE}
    COMMAND ${SUREFIELD_NODE} ${source}/build.mjs ${build} ${SUREFIELD_PAGE_TEMPLATE}
    DEPENDS ${build}/packages.stamp ${parts}
    COMMENT "Bundling the report page"
    VERBATIM)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/page_template.cpp.in ${build}/page_template.cpp @ONLY)
  set_source_files_properties(${build}/page_template.cpp PROPERTIES OBJECT_DEPENDS ${SUREFIELD_PAGE_TEMPLATE})
  target_sources(${target} PRIVATE ${build}/page_template.cpp)
endfunction()
