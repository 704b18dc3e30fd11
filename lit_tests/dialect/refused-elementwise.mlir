// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --split-input-file --verify-diagnostics %s
// What the rules of operations on elements, constants and products refuse, in Core's words.

func.func @mixed(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error @below {{'mind.add' op E2004: Add mixes f32 and f64}}
  // expected-error @below {{'mind.add' op failed to infer returned types}}
  %0 = mind.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @shapes(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'mind.mul' op E3001: Mul cannot broadcast [2, 3] with [4]}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.mul %x, %y : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @integer(%x: tensor<2xi64>) {
  // expected-error @below {{'mind.exp' op E2005: Exp takes bf16, f16, f32 or f64, input is tensor<i64[2]>}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.exp %x : (tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @condition(%c: tensor<f64>, %x: tensor<2xf32>) {
  // expected-error @below {{'mind.select' op E2005: Select takes an i1 condition, condition is tensor<f64[]>}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.select %c, %x, %x : (tensor<f64>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.neg' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.neg %x : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic(%x: tensor<?xf32>) {
  // expected-error @below {{'mind.neg' op operand #0 must be ranked tensor of an element type of Core IR with a static shape and no encoding, but got 'tensor<?xf32>'}}
  %0 = mind.neg %x : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @one_operand(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.add' op expected 2 operands, but found 1}}
  %0 = "mind.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @elements() {
  // expected-error @below {{'mind.const_tensor' op E4013: attribute data: expected dense elements, found sparse<0, 1.000000e+00> : tensor<2xf32>}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.const_tensor sparse<0, 1.0> : tensor<2xf32> : tensor<2xf32>
  return
}

// -----

func.func @element_type() {
  // expected-error @below {{'mind.const_tensor' op E2002: attribute data is tensor<2xi24>}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.const_tensor dense<1> : tensor<2xi24> : tensor<2xf32>
  return
}

// -----

func.func @contracted(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @below {{'mind.matmul' op E3003: MatMul contracts 3 against 4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.matmul %x, %y : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @rank(%x: tensor<2x3x4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'mind.dot' op E3002: Dot takes rank 1 or 2, lhs is tensor<f32[2, 3, 4]>}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.dot %x, %y : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

// expected-error @below {{'builtin.module' op mind.ir_version 2 is not known, this is 1}}
module attributes {mind.ir_version = 2 : i64} {
}
