"""All derivatives of a function: jacfwd, jacrev, hessian.

The linear part of the function runs once for each element of the arguments (jacfwd) or of the result (jacrev). All of
these runs are one program, as they are under `jit`, unless it would be long: then a loop in Python calls the linear
part, and NumPy stacks the results. In a program, results are padded with zeros and added to stack them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..ir import OPS, Module, Op, TensorType, np
from ..ir.kept import kept_property
from ..passes import canonicalize, linearize, transpose as transposed, unzip
from ..runtime.native_executable import Attempt
from .calls import forward, rule_errors
from .functions.manipulation import expand_dims, reshape, transpose
from .gradients import check_argnums, wrt_of
from .operands import Operand
from .place import error
from .program import Options, in_two_parts
from .promotion import binary
from .staging import ProgramRunner, Traced, staged, trace_function
from .trace_builder import TraceBuilder, apply, trace_of
from .trees import Tree, flatten, type_of


def jacfwd(fn: Callable[..., Any], argnums: int | Sequence[int] = 0, target: str = "cpu") -> Callable[..., Any]:
    """The function that gives all derivatives of `fn`, in forward mode: one run for each element of the arguments.

    >>> mind.jacfwd(lambda x: x * x)(np.float32([1, 2]))
    array([[2., 0.],
           [0., 4.]], dtype=float32)

    The derivative of a result of shape S with respect to an argument of shape A has shape S + A. It is nested as the
    result, and within that as the argument; `argnums` is as in `grad`. E5004 for results of integers.
    """
    check_argnums(argnums)
    return staged(fn, lambda traced: _Forward(fn, traced, argnums, Options(target)))


def jacrev(fn: Callable[..., Any], argnums: int | Sequence[int] = 0, target: str = "cpu") -> Callable[..., Any]:
    """Like `jacfwd`, in reverse mode: one run for each element of the result.

    >>> mind.jacrev(lambda x: mind.sum(x * x))(np.float32([1, 2]))
    array([2., 4.], dtype=float32)
    """
    check_argnums(argnums)
    return staged(fn, lambda traced: _Reverse(fn, traced, argnums, Options(target)))


def hessian(fn: Callable[..., Any], argnums: int | Sequence[int] = 0, target: str = "cpu") -> Callable[..., Any]:
    """The function that gives all second derivatives: `jacfwd(jacrev(fn))`.

    >>> mind.hessian(lambda x: mind.sum(x * x * x))(np.float32([1, 2]))
    array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)

    For a result of shape S and arguments of shape A it has shape S + A + A, nested as the result and twice as the
    arguments.
    """
    return jacfwd(jacrev(fn, argnums, target), argnums, target)


WRITTEN_OUT = 4096
"""Up to so many operations, all runs of the linear part are one program; more take longer to compile than to call."""


class _Jacobian(ABC):
    """The two parts of a linearized function, and how runs of the second give the derivative."""

    def __init__(self, fn: Callable[..., Any], traced: Traced, argnums: int | Sequence[int], options: Options) -> None:
        positions, self.in_tree = wrt_of(fn, traced, argnums)
        for type in traced.out_types:
            if not type.dtype.is_float:
                help = "f32 and f64 have derivatives"
                raise error("E5004", f"{traced.name} gives {type}, which has no derivative", help=help)
        order = sorted(positions)
        self.leaf_order = [order.index(p) for p in positions]
        self.result_tree, self.out_types, self.options = traced.out_tree, traced.out_types, options
        self.values = [*traced.types, *map(type_of, traced.captured)]
        self.in_types = [traced.types[p] for p in order]
        self.has_parts = bool(positions and self.out_types)
        if self.has_parts:
            with rule_errors():
                module = self.derived(linearize(traced.module, wrt=tuple(order)))
            module = canonicalize(module, verified=True)
            count = len(self.out_types)
            self.first, self.second = in_two_parts(module, len(traced.module.inputs), count, options)

    @abstractmethod
    def derived(self, linear: Module) -> Module:
        """The linearized module, or its transpose."""

    @abstractmethod
    def jacobians(self, residuals: list[Operand], trace: TraceBuilder | None) -> Iterator[list[Any]]:
        """For each leaf of the result, its derivatives with respect to the arguments' leaves, in the Inputs' order."""

    @property
    @abstractmethod
    def directions(self) -> Sequence[TensorType]:
        """The types for each of whose elements the linear part runs once."""

    @kept_property
    def whole(self) -> ProgramRunner | None:
        """All runs as one program on arrays; None if that would be too long."""
        length = len(self.second.module) * sum(t.size for t in self.directions) if self.has_parts else 0
        if length > WRITTEN_OUT:
            return None
        _, tree = flatten(((0.0,) * len(self.values), {}))
        traced = trace_function(lambda *values: self.by_parts(values), tree, self.values)
        assert not traced.captured, "what all runs need is in the two parts"
        return ProgramRunner(traced.module, traced.out_tree, self.options)

    def attempt(self) -> tuple[Attempt, Tree] | None:
        """A fast call of the program, and the structure of its result; None while there is none."""
        return None if self.whole is None else self.whole.attempt()

    def __call__(self, values: Sequence[Operand]) -> Any:
        """The result for arrays and traced values."""
        if trace_of(values) is None and (whole := self.whole) is not None:
            return whole.on_arrays(values)  # type: ignore[arg-type]
        return self.by_parts(values)

    def by_parts(self, values: Sequence[Operand]) -> Any:
        """The result, by a run of the first part and all runs of the second."""
        found: Iterable[list[Any]] = [[] for _ in self.out_types]
        if self.has_parts:
            residuals = list(self.first(values))[len(self.out_types) :]
            found = self.jacobians(residuals, trace_of(residuals))
        return self.result_tree.unflatten([self.in_tree.unflatten([row[n] for n in self.leaf_order]) for row in found])

    on_arrays = __call__

    def runs(
        self,
        types: Sequence[TensorType],
        results: Sequence[TensorType],
        residuals: list[Operand],
        trace: TraceBuilder | None,
    ) -> Iterator[list[Any]]:
        """For each of `types`: the second part's results for each of its elements as a basis vector, stacked."""
        for n, type in enumerate(types):
            runs = []
            for k in range(type.size):
                directions = [_basis(t, k if i == n else None, trace) for i, t in enumerate(types)]
                runs.append(self.second([*residuals, *directions]))
            yield [_stacked([run[j] for run in runs], t) for j, t in enumerate(results)]


