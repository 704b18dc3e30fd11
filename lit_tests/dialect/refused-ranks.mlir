// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --split-input-file --verify-diagnostics %s
// What the rules of operations between ranks refuse, and what does not fit the mesh that a module states.

func.func @part(%x: tensor<6x3xf32>) {
  // expected-error @below {{'mind.reduce_scatter' op E8006: ReduceScatter along dp cuts extent 6 of dimension 0 into 4 parts}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.reduce_scatter %x, axis = "dp", size = 4, dim = 0 : (tensor<6x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @dimension(%x: tensor<6x3xf32>) {
  // expected-error @below {{'mind.all_to_all' op E3004: AllToAll concat 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.all_to_all %x, axis = "dp", size = 2, split = 0, concat = 2 : (tensor<6x3xf32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @size(%x: tensor<6x3xf32>) {
  // expected-error @below {{'mind.pvary' op E8006: PVary along dp says 0 ranks}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.pvary %x, axis = "dp", size = 0 : (tensor<6x3xf32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @kind(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.all_reduce' op E4013: attribute kind: expected "sum" or "max" or "min", found 'mean'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.all_reduce %x, axis = "dp", size = 2, kind = "mean" : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @extent(%x: tensor<7xf32>) {
  // expected-error @below {{'mind.all_gather' op E3006: extent 0 of the result of AllGather is larger than 9223372036854775807}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.all_gather %x, axis = "dp", size = 9223372036854775807, dim = 0 : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @rank(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.reshard' op E8003: Reshard to [dp, _], which has 2 dimensions, of tensor<f32[2]>}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.reshard %x, to = "[dp, _]" : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @form(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.reshard' op E4013: attribute to: expected a sharding, such as [dp, _] or partial([dp, _], [tp]), found "[dp,_]"}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.reshard %x, to = "[dp,_]" : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error @below {{'builtin.module' op E8001: mesh axis dp stands twice}}
module attributes {mind.mesh = "dp = 2, dp = 2"} {
}

// -----

// expected-error @below {{'func.func' op E7016: mind.mesh belongs on builtin.module}}
func.func private @elsewhere() attributes {mind.mesh = "dp = 2"}

// -----

module attributes {mind.mesh = "dp = 2"} {
  func.func @another_size(%x: tensor<2xf32>) {
    // expected-error @below {{'mind.pvary' op E8006: PVary along dp says 3 ranks, the mesh has 2}}
    %0 = mind.pvary %x, axis = "dp", size = 3 : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

module attributes {mind.mesh = "dp = 2"} {
  func.func @another_axis(%x: tensor<2xf32>) {
    // expected-error @below {{'mind.reshard' op E8002: the mesh has no axis tp}}
    %0 = mind.reshard %x, to = "partial([dp], [tp])" : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

module attributes {mind.mesh = "dp = 2"} {
  // expected-error @below {{'func.func' op E8002: the mesh has no axis tp}}
  func.func private @declared(tensor<2xf32> {mind.sharding = "[tp]"})
}

// -----

// expected-error @below {{'func.func' op E8003: sharding [dp, _] speaks of 2 dimensions, the value is tensor<f32[2]>}}
func.func private @parameter(tensor<2xf32> {mind.sharding = "[dp, _]"})

// -----

func.func @operation(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.neg' op E8003: sharding [] speaks of 0 dimensions, the value is tensor<f32[2]>}}
  %0 = mind.neg %x {mind.sharding = "[]"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
