"""Core IR in jax.numpy: one small function per opcode, written after the specification, sharing no rule with ours.

Where a function of JAX is the whole of it, the operation's class names that as its `peer`.

What JAX makes of it (values, `jax.jvp`, `jax.vjp`) is a second opinion on ours.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import jax.scipy.special
import numpy as np
from jax import lax

from mind_mlir import Module
from mind_mlir.ir import OPS, is_open

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def run(m: Module, arrays) -> list:
    """The outputs of a module, as JAX arrays or tracers."""
    env = dict(zip((o.id for o in m.inputs), arrays))
    for o in m.operations:
        if o.ids[0] not in env:
            found = peer(o.opcode)(o.op, *[env[i] for i in o.operands])
            env.update(zip(o.ids, (found,) if o.op.has_one_result() else found, strict=True))
    return [env[i] for i in m.outputs]


def peer(opcode: str):
    """`peer(opcode)(op, *operands)`; None for an operation that has no peer."""
    if opcode in TABLE:
        return TABLE[opcode]
    functions = [_function(name) for name in OPS[opcode].peer.split(", ") if name]
    return partial(_of_operands, functions) if functions else None


def _function(full_name: str):
    module, _, name = full_name.rpartition(".")
    return getattr(importlib.import_module(module), name)


def _of_operands(functions, op, *operands):
    given = [operands] if is_open(op.operand_names) else operands
    results = tuple([function(*given) for function in functions])
    return results[0] if op.has_one_result() else results


def scalar(op):
    return jnp.asarray(op.value.to_numpy(()))


def reduced(reduce, op, x):
    if not op.axes:
        return reduce(x)
    return reduce(x, axis=op.axes, keepdims=op.keepdims)


def extreme(reduce, op, x):
    """From the least number there is, or the greatest: JAX takes none over nothing."""
    initial = least(x.dtype) if reduce is jnp.max else greatest(x.dtype)
    return reduced(partial(reduce, initial=initial), op, x)


def windows(op, x, initial, join):
    """StableHLO's reduce_window."""
    pads = list(zip(op.low or [0] * x.ndim, op.high or [0] * x.ndim))
    dilation = op.dilation or [1] * x.ndim
    return lax.reduce_window(x, initial, join, op.window, op.strides, pads, window_dilation=dilation)


def greatest(dtype):
    return dtype.type(np.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).max)


def least(dtype):
    return dtype.type(-np.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min)


def in_windows(op, x, padding):
    """For each position in a window, along the first axis, the elements there of all windows."""
    pads = zip(op.low or [0] * x.ndim, op.high or [0] * x.ndim)
    x = lax.pad(x, jnp.asarray(padding, x.dtype), [(*pair, 0) for pair in pads])
    counts = op.windows_of("input", x.shape) if not op.low else replace(op, low=(), high=()).windows_of("", x.shape)
    found = []
    for position in np.ndindex(*op.window):
        starts = [k * d for k, d in zip(position, op.dilation or [1] * x.ndim)]
        there = zip(starts, op.strides, counts)
        found.append(x[tuple(slice(a, a + (n - 1) * s + 1, s) if n else slice(0, 0) for a, s, n in there)])
    return jnp.stack(found)


def window_max(op, x):
    """By reduce_window, whose derivative is StableHLO's select_and_scatter.

    JAX has no derivative with a dilation, and compiling that of rank 0 ends the process (0.10).
    """
    if any(n != 1 for n in op.dilation) or not x.ndim:
        return jnp.max(in_windows(op, x, least(x.dtype)), 0)
    return windows(op, x, least(x.dtype), lax.max)


def window_gather(op, x, indices):
    return jnp.take_along_axis(in_windows(op, x, 0), jnp.clip(indices, 0, math.prod(op.window) - 1)[None], 0)[0]


def window_scatter_add(op, updates, indices):
    zeros = jnp.zeros(op.shape, updates.dtype)
    return linear_transpose(lambda x: window_gather(op, x, indices), zeros, updates)


def sliced(op, x):
    return x[tuple(slice(s, e, k) for s, e, k in zip(op.starts, op.ends, op.steps))]


def row_of(op, indices, extent):
    """Positions within bounds, and where they were out of bounds."""
    return jnp.clip(indices, 0, max(extent - 1, 0)), (indices < 0) | (indices >= extent)


def beside(mask, rank):
    """`mask` over rows, for arrays with `rank` axes behind those of the mask."""
    return mask.reshape(mask.shape + (1,) * rank)


