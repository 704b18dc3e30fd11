"""Programs on a mesh, by name, as text: in global view, and of one operation between ranks."""

import mind_mlir as mind


def _inputs(**shardings):
    """Inputs by name with how they lie: `x_8_16="dp, _"` is x of shape [8, 16]."""
    out = []
    for n, (name, axes) in enumerate(shardings.items()):
        name, *shape = name.split("_")
        sharding = f", sharding = [{axes}]" if axes else ""
        out.append(f'%{n} = Input {{name = "{name}"{sharding}}} : tensor<f32[{", ".join(shape)}]>\n')
    return "".join(out)


def _product(mesh, x, w):
    return f"mesh: {mesh}\n{_inputs(x_8_16=x, w_16_4=w)}%2 = MatMul (%0, %1) : tensor<f32[8, 4]>\noutputs: %2"


def _layers(mesh, x, w1, w2):
    return f"""mesh: {mesh}
{_inputs(x_8_16=x, w1_16_12=w1, w2_12_4=w2)}%3 = MatMul (%0, %1) : tensor<f32[8, 12]>
%4 = Relu (%3) : tensor<f32[8, 12]>
%5 = MatMul (%4, %2) : tensor<f32[8, 4]>
outputs: %5"""


def _gradient(*shardings):
    """Of the sum of squares of what the layers give."""
    loss = """%6 = Mul (%5, %5) : tensor<f32[8, 4]>
%7 = Sum (%6) {axes = [], keepdims = false} : tensor<f32[]>
outputs: %7"""
    return _differentiated(_layers(*shardings).replace("outputs: %5", loss))


def _differentiated(text):
    return str(mind.differentiate(mind.parse(text)).gradient_module)


def _moved(mesh, source, target):
    """A value from one sharding to another."""
    return f"""mesh: {mesh}
{_inputs(x_8_8=source)}%1 = Reshard (%0) {{to = [{target}]}} : tensor<f32[8, 8]>
%2 = Neg (%1) : tensor<f32[8, 8]>
outputs: %2"""


def _one(operation, type="f32[8, 8]", **shardings):
    """One operation on values of which two ranks hold parts."""
    shardings = shardings or {"x_8_8": "dp, _"}
    result = f"%{len(shardings)}"
    return f"mesh: dp = 2\n{_inputs(**shardings)}{result} = {operation} : tensor<{type}>\noutputs: {result}"


_WEIGHTS = f"""mesh: dp = 2
{_inputs(x_8_16="dp, _", dy_8_4="dp, _")}%2 = Transpose (%0) {{permutation = [1, 0]}} : tensor<f32[16, 8]>
%3 = MatMul (%2, %1) : tensor<f32[16, 4]>
"""

