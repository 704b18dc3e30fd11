# Sets MLIR_DIR to MLIR in the site-packages of Python, if that has it: xtc-mlir-dev's files.  The package `mlir` may
# have several folders.
find_package(Python COMPONENTS Interpreter)
if(Python_FOUND)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c
            "from importlib.util import find_spec as f; s = f('mlir'); print(*(s.submodule_search_locations if s else []), sep=';')"
    OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  foreach(folder ${folders})
    file(TO_CMAKE_PATH "${folder}/lib/cmake/mlir" folder)
    if(EXISTS "${folder}/MLIRConfig.cmake")
      set(MLIR_DIR "${folder}")
      break()
    endif()
  endforeach()
endif()
