# MindPy.so: the dialect for MLIR's Python bindings, against the one library that holds their MLIR.

set(capi ${MIND_BINDINGS_DIR}/${CMAKE_SHARED_LIBRARY_PREFIX}MLIRPythonCAPI${CMAKE_SHARED_LIBRARY_SUFFIX})
if(NOT MIND_PYTHON)
  return()
elseif(NOT EXISTS ${capi})
  message(STATUS "MindPy.so is left out: there is no ${capi}")
  return()
endif()

# The bindings' version, as its distribution states it: mind_mlir/dialects/native_dialect.py loads what is built for its
# own.
file(GLOB distribution "${MIND_BINDINGS_DIR}/../../xtc_mlir_python_bindings-*.dist-info")
string(REGEX MATCH "bindings-([0-9.]+)\\.dist-info$" distribution "${distribution}")
set(MIND_BINDINGS_VERSION "${CMAKE_MATCH_1}")

add_library(MindPy MODULE python/MindPy.cpp $<TARGET_OBJECTS:MindObjects>)
set_target_properties(MindPy PROPERTIES PREFIX ""
  BUILD_RPATH "${MIND_BINDINGS_DIR};${LLVM_LIBRARY_DIRS}"
  INSTALL_RPATH "${MIND_BINDINGS_RPATH};${MIND_RPATH}")
mind_uses_objects(MindPy)
target_link_libraries(MindPy PRIVATE ${capi} $<TARGET_NAME_IF_EXISTS:LLVM>)
if(NOT APPLE)
  target_link_options(MindPy PRIVATE LINKER:-z,defs LINKER:-rpath-link,${LLVM_LIBRARY_DIRS})
endif()
file(WRITE ${CMAKE_BINARY_DIR}/MindPy.json
     "{\"version\": \"${MIND_VERSION}\", \"llvm\": \"${LLVM_PACKAGE_VERSION}\", \"bindings\": \"${MIND_BINDINGS_VERSION}\"}\n")
install(TARGETS MindPy LIBRARY DESTINATION .)
install(FILES ${CMAKE_BINARY_DIR}/MindPy.json DESTINATION .)
