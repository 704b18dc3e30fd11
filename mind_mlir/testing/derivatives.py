"""Compares derivatives with finite differences, and reverse mode with forward mode.

For y = f(x), random directions v and w:

    jvp      J·v equals (f(x + h·v) - f(x - h·v)) / 2h
    adjoint  ⟨J·v, w⟩ equals ⟨v, Jᵀ·w⟩

Order 2 checks the same of the modules that compute J·v (mode fwd) and Jᵀ·w (mode rev), with v and w among their inputs,
and so on. Modules are checked in f64, whatever their dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..ir import DType, MindError, Module, np
from ..passes import canonicalize, linearize, transpose, unzip
from ..passes.linearize import chosen_inputs
from ..runtime.interpret import interpret
from .subject import Subject, of_module

if TYPE_CHECKING:
    import numpy

Mode = Literal["fwd", "rev"]

STEP = {DType.F64: 1e-5, DType.F32: 1e-2}
"""The h of the differences: the error of a difference falls with h², rounding grows with 1/h."""

TOLERANCE = {DType.F64: 1e-6, DType.F32: 2e-2}
"""The allowed difference from a finite difference, relative to 1 + |J·v| + |f|."""

ROUNDING = {DType.F64: 1e-10, DType.F32: 1e-4}
"""The allowed difference of the two products, relative to the sum of their terms' magnitudes."""

OF_HALVES = 0.1, 0.2, 0.1
"""The same three where a float of 16 bits is among what is differentiated."""


@dataclass(frozen=True)
class Finding:
    """One comparison: `error` is the largest difference, in units of the allowed one; above 1 it has failed."""

    what: str
    order: int
    error: float
    compared: int
    place: str = ""

    @property
    def ok(self) -> bool:
        """True if everything that was compared agrees."""
        return self.error <= 1

    def __str__(self) -> str:
        if not self.compared:
            return f"order {self.order}  {self.what:32}  nothing to compare"
        verdict = "ok" if self.ok else f"FAILED {self.place}"
        return f"order {self.order}  {self.what:32}  {self.error:9.2e} of the tolerance  {verdict}"


def check_grads(
    target: Module | Callable[..., Any],
    args: Sequence[Any] | None = None,
    order: int = 1,
    modes: Sequence[Mode] = ("fwd", "rev"),
    *,
    wrt: Sequence[int] | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    seed: int = 0,
) -> None:
    """AssertionError unless the derivatives of a module or function are right, by `findings`.

    >>> mind.testing.check_grads(lambda x: mind.sum(mind.exp(x)), (np.ones(3),), order=2)
    """
    found = findings(target, args, order, modes, wrt=wrt, step=step, tolerance=tolerance, seed=seed)
    if bad := [f for f in found if not f.ok]:
        raise AssertionError("derivatives are wrong:\n" + "\n".join(map(str, bad)))


def findings(
    target: Module | Callable[..., Any],
    args: Sequence[Any] | None = None,
    order: int = 1,
    modes: Sequence[Mode] = ("fwd", "rev"),
    *,
    wrt: Sequence[int] | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    seed: int = 0,
) -> list[Finding]:
    """Every comparison of the derivatives of a module or function, up to `order`.

    `args` are the arguments: for a module by position, and random if None; for a function pytrees, of which f64 arrays
    give the sharper test. `modes` are the derivatives that are differentiated again. `wrt` are positions of Inputs, or
    of a function's arguments; None takes all floats. `step` is h, `tolerance` is relative to 1 + |J·v| + |f|. `seed`
    draws the directions. Positions where f is not finite are left out.

    MindError: the errors of differentiating and running; E6009 for arguments in no tuple or list; E7007 for an unknown
    mode, an order below 1, or a step or tolerance that is not positive.
    """
    if bad := [mode for mode in modes if mode not in ("fwd", "rev")]:
        raise MindError.of("E7007", f"no mode is named {bad[0]}", help="modes: fwd, rev")
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise MindError.of("E7007", f"order is a positive integer, found {order!r}")
    for name, number in (("step", step), ("tolerance", tolerance)):
        if number is not None and not 0 < number < float("inf"):
            raise MindError.of("E7007", f"{name} is a positive number, found {number!r}")
    if args is not None and not isinstance(args, (tuple, list)):
        raise MindError.of("E6009", f"args is a tuple of arguments, found a {type(args).__name__}", help="(x,) is one")
    if isinstance(target, Module):
        subject = of_module(target, args, wrt, seed)
    else:
        from .function_modules import of_function

        subject = of_function(target, args or (), wrt)
    m = subject.module
    chosen = tuple(m.inputs.index(o) for o in chosen_inputs(m, subject.wrt))
    if not chosen or not any(t.dtype.is_float for t in m.output_types):
        return []
    floats = {m.inputs[n].type.dtype for n in chosen}
    coarsest = min(floats, key=lambda d: d.width)
    limits = OF_HALVES if coarsest.is_half else (STEP[coarsest], TOLERANCE[coarsest], ROUNDING[coarsest])
    checker = _Checker(subject, tuple(modes), step or limits[0], tolerance or limits[1], limits[2], seed)
    with subject.errors():
        return list(checker.check(m, subject.values, chosen, order, ""))