def gather(op, x, indices):
    if not x.shape[0]:
        return jnp.zeros(indices.shape + x.shape[1:], x.dtype)
    rows, outside = row_of(op, indices, x.shape[0])
    taken = x[rows]
    return jnp.where(beside(outside, x.ndim - 1), 0, taken) if op.oob == "fill" else taken


def scatter_add(op, x, indices, updates):
    if not x.shape[0]:
        return x
    rows, outside = row_of(op, indices, x.shape[0])
    if op.oob == "fill":
        updates = jnp.where(beside(outside, x.ndim - 1), 0, updates)
    return x.at[rows].add(updates)


def wrapping(function):
    """A product of integers in f64, which holds the small ones that meet it here; the results wrap."""

    def call(op, x, y):
        if not jnp.issubdtype(x.dtype, jnp.integer):
            return function(op, x, y)
        return function(op, x.astype(jnp.float64), y.astype(jnp.float64)).astype(jnp.int64).astype(x.dtype)

    return call


def in_element_type(function):
    """A product of operands that are converted before, if it has an element type of its own."""

    def call(op, x, y):
        if op.element_type is not None:
            x, y = (a.astype(op.element_type.numpy) for a in (x, y))
        return function(op, x, y)

    return call


def conv2d(op, x, filter):
    padding = op.padding if isinstance(op.padding, str) else [tuple(p) for p in op.padding]
    if isinstance(padding, str):
        padding = padding.upper()
    dtype = jnp.promote_types(x.dtype, filter.dtype)
    x, filter = x.astype(dtype), filter.astype(dtype)
    numbers = lax.conv_dimension_numbers(x.shape, filter.shape, ("NHWC", "HWIO", "NHWC"))
    return lax.conv_general_dilated(x, filter, op.strides, padding, dimension_numbers=numbers)


def conv(op, x, filter):
    """`stablehlo.convolution`."""
    terms = op.layout.replace("->", ",").replace(" ", "").split(",")
    count = len(terms[0]) - 2
    numbers = lax.conv_dimension_numbers(x.shape, filter.shape, terms)
    if op.reverse:
        filter = lax.rev(filter, numbers.rhs_spec[2:])
    return lax.conv_general_dilated(
        x,
        filter,
        op.strides or (1,) * count,
        list(zip(op.low or (0,) * count, op.high or (0,) * count)),
        op.input_dilation or (1,) * count,
        op.filter_dilation or (1,) * count,
        numbers,
        op.groups,
        op.batch_groups,
    )


def conv2d_backward_input(op, cotangent, filter):
    """By JAX's own derivative."""
    x = jnp.zeros(op.input_shape, cotangent.dtype)
    return linear_transpose(lambda x: conv2d(op, x, filter), x, cotangent)


def conv2d_backward_filter(op, x, cotangent):
    """By JAX's own derivative."""
    filter = jnp.zeros(op.filter_shape, x.dtype)
    return linear_transpose(lambda filter: conv2d(op, x, filter), filter, cotangent)


def dot_general(op, x, y):
    """`stablehlo.dot_general`."""
    numbers = (op.lhs_contract, op.rhs_contract), (op.lhs_batch, op.rhs_batch)
    numbers = [[[a % n for a in side] for side, n in zip(pair, (x.ndim, y.ndim))] for pair in numbers]
    return lax.dot_general(x, y, numbers)


def linear_transpose(f, x, cotangent):
    """JAX transposes floats only; the integers that meet it here are small, so f64 holds them."""
    if not jnp.issubdtype(x.dtype, jnp.integer):
        return jax.linear_transpose(f, x)(cotangent)[0]
    wide = jax.linear_transpose(f, x.astype(jnp.float64))(cotangent.astype(jnp.float64))[0]
    return wide.astype(x.dtype)


def has_peer(m: Module) -> bool:
    """False if the module has a convolution with an empty window, which XLA refuses."""
    of_second = ("Conv", "Conv2d", "Conv2dBackwardInput")
    filters = [m.values[o.operands[1]].type for o in m.operations if o.opcode in of_second]
    filters += [o.type for o in m.operations if o.opcode == "Conv2dBackwardFilter"]
    return not any(0 in filter.shape[:2] for filter in filters)


def padded(op, x, value=None):
    interior = [k if n > 1 else 0 for n, k in zip(x.shape, op.interior)]  # the largest gap plus 1 is none of JAX's
    return lax.pad(x, jnp.zeros((), x.dtype) if value is None else value, list(zip(op.low, op.high, interior)))