GLOBAL = {
    "product, data parallel": _product("dp = 2", "dp, _", ""),
    "product and bias, data parallel": f"""mesh: dp = 2
{_inputs(x_8_16="dp, _", w_16_4="", b_4="")}%3 = MatMul (%0, %1) : tensor<f32[8, 4]>
%4 = Add (%3, %2) : tensor<f32[8, 4]>
outputs: %4""",
    "gradient of weights, data parallel": _WEIGHTS + "outputs: %3",
    "product, columns of weights cut": _product("tp = 2", "", "_, tp"),
    "product, rows of weights cut": _product("tp = 2", "_, tp", "tp, _"),
    "product, 2 axes": _product("dp = 2, tp = 2", "dp, tp", "tp, _"),
    "product, weights gathered": _product("dp = 2", "dp, _", "dp, _"),
    "the same, by Reshard": f"""mesh: dp = 2
{_inputs(x_8_16="dp, _", w_16_4="dp, _")}%2 = Reshard (%1) {{to = [_, _]}} : tensor<f32[16, 4]>
%3 = MatMul (%0, %2) : tensor<f32[8, 4]>
outputs: %3""",
    "gradient of weights, scattered": _WEIGHTS + "%4 = Reshard (%3) {to = [dp, _]} : tensor<f32[16, 4]>\noutputs: %4",
    "two layers, tensor parallel": _layers("tp = 2", "", "_, tp", "tp, _"),
    "two layers, 2 axes": _layers("dp = 2, tp = 2", "dp, _", "_, tp", "tp, _"),
    "their gradient, data parallel": _gradient("dp = 2", "dp, _", "", ""),
    "their gradient, tensor parallel": _gradient("tp = 2", "", "_, tp", "tp, _"),
    "their gradient, weights cut": _gradient("dp = 2", "dp, _", "dp, _", "dp, _"),
    "their gradient, 2 axes": _gradient("dp = 2, tp = 2", "dp, _", "_, tp", "tp, _"),
    "gradient of their plain sum": _differentiated(_layers("dp = 2", "dp, _", "", "")),
    "Reshard, whole to cut": _moved("dp = 2", "_, _", "dp, _"),
    "Reshard, cut to whole": _moved("dp = 2", "_, dp", "_, _"),
    "Reshard, rows to columns": _moved("dp = 2", "dp, _", "_, dp"),
    "Reshard, one of 2 axes gathered": _moved("dp = 2, tp = 2", "dp, tp", "dp, _"),
    "Reshard, rows cut twice to once": _moved("dp = 2, tp = 2", "[dp, tp], _", "dp, _"),
    "Reshard, another of 2 axes": _moved("dp = 2, tp = 2", "dp, _", "tp, _"),
    "Exp": _one("Exp (%0)"),
    "Transpose": _one("Transpose (%0) {permutation = [1, 0]}"),
    "Broadcast": _one("Broadcast (%0) {shape = [4, 8]}", "f32[4, 8]", x_8="dp"),
    "Sum": _one("Sum (%0) {axes = [], keepdims = false}", "f32[]"),
    "Reshape": _one("Reshape (%0) {new_shape = [64]}", "f32[64]"),
    "Slice": _one("Slice (%0) {starts = [0, 0], ends = [8, 4], steps = [1, 1]}", "f32[8, 4]"),
    "Pad": _one("Pad (%0) {low = [0, 1], high = [0, 1], interior = [0, 0]}", "f32[8, 10]"),
    "Gather": f"""mesh: dp = 2
{_inputs(x_8_8="_, dp")}%1 = Input {{name = "indices"}} : tensor<i64[4]>
%2 = Gather (%0, %1) : tensor<f32[4, 8]>
outputs: %2""",
    "Conv2d": _one(
        'Conv2d (%0, %1) {strides = [1, 1], padding = "Valid"}',
        "f32[2, 4, 4, 4]",
        x_2_6_6_3="dp, _, _, _",
        w_3_3_3_4="",
    ),
    "ConstTensor": f"""mesh: dp = 2
{_inputs(x_2="dp")}%1 = ConstTensor {{dtype = f32, shape = [2], data = [1.0, 2.0]}} : tensor<f32[2]>
%2 = Mul (%0, %1) : tensor<f32[2]>
outputs: %2""",
    "extent 7 in 2 parts": _one("Neg (%0)", "f32[7]", x_7="dp"),
}
"""In global view."""


def _between(operation, type, mesh="dp = 2"):
    return f"mesh: {mesh}\n{_inputs(x_8_8='')}%1 = {operation} : tensor<{type}>\noutputs: %1"


BETWEEN_RANKS = {
    "AllReduce": _between('AllReduce (%0) {axis = "dp", size = 2, kind = "sum"}', "f32[8, 8]"),
    "AllReduce, max": _between('AllReduce (%0) {axis = "dp", size = 2, kind = "max"}', "f32[8, 8]"),
    "AllReduce, one of 2 axes": _between(
        'AllReduce (%0) {axis = "tp", size = 2, kind = "sum"}', "f32[8, 8]", "dp = 2, tp = 2"
    ),
    "AllGather": _between('AllGather (%0) {axis = "dp", size = 2, dim = 0}', "f32[16, 8]"),
    "ReduceScatter": _between('ReduceScatter (%0) {axis = "dp", size = 2, dim = 0}', "f32[4, 8]"),
    "AllToAll": _between('AllToAll (%0) {axis = "dp", size = 2, split = 0, concat = 1}', "f32[4, 16]"),
    "ShardSlice": _between('ShardSlice (%0) {axis = "dp", size = 2, dim = 0}', "f32[4, 8]"),
}
"""What one rank runs: one operation between ranks."""
