# The studio's page: page/studio bundled by esbuild on the packages that cmake/page.cmake fetched, linked into a target.
function(surefield_add_studio_page target)
  set(source ${PROJECT_SOURCE_DIR}/page)
  set(build ${PROJECT_BINARY_DIR}/page)
  set(SUREFIELD_STUDIO_PAGE ${build}/studio)
  file(MAKE_DIRECTORY ${SUREFIELD_STUDIO_PAGE})
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${source}/*.js ${source}/*.css ${source}/*.html ${source}/*.mjs)
  list(FILTER parts EXCLUDE REGEX "/node_modules/")
  set(made ${SUREFIELD_STUDIO_PAGE}/studio.html ${SUREFIELD_STUDIO_PAGE}/studio.js ${SUREFIELD_STUDIO_PAGE}/studio.css)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${SUREFIELD_NODE} ${source}/studio/build.mjs ${build} ${SUREFIELD_STUDIO_PAGE}
    DEPENDS ${build}/packages.stamp ${parts}
    COMMENT "Bundling the studio's page"
    VERBATIM)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/studio_assets.cpp.in ${build}/studio_assets.cpp @ONLY)
  set_source_files_properties(${build}/studio_assets.cpp PROPERTIES OBJECT_DEPENDS "${made}")
  target_sources(${target} PRIVATE ${build}/studio_assets.cpp)
endfunction()