def slice_numbers(op, x):
    """`(window, collapsed, batch, axes)`: axes of the input, as StableHLO's dimension numbers name them."""
    axes, batch = [a % x.ndim for a in op.axes], [a % x.ndim for a in op.batch_axes]
    collapsed = () if op.sizes else tuple(sorted(axes))
    window = [a for a in range(x.ndim) if a not in (*collapsed, *batch)]
    return window, collapsed, tuple(batch), tuple(axes)


SLICE_MODES = {
    "error": lax.GatherScatterMode.PROMISE_IN_BOUNDS,
    "clip": lax.GatherScatterMode.CLIP,
    "fill": lax.GatherScatterMode.FILL_OR_DROP,
}


def gather_slices(op, x, indices):
    window, collapsed, batch, axes = slice_numbers(op, x)
    lead = indices.ndim - 1
    numbers = lax.GatherDimensionNumbers(
        offset_dims=tuple(range(lead, lead + len(window))),
        collapsed_slice_dims=collapsed,
        start_index_map=axes,
        operand_batching_dims=batch,
        start_indices_batching_dims=tuple(range(len(batch))),
    )
    sizes = [1 if a in (*collapsed, *batch) else x.shape[a] for a in range(x.ndim)]
    for a, size in zip(axes, op.sizes):
        sizes[a] = size
    if any(size > n for size, n in zip(sizes, x.shape)):  # nothing fits: StableHLO takes no such slice
        return jnp.zeros(indices.shape[:-1] + tuple(sizes[a] for a in window), x.dtype)
    return lax.gather(x, indices, numbers, sizes, mode=SLICE_MODES[op.oob], fill_value=0)


def scatter_slices(scatter, op, x, indices, updates):
    if not all(n > 0 for n in op.spans(x.shape)):  # nothing fits
        return x
    if op.oob == "clip":  # JAX's derivative of scatter_max with clipping has infinities
        indices = jnp.clip(indices, 0, np.array(op.spans(x.shape)) - 1)
    window, collapsed, batch, axes = slice_numbers(op, x)
    lead = indices.ndim - 1
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=tuple(range(lead, lead + len(window))),
        inserted_window_dims=collapsed,
        scatter_dims_to_operand_dims=axes,
        operand_batching_dims=batch,
        scatter_indices_batching_dims=tuple(range(len(batch))),
    )
    return scatter(x, indices, updates, numbers, mode=SLICE_MODES[op.oob])


def sort(op, *parts):
    """NaN is above every number; a stable sort of keys, which are turned over for the opposite order."""
    order = arg_sort(op, parts[0])
    return tuple(jnp.take_along_axis(part, order, op.axis) for part in parts)


def arg_sort(op, x):
    return jnp.argsort(x, axis=op.axis, stable=True, descending=op.descending)


def top_k(op, x):
    values, indices = lax.top_k(x, op.k)
    return values, indices.astype(np.int64)


def within(x, sizes, starts):
    """Starts from which the slice fits; JAX counts negative ones from the end."""
    return [jnp.clip(s.astype("int64"), 0, n - size) for s, n, size in zip(starts, x.shape, sizes)]


def div(op, x, y):
    if jnp.issubdtype(x.dtype, jnp.integer):
        return lax.div(*jnp.broadcast_arrays(x, y))  # truncates; XLA defines x / 0 as -1
    return x / y


def shift_right_arithmetic(op, x, y):
    """JAX fills unsigned numbers with zeros; here the first bit is repeated, as StableHLO says."""
    x, y = jnp.broadcast_arrays(x, y)
    if not jnp.issubdtype(x.dtype, jnp.unsignedinteger):
        return lax.shift_right_arithmetic(x, y)
    signed = jnp.dtype(x.dtype.name[1:])
    amount = jnp.minimum(y, jnp.asarray(8 * x.dtype.itemsize - 1, y.dtype))
    bits = [lax.bitcast_convert_type(a, signed) for a in (x, amount)]
    return lax.bitcast_convert_type(lax.shift_right_arithmetic(*bits), x.dtype)


