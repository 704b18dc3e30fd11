"""The gradient of a module, as the four passes one after the other. Spec: Autodiff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Literal

from ..ir import MindError, Module, ValueId
from .canonicalize import canonicalize
from .linearize import linearize
from .registry import show_option
from .transpose_linear import transpose
from .unzip import unzip
from .verify import verify as verify_module


def gradient(
    m: Module,
    *,
    wrt: tuple[int | str, ...] | None = None,
    seed: Literal["ones", "input"] = "ones",
    profile: Literal["core-v1", "extended"] = "extended",
    verify: bool = True,
    accumulate: Literal["deferred", "eager"] = "deferred",
) -> Module:
    """Reverse mode: linearize, unzip, transpose, canonicalize, verify.

    Outputs are those of the module, then the gradients of the Inputs `wrt` (positions or names; None takes all of f32
    and f64) in the order of the Inputs, zeros for one that is not used; the line `gradients:` has the pairs. `seed`
    ones differentiates the sum of all elements of the float outputs; input adds an Input for the cotangent of each.
    `accumulate` says when cotangents on a mesh are moved, as for `transpose`.
    """
    m = transpose(unzip(linearize(m, wrt=wrt, profile=profile)), seed=seed, accumulate=accumulate)
    m = canonicalize(m, verified=True)
    return _verified(m) if verify else m


def _verified(m: Module) -> Module:
    """The module, verified. E5002, since a fault comes from a derivative rule. Spec: Autodiff, Error space."""
    try:
        return verify_module(m)
    except MindError as why:
        note = f"error[{why.code}]: {why.message}"
        source, span = why.source, why.span
        raise MindError.of("E5002", "the gradient module does not verify", source, span, note=note) from why


def gradient_pipeline(
    wrt: tuple[int | str, ...] | None = None,
    seed: str = "ones",
    profile: str | None = None,
    verify: bool = True,
    accumulate: str = "deferred",
) -> str:
    """The pipeline that the pass `gradient` stands for."""
    options = {"wrt": wrt, "profile": profile}
    shown = " ".join(f"{k}={show_option(v)}" for k, v in options.items() if v is not None)
    linear = f"linearize{{{shown}}}" if shown else "linearize"
    when = f" accumulate={accumulate}" if accumulate != "deferred" else ""
    after = "canonicalize{verified=true}" + (",verify" if verify else "")
    return f"{linear},unzip,transpose{{seed={seed}{when}}},{after}"


@dataclass(frozen=True)
class Differentiated:
    """A gradient module, and the gradients in it. Spec: Autodiff, Model."""

    gradient_module: Module
    """Its outputs are those of the module, then the gradients; its `gradients` is the map in its own ids."""

    gradients: dict[ValueId, ValueId]
    """Input of the differentiated module, in its ids -> its gradient in `gradient_module`."""


def differentiate(
    module: Module,
    wrt: int | str | Sequence[int | str] | None = None,
    seed: Literal["ones", "input"] = "ones",
    profile: Literal["core-v1", "extended"] = "extended",
    verify: bool = True,
    accumulate: Literal["deferred", "eager"] = "deferred",
) -> Differentiated:
    """The gradient module of a module. Spec: Autodiff.

    `wrt` is an Input or several, by position or by name; None takes all of f32 and f64. `seed` ones gives the gradient
    of the sum of all elements of the float outputs; input adds an Input for the cotangent of each: ct0, ct1, … by
    position. `profile` core-v1 differentiates what the chapter Autodiff lists, extended every operation. `verify`
    False leaves out the check of the result. On a mesh, gradients get the shardings of their Inputs; `accumulate` eager
    moves every contribution to the sharding of its value before it is added, deferred adds first. The same module gives
    the same bytes every time.

    >>> d = mind.differentiate(mind.parse(text))
    >>> value, gradient = mind.compile(d.gradient_module)(x)

    MindError: any code of `verify` for the module given; E5001 to E5005, E6001 as `mind-opt --explain` says.
    """
    for name, value, choices in (
        ("seed", seed, ("ones", "input")),
        ("profile", profile, ("core-v1", "extended")),
        ("accumulate", accumulate, ("deferred", "eager")),
    ):
        if value not in choices:
            raise MindError.of("E7007", f"{name} is {' or '.join(choices)}, found {value!r}")
    positions = None if wrt is None else _as_tuple(wrt)
    made = gradient(module, wrt=positions, seed=seed, profile=profile, verify=verify, accumulate=accumulate)
    original = {new.id: old.id for new, old in zip(made.inputs, module.inputs)}
    return Differentiated(made, {original[x]: g for x, g in made.gradients})


def _as_tuple(wrt: int | str | Sequence[int | str]) -> tuple[int | str, ...]:
    """Several Inputs, or one."""
    several = wrt if isinstance(wrt, Sequence) and not isinstance(wrt, str) else (wrt,)
    return tuple(which if isinstance(which, str) else index(which) for which in several)
