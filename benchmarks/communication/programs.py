"""The programs: layouts of training steps and of layers. `n` is `mind_mlir`, or a namespace with its names.

Sources: data parallel; tensor parallel by columns and rows (Shoeybi et al., Megatron-LM, 2019); parameters or only the
optimizer's state cut (Rajbhandari et al., ZeRO, 2020); vocabulary cut (Megatron-LM).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .layout import Program, arguments, results

SIZES = {
    "b": (8192, 16),
    "f": (512, 8),
    "h": (2048, 16),
    "o": (512, 8),
    "s": (8, 8),
    "t": (1024, 4),
    "heads": (24, 8),
    "d": (32, 2),
    "e": (768, 16),
    "v": (50_304, 24),
    "px": (32, 6),
    "k": (3, 3),
    "c": (16, 4),
    "c1": (64, 8),
    "c2": (64, 8),
}
"""Name of an extent -> the measured one and a small one: batch, features, hidden, outputs; sequences, tokens, heads,
width of a head, all heads, vocabulary; pixels, kernel, channels."""

PROGRAMS: dict[str, Program] = {}


def _program(name: str, mesh: str, fn: Callable[..., Any], takes: str, gives: str, **sizes: tuple[int, int]) -> None:
    axes = tuple((axis, int(n)) for axis, _, n in (part.partition("=") for part in mesh.split()))
    assert name not in PROGRAMS, f"{name} occurs twice"
    PROGRAMS[name] = Program(name, axes, fn, arguments(takes), results(gives), {**SIZES, **sizes})


def _gradients(loss: Callable[..., Any], *positions: int) -> Callable[..., Any]:
    """A function that gives the value of `loss(n, …)` and its gradients for these arguments."""

    def step(n: Any, *args: Any) -> Any:
        value, gradients = n.value_and_grad(lambda *a: loss(n, *a), positions)(*args)
        return (value, *gradients)

    return step


# A network of two layers


def _mlp(n: Any, w1: Any, b1: Any, w2: Any, b2: Any, x: Any, y: Any) -> Any:
    error = n.relu(x @ w1 + b1) @ w2 + b2 - y
    return n.mean(error * error)


_PARAMETERS = _gradients(_mlp, 0, 1, 2, 3)
_ALL = _gradients(_mlp, 0, 1, 2, 3, 4)
_WHOLE = "w1: f h; b1: h; w2: h o; b2: o"
_ROWS = "x: b/dp f; y: b/dp o"
_HIDDEN = "w1: f h/tp; b1: h/tp; w2: h/tp o; b2: o"
_SHARDED = "w1: f/dp h; b1: h/dp; w2: h/dp o; b2: o"
_DP = f"{_WHOLE}; {_ROWS}", "; _ _; _; _ _; _"
_FSDP = f"{_SHARDED}; {_ROWS}", "; dp _; dp; dp _; _"

_program("mlp dp", "dp=8", _PARAMETERS, *_DP)
_program("mlp dp, batch 128", "dp=4", _PARAMETERS, *_DP, b=(128, 16))
_program("mlp dp, batch 256", "dp=2", _PARAMETERS, *_DP, b=(256, 16))
_program("mlp dp, batch 125", "dp=2", _PARAMETERS, *_DP, b=(125, 13))
_program("mlp dp, batch 8190", "dp=4", _PARAMETERS, *_DP, b=(8190, 14))
_program("mlp tp", "tp=8", _ALL, f"{_HIDDEN}; x: b f; y: b o", "; _ tp; tp; tp _; _; _ _")
_program("mlp tp, batch 125", "tp=2", _ALL, f"{_HIDDEN}; x: b f; y: b o", "; _ tp; tp; tp _; _; _ _", b=(125, 13))
_program("mlp rows", "tp=4", _ALL, "w1: f/tp h; b1: h; w2: h o; b2: o; x: b f/tp; y: b o", "; tp _; _; _ _; _; _ tp")
_program("mlp fsdp", "dp=8", _PARAMETERS, *_FSDP)
_program("mlp fsdp, batch 256", "dp=2", _PARAMETERS, *_FSDP, b=(256, 16))
_program("mlp fsdp, batch 8190", "dp=4", _PARAMETERS, *_FSDP, b=(8190, 14))
_program("mlp dp × tp", "dp=4 tp=2", _ALL, f"{_HIDDEN}; {_ROWS}", "; _ tp; tp; tp _; _; dp _")
_program(
    "mlp fsdp × tp",
    "dp=4 tp=2",
    _ALL,
    f"w1: f/dp h/tp; b1: h/tp; w2: h/tp o/dp; b2: o; {_ROWS}",
    "; dp tp; tp; tp dp; _; dp _",
)


def _descent(n: Any, *args: Any) -> Any:
    value, *gradients = _PARAMETERS(n, *args)
    return (value, *[p - 0.1 * g for p, g in zip(args, gradients)])


_program("sgd dp", "dp=8", _descent, *_DP)
_program("sgd tp", "tp=4", _descent, f"{_HIDDEN}; x: b f; y: b o", "; _ tp; tp; tp _; _")
_program("sgd fsdp", "dp=4", _descent, *_FSDP)


def _clipped(n: Any, *args: Any) -> Any:
    """Gradients divided by their norm."""
    value, *gradients = _PARAMETERS(n, *args)
    scale = n.reciprocal(1.0 + sum(n.sum(g * g) for g in gradients))
    return (value, *[scale * g for g in gradients])


_program("clipped gradients, fsdp", "dp=8", _clipped, *_FSDP)


def _square(n: Any, w: Any, x: Any) -> Any:
    y = x @ w
    return n.sum(y * y)


def _momentum(n: Any, w: Any, m: Any, x: Any) -> Any:
    moved = 0.9 * m + n.grad(lambda w: _square(n, w, x))(w)
    return w - 0.1 * moved, moved


_program("momentum, state cut", "dp=8", _momentum, "w: f h; m: f/dp h; x: b/dp f", "_ _; dp _", b=(65_536, 16))
_program("momentum dp", "dp=4", _momentum, "w: f h; m: f h; x: b/dp f", "_ _; _ _")


def _hvp(n: Any, w: Any, v: Any, x: Any) -> Any:
    def loss(w: Any) -> Any:
        return n.mean(n.exp(x @ w))

    return n.jvp(n.grad(loss), (w,), (v,))[1]


_program("hessian times vector dp", "dp=4", _hvp, "w: f h; v: f h; x: b/dp f", "_ _")


# Six layers


def _layers(n: Any, x: Any, *weights: Any) -> Any:
    for w in weights:
        x = n.relu(x @ w)
    return n.mean(x * x)


def _residual(n: Any, x: Any, *weights: Any) -> Any:
    for up, down in zip(weights[::2], weights[1::2]):
        x = x + n.relu(x @ up) @ down
    return n.mean(x * x)


_SIX = "w1: f h{0}; w2: h{1} f; w3: f h{0}; w4: h{1} f; w5: f h{0}; w6: h{1} f".format
_SIX_TP = _SIX("/tp", "/tp"), "; ".join(["", *["_ tp; tp _"] * 3])
_program("six layers tp", "tp=4", _gradients(_layers, *range(1, 7)), f"x: b f; {_SIX_TP[0]}", _SIX_TP[1])
_program(
    "six layers, residual, dp × tp",
    "dp=2 tp=4",
    _gradients(_residual, *range(1, 7)),
    f"x: b/dp f; {_SIX_TP[0]}",
    _SIX_TP[1],
)
_program(
    "six layers fsdp",
    "dp=8",
    _gradients(_layers, *range(1, 7)),
    "x: b/dp f; w1: f/dp h; w2: h/dp f; w3: f/dp h; w4: h/dp f; w5: f/dp h; w6: h/dp f",
    "; ".join(["", *["dp _"] * 6]),
)


# Attention


def _attention(n: Any, q: Any, k: Any, v: Any) -> Any:
    """Attention for operands of shape [sequences, heads, tokens, width]."""
    p = n.exp(0.1 * (q @ n.transpose(k, (0, 1, 3, 2))))
    return (p / n.sum(p, axis=-1, keepdims=True)) @ v


def _attended(n: Any, q: Any, k: Any, v: Any) -> Any:
    y = _attention(n, q, k, v)
    return n.mean(y * y)


def _block(n: Any, wq: Any, wk: Any, wv: Any, wo: Any, x: Any) -> Any:
    """A block on [sequences, tokens, all heads], whose heads are split off by Reshape after products with weights."""
    s, t, e = x.shape
    heads = 24 if e % 24 == 0 else 8

    def split(y: Any) -> Any:
        return n.transpose(n.reshape(y, (s, t, heads, e // heads)), (0, 2, 1, 3))

    y = n.transpose(_attention(n, split(x @ wq), split(x @ wk), split(x @ wv)), (0, 2, 1, 3))
    return n.reshape(y, (s, t, e)) @ wo


def _block_loss(n: Any, *args: Any) -> Any:
    y = _block(n, *args)
    return n.mean(y * y)


_QKV = "q: s{0} heads{1} t d; k: s{0} heads{1} t d; v: s{0} heads{1} t d".format
_BLOCK = "wq: e e{0}; wk: e e{0}; wv: e e{0}; wo: e{0} e; x: s{1} t e".format
_program(
    "attention, batch cut", "dp=8", _gradients(_attended, 0, 1, 2), _QKV("/dp", ""), "; " + "; ".join(["dp _ _ _"] * 3)
)
_program(
    "attention, heads cut", "tp=8", _gradients(_attended, 0, 1, 2), _QKV("", "/tp"), "; " + "; ".join(["_ tp _ _"] * 3)
)
_program("attention block, heads by reshape", "tp=8", _block, _BLOCK("/tp", ""), "_ _ _")
_program(
    "attention block, gradient",
    "tp=4",
    _gradients(_block_loss, 0, 1, 2, 3, 4),
    _BLOCK("/tp", ""),
    "; _ tp; _ tp; _ tp; tp _; _ _ _",
)
_program(
    "attention block, dp × tp",
    "dp=2 tp=4",
    _gradients(_block_loss, 0, 1, 2, 3),
    _BLOCK("/tp", "/dp"),
    "; _ tp; _ tp; _ tp; tp _",
)


def _qkv(n: Any, wq: Any, wk: Any, wv: Any, x: Any) -> Any:
    return n.sum((x @ wq) * (x @ wk) * (x @ wv))


_program(
    "query, key and value",
    "tp=8",
    _gradients(_qkv, 0, 1, 2, 3),
    "wq: f h/tp; wk: f h/tp; wv: f h/tp; x: b f",
    "; _ tp; _ tp; _ tp; _ _",
)


def _tokens(n: Any, w: Any, x: Any) -> Any:
    s, t, e = x.shape
    return n.mean(n.exp(n.reshape(x, (s * t, e)) @ w))


_program("tokens in a row", "dp=8", _gradients(_tokens, 0), "w: e h; x: s/dp t e", "; _ _")


# Convolutions


def _convolutions(n: Any, w1: Any, w2: Any, w3: Any, x: Any) -> Any:
    y = n.relu(n.conv2d(n.relu(n.conv2d(x, w1, 1, "Same")), w2, 2, "Same"))
    y = n.mean(y, axis=(1, 2)) @ w3
    return n.mean(y * y)


_CONV = _gradients(_convolutions, 0, 1, 2)
_FILTERS = "w1: k k c c1{0}; w2: k k c1{0} c2; w3: c2 o"
_program(
    "convolutions dp",
    "dp=8",
    _CONV,
    f"{_FILTERS.format('')}; x: b/dp px px c",
    "; _ _ _ _; _ _ _ _; _ _",
    b=(256, 8),
)
_program(
    "convolutions, channels cut",
    "tp=4",
    _CONV,
    f"{_FILTERS.format('/tp')}; x: b px px c",
    "; _ _ _ tp; _ _ tp _; _ _",
    b=(256, 8),
)


# Embeddings


def _embedded(n: Any, table: Any, ids: Any) -> Any:
    return n.take(table, ids)


def _embedding_loss(n: Any, table: Any, ids: Any, y: Any) -> Any:
    error = n.take(table, ids) - y
    return n.mean(error * error)


_EMBEDDING = _gradients(_embedding_loss, 0)
_program("embedding, vocabulary cut, forward", "tp=8", _embedded, "table: v/tp e; ids: i32 b", "_ _", b=(1024, 16))
_program("embedding, vocabulary cut", "tp=8", _EMBEDDING, "table: v/tp e; ids: i32 b; y: b e", "; tp _")
_program("embedding, features cut", "tp=8", _EMBEDDING, "table: v e/tp; ids: i32 b; y: b e/tp", "; _ tp")
_program("embedding, batch cut", "dp=8", _EMBEDDING, "table: v e; ids: i32 b/dp; y: b/dp e", "; _ _")
_program("embedding fsdp", "dp=8", _EMBEDDING, "table: v/dp e; ids: i32 b/dp; y: b/dp e", "; dp _")


# Sums over what is cut


def _cross_entropy(n: Any, w: Any, x: Any, y: Any) -> Any:
    logits = x @ w
    return n.mean(n.log(n.sum(n.exp(logits), axis=-1)) - n.sum(logits * y, axis=-1))


def _norm(n: Any, g: Any, x: Any) -> Any:
    y = g * x * n.exp(-0.5 * n.log(n.mean(x * x, axis=-1, keepdims=True)))
    return n.mean(n.exp(y))


def _transposed(n: Any, w: Any, x: Any) -> Any:
    y = n.relu(x @ n.transpose(w))
    return n.mean(y * y)


def _bias(n: Any, a: Any, b: Any) -> Any:
    y = a @ b
    return n.exp(n.sum(y, axis=0)), n.relu(y)


_program(
    "cross-entropy, vocabulary cut",
    "tp=8",
    _gradients(_cross_entropy, 0, 1),
    "w: f v/tp; x: b f; y: b v/tp",
    "; _ tp; _ _",
    b=(1024, 16),
)
_program("norm, features cut", "tp=4", _gradients(_norm, 0, 1), "g: h/tp; x: b h/tp", "; tp; _ tp")
_program("mean", "dp=8", lambda n, x: n.mean(x, axis=0), "x: b/dp f", "_")
_program("mean to where it is cut", "dp=8", lambda n, x: n.mean(x, axis=0), "x: b/dp f", "dp")
_program("transposed weight, tp", "tp=4", _gradients(_transposed, 0, 1), "w: h/tp f; x: b f", "; tp _; _ _")
_program("transposed weight, fsdp", "dp=4", _gradients(_transposed, 0), "w: h/dp f; x: b/dp f", "; dp _")
_program("a product, its sum and its positive part", "tp=2", _bias, "a: b f/tp; b: f/tp h", "_; _ _", b=(256, 16))
_program("rows times columns", "tp=8", lambda n, a, b: a @ b, "a: b h/tp; b: h/tp f", "_ _", b=(65_536, 16))