TABLE = {
    "ConstI64": scalar,
    "ConstF32": scalar,
    "ConstF64": scalar,
    "ConstTensor": lambda op: jnp.asarray(np.array(op.data.to_numpy(op.shape))),
    "Div": div,
    "Polygamma": lambda op, x: jax.scipy.special.polygamma(op.order, x),
    "Relu": lambda op, x: jnp.where(x > 0, x, 0),
    "Select": lambda op, c, x, y: jnp.where(c, x, y),
    "Convert": lambda op, x: x != 0 if op.to.is_bool else lax.convert_element_type(x, op.to.numpy),
    "BitCast": lambda op, x: lax.bitcast_convert_type(x, op.to.numpy),
    "ShiftLeft": lambda op, x, y: lax.shift_left(*jnp.broadcast_arrays(x, y)),
    "ShiftRightLogical": lambda op, x, y: lax.shift_right_logical(*jnp.broadcast_arrays(x, y)),
    "ShiftRightArithmetic": shift_right_arithmetic,
    "Max": lambda op, x: extreme(jnp.max, op, x),
    "Min": lambda op, x: extreme(jnp.min, op, x),
    "Any": lambda op, x: reduced(jnp.any, op, x),
    "All": lambda op, x: reduced(jnp.all, op, x),
    "Prod": lambda op, x: reduced(jnp.prod, op, x).astype(x.dtype),
    "CumSum": lambda op, x: lax.cumsum(x, op.axis, op.reverse),
    "CumProd": lambda op, x: lax.cumprod(x, op.axis, op.reverse),
    "CumMax": lambda op, x: lax.cummax(x, op.axis, op.reverse),
    "CumMin": lambda op, x: lax.cummin(x, op.axis, op.reverse),
    "ArgMax": lambda op, x: jnp.argmax(x, op.axis, keepdims=op.keepdims),
    "ArgMin": lambda op, x: jnp.argmin(x, op.axis, keepdims=op.keepdims),
    "WindowMax": window_max,
    "WindowSum": lambda op, x: windows(op, x, x.dtype.type(0), lax.add),
    "WindowArgMax": lambda op, x: jnp.argmax(in_windows(op, x, least(x.dtype)), 0).astype(jnp.int32),
    "WindowGather": window_gather,
    "WindowScatterAdd": window_scatter_add,
    "Sum": lambda op, x: reduced(jnp.sum, op, x).astype(x.dtype),
    "Mean": lambda op, x: reduced(jnp.mean, op, x),
    "Reshape": lambda op, x: jnp.reshape(x, op.new_shape),
    "Transpose": lambda op, x: jnp.transpose(x, op.permutation),
    "ExpandDims": lambda op, x: jnp.expand_dims(x, op.axes),
    "Squeeze": lambda op, x: jnp.squeeze(x, op.axes),
    "Broadcast": lambda op, x: jnp.broadcast_to(x, op.shape),
    "Index": lambda op, x: x[op.indices],
    "Slice": sliced,
    **dict.fromkeys(("Pad", "PadWith"), padded),
    "Concatenate": lambda op, *parts: lax.concatenate(parts, op.axis),
    "DynamicSlice": lambda op, x, *starts: lax.dynamic_slice(x, within(x, op.sizes, starts), op.sizes),
    "DynamicUpdateSlice": lambda op, x, u, *starts: lax.dynamic_update_slice(x, u, within(x, u.shape, starts)),
    "Sort": sort,
    "ArgSort": arg_sort,
    "TopK": top_k,
    "GatherSlices": gather_slices,
    "ScatterSlices": partial(scatter_slices, lax.scatter),
    "ScatterAddSlices": partial(scatter_slices, lax.scatter_add),
    "ScatterMaxSlices": partial(scatter_slices, lax.scatter_max),
    "ScatterMinSlices": partial(scatter_slices, lax.scatter_min),
    "Reverse": lambda op, x: lax.rev(x, [a % max(x.ndim, 1) for a in op.axes]),
    "Iota": lambda op: lax.broadcasted_iota(op.dtype.numpy, op.shape, op.axis),
    "Gather": gather,
    "ScatterAdd": scatter_add,
    "DotGeneral": in_element_type(dot_general),
    "Conv": in_element_type(wrapping(conv)),
    "Conv2d": wrapping(conv2d),
    "Conv2dBackwardInput": wrapping(conv2d_backward_input),
    "Conv2dBackwardFilter": wrapping(conv2d_backward_filter),
    # along an axis of one rank
    **dict.fromkeys(
        ("AllReduce", "AllGather", "ReduceScatter", "AllToAll", "ShardSlice", "PVary", "Reshard"), lambda op, x: x
    ),
}
"""`TABLE[opcode](op, *operands)`.  An Input is an argument, so it has no function."""
