// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(mind-canonicalize)' --allow-unregistered-dialect %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --canonicalize --allow-unregistered-dialect %s | FileCheck %s
// Operations at the top of a module may form a cycle, in which folds never come to an input; the passes end.

// CHECK-COUNT-3: mind.transpose
// CHECK-COUNT-2: mind.reshape
// CHECK-COUNT-2: mind.neg
// CHECK: mind.relu
// CHECK: test.use
%0 = mind.transpose %1, permutation = [1, 2, 0] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
%1 = mind.transpose %2, permutation = [1, 2, 0] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
%2 = mind.transpose %0, permutation = [1, 0, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
%3 = mind.reshape %4, new_shape = [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>
%4 = mind.reshape %3, new_shape = [-1] : (tensor<2x4xf32>) -> tensor<8xf32>
%5 = mind.neg %6 : (tensor<2xf32>) -> tensor<2xf32>
%6 = mind.neg %5 : (tensor<2xf32>) -> tensor<2xf32>
%7 = mind.relu %7 : (tensor<2xf32>) -> tensor<2xf32>
"test.use"(%0, %3, %5, %7) : (tensor<2x2x2xf32>, tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>) -> ()