@dataclass(frozen=True)
class _Checker:
    subject: Subject
    modes: tuple[Mode, ...]
    step: float
    tolerance: float
    rounding: float
    seed: int

    def check(
        self, m: Module, x: list[numpy.ndarray], wrt: tuple[int, ...], order: int, path: str
    ) -> Iterator[Finding]:
        """Both comparisons for `m` at `x`, then those of its derivatives. `path` names `m`: "", "rev of " …"""
        r = np.random.default_rng(self.seed + 1)
        v = [_direction(r, x[n]) for n in wrt]
        forward = linearize(m, wrt=wrt)
        count = len(m.outputs)
        y, jv = self._split(self.run(forward, x + v), count)
        yield self.differences(m, x, wrt, v, y, jv, path)
        w = [_direction(r, t) for t in jv]
        reverse = canonicalize(transpose(unzip(forward)), verified=True)
        _, jtw = self._split(self.run(reverse, x + w), count)
        yield self.products(y, v, jtw, jv, w, path)
        if order == 1:
            return
        for mode in self.modes:
            derived, more = (self.subject.forward(forward), v) if mode == "fwd" else (reverse, w)
            derived = canonicalize(replace(derived, outputs=derived.outputs[count:], gradients=(), tangents=()))
            inner = (*wrt, *range(len(x), len(x) + len(more)))
            yield from self.check(derived, x + more, inner, order - 1, f"{mode} of {path}")

    def run(self, m: Module, values: list[numpy.ndarray]) -> list[numpy.ndarray]:
        """The outputs of a module for these arguments."""
        return list(interpret(self.subject.finish(m), *values))

    def _split(self, results: list[numpy.ndarray], count: int) -> tuple[list[numpy.ndarray], list[numpy.ndarray]]:
        return results[:count], results[count:]

    def differences(
        self,
        m: Module,
        x: list[numpy.ndarray],
        wrt: tuple[int, ...],
        v: list[numpy.ndarray],
        y: list[numpy.ndarray],
        jv: list[numpy.ndarray],
        path: str,
    ) -> Finding:
        """Compare J·v with the central difference, at every position where f is finite."""

        def at(h: float) -> list[numpy.ndarray]:
            moved = list(x)
            for n, d in zip(wrt, v):
                moved[n] = np.asarray(x[n] + x[n].dtype.type(h) * d)
            return [a for a in self.run(m, moved) if a.dtype.kind in "fV"]

        ahead, behind = at(self.step), at(-self.step)
        found = [a for a in y if a.dtype.kind in "fV"]
        worst, place, compared = 0.0, "", 0
        with np.errstate(all="ignore"):
            for n, (f, a, b, t) in enumerate(zip(found, ahead, behind, jv)):
                difference = (a.astype(np.float64) - b) / (2 * self.step)
                finite = np.isfinite(f) & np.isfinite(a) & np.isfinite(b)
                allowed = self.tolerance * (1 + np.abs(t) + np.abs(f))
                error = np.where(finite, np.abs(difference - t) / allowed, 0)
                error = np.where(np.isnan(error), np.inf, error)
                compared += int(finite.sum())
                if error.size and error.max() > worst:
                    i = np.unravel_index(int(error.argmax()), error.shape)
                    worst = float(error[i])
                    where = [int(k) for k in i]
                    place = f"output {n} at {where}: {t[i]}, by differences {difference[i]}"
        return Finding(f"{path}jvp against differences", path.count(" of ") + 1, worst, compared, place)

    def products(
        self,
        y: list[numpy.ndarray],
        v: list[numpy.ndarray],
        jtw: list[numpy.ndarray],
        jv: list[numpy.ndarray],
        w: list[numpy.ndarray],
        path: str,
    ) -> Finding:
        """Compare ⟨J·v, w⟩ with ⟨v, Jᵀ·w⟩, if f and J·v are finite; then Jᵀ·w has to be finite too."""
        order = path.count(" of ") + 1
        name = f"{path}adjoint against jvp"
        if not all(np.isfinite(a).all() for a in (*y, *jv)):
            return Finding(name, order, 0.0, 0)
        wide = [[a.astype(np.float64) for a in arrays] for arrays in (jv, w, v, jtw)]
        left, left_size = _product(wide[0], wide[1])
        right, right_size = _product(wide[2], wide[3])
        allowed = self.rounding * (1 + left_size + right_size)
        error = abs(left - right) / allowed if np.isfinite(right_size) else float("inf")
        compared = sum(a.size for a in (*jv, *jtw))
        return Finding(name, order, error, compared, f"⟨Jv, w⟩ = {left}, ⟨v, Jᵀw⟩ = {right}")


def _direction(r: numpy.random.Generator, like: numpy.ndarray) -> numpy.ndarray:
    return np.asarray(r.standard_normal(like.shape)).astype(like.dtype)


def _product(a: list[numpy.ndarray], b: list[numpy.ndarray]) -> tuple[float, float]:
    """⟨a, b⟩, and the sum of the magnitudes of its terms."""
    terms = [x * y for x, y in zip(a, b)]
    return sum(float(t.sum()) for t in terms), sum(float(np.abs(t).sum()) for t in terms)