class _Forward(_Jacobian):
    @property
    def directions(self) -> Sequence[TensorType]:
        return self.in_types

    def derived(self, linear: Module) -> Module:
        return forward(linear)

    def jacobians(self, residuals: list[Operand], trace: TraceBuilder | None) -> Iterator[list[Any]]:
        columns = list(self.runs(self.in_types, self.out_types, residuals, trace))
        for n, out in enumerate(self.out_types):
            axes = (*range(1, out.rank + 1), 0)  # [a, s…] -> [s…, a]
            yield [
                reshape(transpose(column[n], axes), out.shape + type.shape)
                for column, type in zip(columns, self.in_types)
            ]


class _Reverse(_Jacobian):
    @property
    def directions(self) -> Sequence[TensorType]:
        return self.out_types

    def derived(self, linear: Module) -> Module:
        return transposed(unzip(linear), seed="input")

    def jacobians(self, residuals: list[Operand], trace: TraceBuilder | None) -> Iterator[list[Any]]:
        rows = self.runs(self.out_types, self.in_types, residuals, trace)
        for out, row in zip(self.out_types, rows):
            yield [reshape(x, out.shape + type.shape) for x, type in zip(row, self.in_types)]


def _basis(type: TensorType, k: int | None, trace: TraceBuilder | None) -> Operand:
    """Zeros with a one as element k, in row-major order."""
    if k is None:
        return np.zeros(type.shape, type.dtype.numpy) if trace is None else trace.zeros(type)
    if trace is None:
        array = np.zeros(type.size, type.dtype.numpy)
        array[k] = 1
        return array.reshape(type.shape)
    position = [int(i) for i in np.unravel_index(k, type.shape)]
    after = [n - 1 - i for i, n in zip(position, type.shape)]
    one = trace.lift(np.ones((1,) * type.rank, type.dtype.numpy))
    return trace.emit(_pad(position, after), one)


def _stacked(rows: list[Any], type: TensorType) -> Any:
    """Values of one type along a new first axis."""
    if not rows:
        return np.zeros((0, *type.shape), type.dtype.numpy)
    if trace_of(rows) is None:
        return np.stack(rows)
    return _joined([expand_dims(row, 0) for row in rows])


def _joined(parts: list[Any]) -> Any:
    """Values joined along the first axis, by pairs first, so that each is padded only log n times."""
    if len(parts) == 1:
        return parts[0]
    first, second = _joined(parts[: len(parts) // 2]), _joined(parts[len(parts) // 2 :])
    rest = [0] * (first.ndim - 1)
    m, n = first.shape[0], second.shape[0]
    return binary("Add", apply(_pad([0, *rest], [n, *rest]), first), apply(_pad([m, *rest], [0, *rest]), second))


def _pad(low: list[int], high: list[int]) -> Op:
    return OPS["Pad"](tuple(low), tuple(high), (0,) * len(low))  # type: ignore[call-arg]
