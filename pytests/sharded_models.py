"""Modules in global view with shardings: the layouts that docs/sharding.md speaks of."""

import re

import mind_mlir as mind

_MLP = """mesh: {mesh}
%0 = Input {{name = "x", sharding = {x}}} : tensor<f32[{b}, 8]>
%1 = Input {{name = "y", sharding = {y}}} : tensor<f32[{b}, 4]>
%2 = Input {{name = "w1", sharding = {w1}}} : tensor<f32[8, 24]>
%3 = Input {{name = "b1", sharding = {b1}}} : tensor<f32[24]>
%4 = Input {{name = "w2", sharding = {w2}}} : tensor<f32[24, 4]>
%5 = Input {{name = "b2", sharding = {b2}}} : tensor<f32[4]>
%6 = MatMul (%0, %2) : tensor<f32[{b}, 24]>
%7 = Add (%6, %3) : tensor<f32[{b}, 24]>
%8 = Relu (%7) : tensor<f32[{b}, 24]>
%9 = MatMul (%8, %4) : tensor<f32[{b}, 4]>
%10 = Add (%9, %5) : tensor<f32[{b}, 4]>
%11 = Sub (%10, %1) : tensor<f32[{b}, 4]>
%12 = Mul (%11, %11) : tensor<f32[{b}, 4]>
%13 = Mean (%12) {{axes = [], keepdims = false}} : tensor<f32[]>
outputs: %13
"""

_INPUTS = ("x", "y", "w1", "b1", "w2", "b2")

LAYOUTS = {
    "replicated": ("[_, _]", "[_, _]", "[_, _]", "[_]", "[_, _]", "[_]"),
    "dp": ("[dp, _]", "[dp, _]", "[_, _]", "[_]", "[_, _]", "[_]"),
    "tp": ("[_, _]", "[_, _]", "[_, tp]", "[tp]", "[tp, _]", "[_]"),  # columns, then rows
    "row": ("[_, tp]", "[_, _]", "[tp, _]", "[_]", "[_, _]", "[_]"),
    "fsdp": ("[dp, _]", "[dp, _]", "[dp, _]", "[dp]", "[dp, _]", "[_]"),
    "2d": ("[dp, _]", "[dp, _]", "[_, tp]", "[tp]", "[tp, _]", "[_]"),
}
"""Shardings of the Inputs of the MLP."""


def mlp(layout, mesh, batch=16, dtype="f32"):
    """The mean squared error of an MLP 8-24-4, in a layout on a mesh such as "dp = 2"."""
    text = _MLP.format(mesh=mesh, b=batch, **dict(zip(_INPUTS, LAYOUTS[layout])))
    return mind.parse(re.sub(r"f32\[", f"{dtype}[", text))


def mesh_for(layout, ranks):
    """A mesh of so many ranks that a layout is for."""
    if layout == "2d":
        return f"dp = {2 if ranks > 1 else 1}, tp = {max(ranks // 2, 1)}"
    return f"{'tp' if layout in ('tp', 'row') else 'dp'} = {ranks}"


def qkv(ranks, dtype="f32"):
    """Three products of one value, each cut by columns: three partial sums for its cotangent."""
    text = f"""mesh: tp = {ranks}
%0 = Input {{name = "x", sharding = [_, _]}} : tensor<f32[8, 12]>
%1 = Input {{name = "wq", sharding = [_, tp]}} : tensor<f32[12, 16]>
%2 = Input {{name = "wk", sharding = [_, tp]}} : tensor<f32[12, 16]>
%3 = Input {{name = "wv", sharding = [_, tp]}} : tensor<f32[12, 16]>
%4 = MatMul (%0, %1) : tensor<f32[8, 16]>
%5 = MatMul (%0, %2) : tensor<f32[8, 16]>
%6 = MatMul (%0, %3) : tensor<f32[8, 16]>
%7 = Mul (%4, %5) : tensor<f32[8, 16]>
%8 = Mul (%7, %6) : tensor<f32[8, 16]>
%9 = Sum (%8) {{axes = [], keepdims = false}} : tensor<f32[]>
outputs: %9
"""
    return mind.parse(text.replace("f32[", f"{dtype}["))


def gradient_of(m, accumulate="deferred", with_x=False):
    """The gradient module with respect to the parameters, and to x for tensor parallel layouts."""
    names = [o.op.name for o in m.inputs if o.type.dtype.is_float and o.op.name != "y"]
    wrt = [n for n in names if with_x or n != "x"]
    return mind.differentiate(m, wrt=wrt, accumulate=accumulate).gradient_module
