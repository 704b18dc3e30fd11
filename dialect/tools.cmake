# Programs with the dialect built in, linked to libMLIR.so where this LLVM has it, else to the static libraries.

function(mind_add_tool name wanted)
  cmake_parse_arguments(tool "" "HEADER" "STATIC" ${ARGN})
  if(NOT wanted)
    return()
  elseif(NOT EXISTS ${MLIR_INSTALL_PREFIX}/include/${tool_HEADER})
    message(STATUS "${name} is left out: this MLIR has no ${tool_HEADER}")
    return()
  endif()
  if(TARGET MLIR)
    set(libraries MLIR LLVM)
  else()
    set(libraries ${tool_STATIC})
    foreach(library ${libraries})
      if(NOT TARGET ${library})
        message(STATUS "${name} is left out: this MLIR has neither libMLIR.so nor ${library}")
        return()
      endif()
    endforeach()
  endif()
  add_executable(${name} tools/${name}.cpp $<TARGET_OBJECTS:MindObjects>)
  mind_uses_objects(${name})
  target_link_libraries(${name} PRIVATE ${libraries})
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "${MIND_RPATH}" ENABLE_EXPORTS ON)
  install(TARGETS ${name} RUNTIME DESTINATION .)
endfunction()

mind_add_tool(mind-opt-cc "${MIND_OPT}"
  HEADER mlir/Tools/mlir-opt/MlirOptMain.h
  STATIC MLIRMlirOptMain)
mind_add_tool(mind-lsp-server "${MIND_LSP}"
  HEADER mlir/Tools/mlir-lsp-server/MlirLspServerMain.h
  STATIC MLIRLspServerLib MLIRRegisterAllDialects MLIRRegisterAllExtensions)
