"""Names that people type and that `mind` has no function for: what to use instead, or why there is none."""

from __future__ import annotations

_SHAPE = "the shape of its result would depend on numbers; mind.where chooses by a mask in a fixed shape"
_LOOP = "a Python loop is unrolled while the function is traced"
_BRANCH = "mind.where chooses by traced values; a Python `if` chooses by arguments of static_argnums"
_RANDOM = "traced functions have no random numbers; pass arrays that np.random.default_rng makes"
_COMPLEX = "there are no complex numbers; pass real and imaginary parts as two arrays"

NUMPY = {
    "argwhere": _SHAPE,
    "complex64": _COMPLEX,
    "complex128": _COMPLEX,
    "compress": _SHAPE,
    "extract": _SHAPE,
    "fft": _COMPLEX,
    "flatnonzero": _SHAPE,
    "intersect1d": _SHAPE,
    "nonzero": _SHAPE,
    "random": _RANDOM,
    "setdiff1d": _SHAPE,
    "trim_zeros": _SHAPE,
    "union1d": _SHAPE,
    "unique": _SHAPE,
    "unique_all": _SHAPE,
    "unique_counts": _SHAPE,
    "unique_inverse": _SHAPE,
    "unique_values": _SHAPE,
}
"""Names of NumPy and of the array API standard."""

JAX = {
    "Array": "arrays are NumPy's: np.ndarray",
    "block_until_ready": "calls return when the result is there",
    "checkpoint": "every value that the reverse run needs is kept",
    "cond": _BRANCH,
    "device_get": "results are NumPy arrays",
    "device_put": 'arguments are NumPy arrays; target="gpu" runs on a GPU',
    "eval_shape": "mind.trace(f, mind.f32(2, 3)).module.output_types has the types of the results",
    "fori_loop": _LOOP,
    "lax": "functions are attributes of mind itself, and mind.apply takes any operation of docs/ops.md",
    "make_jaxpr": "print(mind.trace(f, x)) shows what a function computes",
    "nn": "functions are attributes of mind itself: mind.relu",
    "numpy": "functions are attributes of mind itself: mind.exp",
    "pmap": "jit(f, mesh=…) runs on the ranks of a mesh: docs/sharding.md",
    "pure_callback": "an operation of your own has code of its own: docs/adding-an-op.md",
    "remat": "every value that the reverse run needs is kept",
    "scan": _LOOP,
    "switch": _BRANCH,
    "tree_map": "optree.tree_map maps nested values",
    "tree_util": "optree has functions of nested values",
    "vmap": "functions broadcast over leading axes: give the batch an axis and name the other axes from the end",
    "while_loop": _LOOP,
}
"""Names of JAX."""

LAX = {
    "associative_scan": "use mind.cumsum and its kin, or slices that are joined in pairs",
    "and_": "use mind.bitwise_and, or &",
    "batch_matmul": "use mind.matmul, or @",
    "bitcast_convert_type": "mind.apply takes the operation BitCast",
    "broadcast_in_dim": "use mind.expand_dims and mind.broadcast_to",
    "broadcasted_iota": "use mind.arange and mind.broadcast_to",
    "clamp": "use mind.clip, which takes x first",
    "collapse": "use mind.reshape",
    "convert_element_type": "use x.astype, or mind.astype",
    "div": "use mind.divide, or /",
    "dynamic_index_in_dim": "mind.apply takes the operation DynamicSlice",
    "dynamic_slice": "mind.apply takes the operation DynamicSlice",
    "dynamic_slice_in_dim": "mind.apply takes the operation DynamicSlice",
    "dynamic_update_index_in_dim": "mind.apply takes the operation DynamicUpdateSlice",
    "dynamic_update_slice": "mind.apply takes the operation DynamicUpdateSlice",
    "dynamic_update_slice_in_dim": "mind.apply takes the operation DynamicUpdateSlice",
    "eq": "use mind.equal, or ==",
    "gather": "index with arrays, or mind.take; mind.apply takes the operation GatherSlices",
    "ge": "use mind.greater_equal, or >=",
    "gt": "use mind.greater, or >",
    "index_in_dim": "index: x[:, 3]",
    "integer_pow": "use mind.pow, or **",
    "iota": "use mind.arange",
    "is_finite": "use mind.isfinite",
    "le": "use mind.less_equal, or <=",
    "lt": "use mind.less, or <",
    "map": _LOOP,
    "mul": "use mind.multiply, or *",
    "ne": "use mind.not_equal, or !=",
    "neg": "use mind.negative, or -",
    "not_": "use mind.bitwise_not, or ~",
    "or_": "use mind.bitwise_or, or |",
    "population_count": "use mind.bitwise_count",
    "reduce": "use mind.sum, mind.prod, mind.max, mind.min, mind.all or mind.any",
    "reduce_and": "use mind.all",
    "reduce_max": "use mind.max",
    "reduce_min": "use mind.min",
    "reduce_or": "use mind.any",
    "reduce_prod": "use mind.prod",
    "reduce_sum": "use mind.sum",
    "reduce_window": "use mind.max_pool or mind.avg_pool; mind.apply takes the operations WindowMax and WindowSum",
    "rem": "use mind.fmod, which has the sign of x",
    "rev": "use mind.flip",
    "scatter": "use x.at[i].set",
    "scatter_add": "use x.at[i].add",
    "scatter_max": "use x.at[i].max",
    "scatter_min": "use x.at[i].min",
    "select_and_scatter_add": "it is the derivative of mind.max_pool",
    "select_n": "use mind.where, which takes the value for true first",
    "shift_left": "use mind.bitwise_left_shift, or <<",
    "shift_right_arithmetic": "use mind.bitwise_right_shift, or >>, of signed integers",
    "shift_right_logical": "use mind.bitwise_right_shift, or >>, of unsigned integers",
    "slice_in_dim": "index: x[:, 2:5]",
    "sort_key_val": "use mind.argsort and mind.take_along_axis",
    "sub": "use mind.subtract, or -",
    "zeros_like_array": "use mind.zeros_like",
}
"""Names of `jax.lax`."""

TORCH = {
    "Tensor": "arrays are NumPy's: np.ndarray",
    "addmm": "write b + x @ w",
    "autograd": "mind.grad(f)(x) gives the gradient of a function",
    "backward": "mind.grad(f)(x) gives the gradient of a function",
    "bmm": "use mind.matmul, or @",
    "cuda": 'jit(f, target="gpu") runs on a GPU',
    "from_numpy": "NumPy arrays are arguments as they are",
    "manual_seed": _RANDOM,
    "mm": "use mind.matmul, or @",
    "no_grad": "nothing is differentiated but by mind.grad and the other transforms",
    "permute": "use mind.permute_dims",
    "tensor": "use mind.asarray; NumPy arrays are arguments as they are",
    "unsqueeze": "use mind.expand_dims",
    "view": "use mind.reshape",
}
"""Names of PyTorch."""


def instead(name: str) -> str | None:
    """What to use instead of a name, or why there is nothing; None for a name that is not known."""
    return NUMPY.get(name) or JAX.get(name) or LAX.get(name) or TORCH.get(name)
