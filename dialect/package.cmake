# For C++ projects: lib/libMLIRMind.a, include/Mind, lib/cmake/Mind, in the build folder as where it is installed.
include(CMakePackageConfigHelpers)

set_target_properties(MLIRMind PROPERTIES EXPORT_NAME MLIRMind)
target_compile_features(MLIRMind INTERFACE cxx_std_17)
target_compile_options(MLIRMind INTERFACE ${MIND_CXX_FLAGS})
target_include_directories(MLIRMind INTERFACE
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:include>)

set(MIND_CMAKE_DIR lib/cmake/Mind)
set(MIND_STATIC_LIBRARIES
  MLIRIR MLIRSupport MLIRPass MLIRTransforms MLIRTransformUtils MLIRParser MLIRInferTypeOpInterface
  MLIRSideEffectInterfaces MLIRFunctionInterfaces MLIRArithDialect MLIRControlFlowDialect MLIRFuncDialect
  MLIRLinalgDialect MLIRMathDialect MLIRSCFDialect MLIRShardDialect MLIRTensorDialect MLIRDialectUtils)
foreach(option RTTI ASSERTIONS)
  set(MIND_${option} OFF)
  if(LLVM_ENABLE_${option})
    set(MIND_${option} ON)
  endif()
endforeach()

set(MIND_MLIR_DIR_HINT ${MLIR_DIR})
configure_package_config_file(cmake/MindConfig.cmake.in ${CMAKE_BINARY_DIR}/${MIND_CMAKE_DIR}/MindConfig.cmake
  INSTALL_DESTINATION ${MIND_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
if(SKBUILD)
  set(MIND_MLIR_DIR_HINT)  # a folder of pip's that is gone when the wheel is installed
endif()
configure_package_config_file(cmake/MindConfig.cmake.in ${CMAKE_BINARY_DIR}/installed/MindConfig.cmake
  INSTALL_DESTINATION ${MIND_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${MIND_CMAKE_DIR}/MindConfigVersion.cmake
  VERSION ${MIND_VERSION} COMPATIBILITY SameMinorVersion)
configure_file(cmake/FindLLVMBeside.cmake ${CMAKE_BINARY_DIR}/${MIND_CMAKE_DIR}/FindLLVMBeside.cmake COPYONLY)

export(TARGETS MLIRMind NAMESPACE Mind:: FILE ${CMAKE_BINARY_DIR}/${MIND_CMAKE_DIR}/MindTargets.cmake)
install(TARGETS MLIRMind EXPORT MindTargets ARCHIVE DESTINATION lib)
install(EXPORT MindTargets NAMESPACE Mind:: DESTINATION ${MIND_CMAKE_DIR})
install(FILES
  ${CMAKE_BINARY_DIR}/installed/MindConfig.cmake
  ${CMAKE_BINARY_DIR}/${MIND_CMAKE_DIR}/MindConfigVersion.cmake
  cmake/FindLLVMBeside.cmake
  DESTINATION ${MIND_CMAKE_DIR})
install(DIRECTORY include/Mind ${CMAKE_BINARY_DIR}/include/Mind DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.h.inc")
