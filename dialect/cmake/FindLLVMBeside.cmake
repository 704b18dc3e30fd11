# LLVM's wheel lies beside MLIR's, where MLIRConfig.cmake does not look for it.
if(NOT LLVM_DIR AND EXISTS "${MLIR_DIR}/../../../../llvm/lib/cmake/llvm/LLVMConfig.cmake")
  get_filename_component(LLVM_DIR "${MLIR_DIR}/../../../../llvm/lib/cmake/llvm" ABSOLUTE)
endif()
