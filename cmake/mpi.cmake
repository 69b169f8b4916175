# surefield-mpi: the commands of the program on the ranks of an MPI job. The plain program does not link MPI.
#
# Scotch partitions models over ranks; its 64-bit build is the one to use, which Debian keeps in folders of its own. Without it
# the other partitions are left.
if(SUREFIELD_BUILD_MPI STREQUAL "AUTO")
  find_package(MPI COMPONENTS CXX QUIET)
elseif(SUREFIELD_BUILD_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
if(NOT SUREFIELD_BUILD_MPI OR NOT MPI_CXX_FOUND)
  message(STATUS "surefield-mpi is not built: SUREFIELD_BUILD_MPI is ${SUREFIELD_BUILD_MPI}, MPI found: ${MPI_CXX_FOUND}")
  return()
endif()

file(GLOB SUREFIELD_DISTRIBUTED_SOURCES CONFIGURE_DEPENDS surefield/distributed/*.cpp)
add_library(surefield_distributed STATIC ${SUREFIELD_DISTRIBUTED_SOURCES})
target_link_libraries(surefield_distributed PUBLIC surefield::surefield PRIVATE surefield_warnings MPI::MPI_CXX)
find_path(SUREFIELD_SCOTCH_HEADERS scotch.h PATH_SUFFIXES scotch-int64 NO_CMAKE_SYSTEM_PATH PATHS /usr/include)
find_library(SUREFIELD_SCOTCH_LIBRARY libscotch.a PATH_SUFFIXES scotch-int64
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
find_library(SUREFIELD_SCOTCH_ERRORS libscotcherr.a PATH_SUFFIXES scotch-int64
             PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
if(SUREFIELD_SCOTCH_HEADERS AND SUREFIELD_SCOTCH_LIBRARY AND SUREFIELD_SCOTCH_ERRORS)
  find_package(ZLIB)
  target_compile_definitions(surefield_distributed PRIVATE SUREFIELD_SCOTCH)
  target_include_directories(surefield_distributed SYSTEM PRIVATE ${SUREFIELD_SCOTCH_HEADERS})
  target_link_libraries(surefield_distributed PRIVATE ${SUREFIELD_SCOTCH_LIBRARY} ${SUREFIELD_SCOTCH_ERRORS} z bz2 lzma m)
endif()
surefield_gather(surefield_distributed)

add_executable(surefield_mpi surefield/mpi/main.cpp)
set_target_properties(surefield_mpi PROPERTIES OUTPUT_NAME surefield-mpi)
target_link_libraries(surefield_mpi PRIVATE surefield_commands surefield_distributed surefield_warnings)
install(TARGETS surefield_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
