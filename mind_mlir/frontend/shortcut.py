"""Calls with arguments of the same structure as those of the last call, in less time.

Finding the structure of nested arguments takes microseconds, and comparing it as long. Checking that arguments have one
given structure takes a tenth of that, and compiled code checks the arrays themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from ..runtime.native_executable import MISSED, Attempt
from .trees import LEAF, Tree, flatten

Shortcut: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any]], Any]
"""A function from positional and named arguments to the result, or MISSED."""

Picker: TypeAlias = Callable[[Any], Sequence[Any]]
"""A function from a nested value of one structure to its leaves in order; LookupError for another structure."""


def shortcut(attempt: Attempt, tree: Tree, captured: Sequence[Any], out_tree: Tree) -> Shortcut | None:
    """A call of code that takes the leaves of `(args, kwargs)` and the captures; None without a `picker`."""
    pick = picker(tree)
    if pick is None:
        return None
    finish: Callable[[Sequence[Any]], Any] = itemgetter(0) if out_tree == LEAF else out_tree.unflatten
    held = tuple(captured)

    def flat(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if kwargs:
            return MISSED
        results = attempt(*args, *held)
        return MISSED if results is MISSED else finish(results)

    def single(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if kwargs or len(args) != 1:
            return MISSED
        try:
            leaves = inner(args[0])
        except LookupError:
            return MISSED
        results = attempt(*leaves, *held)
        return MISSED if results is MISSED else finish(results)

    def nested(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            leaves = pick((args, kwargs))
        except LookupError:
            return MISSED
        results = attempt(*leaves, *held)
        return MISSED if results is MISSED else finish(results)

    positional, named = tree.children()
    arguments = positional.children()
    if named.num_leaves or not arguments:
        return nested
    if all(t == LEAF for t in arguments):
        return flat
    inner: Any = picker(arguments[0])
    return single if len(arguments) == 1 and inner is not None else nested


def picker(tree: Tree) -> Picker | None:
    """A picker for this structure; None unless it consists of tuples, lists, dicts and None alone."""
    numbered: Any = tree.unflatten(range(tree.num_leaves))
    if flatten(numbered)[1] != tree:  # a subclass of one of them
        return None
    found = _picker(numbered)
    return found[0] if found is not None and found[1] == list(range(tree.num_leaves)) else None


def _picker(node: Any) -> tuple[Picker, list[int]] | None:
    """A picker for a value with numbers as leaves, and these numbers in the order of picking."""
    if type(node) is int:
        return (lambda value: (value,)), [node]
    if node is None:
        return _nothing, []
    if type(node) not in (tuple, list, dict):
        return None
    children = node.items() if type(node) is dict else enumerate(node)
    parts = []
    for key, child in children:
        if (found := _picker(child)) is None:
            return None
        parts.append((key, *found, type(child) is int))
    parts.sort(key=lambda part: part[2][:1])
    order = [n for _, _, numbers, _ in parts for n in numbers]
    are_leaves = all(is_leaf for *_, is_leaf in parts)
    if type(node) is not dict and are_leaves:
        return _itself(type(node), len(parts)), order
    keys = [key for key, *_ in parts]
    if are_leaves and len(parts) > 1:
        return _items(len(parts), itemgetter(*keys)), order
    return _inner(type(node), keys, [pick for _, pick, *_ in parts]), order


def _nothing(value: Any) -> Sequence[Any]:
    if value is not None:
        raise LookupError
    return ()


def _itself(kind: type[Any], count: int) -> Picker:
    """A picker for a tuple or list of leaves."""

    def pick(value: Any) -> Any:
        if type(value) is not kind or len(value) != count:
            raise LookupError
        return value

    return pick


def _items(count: int, get: Picker) -> Picker:
    """A picker for a dict of leaves."""

    def pick(value: Any) -> Sequence[Any]:
        if type(value) is not dict or len(value) != count:
            raise LookupError
        return get(value)

    return pick


def _inner(kind: type[Any], keys: Sequence[Any], picks: Sequence[Picker]) -> Picker:
    """A picker for a tuple, list or dict of nested values."""
    parts = list(zip(keys, picks))

    def pick(value: Any) -> Sequence[Any]:
        if type(value) is not kind or len(value) != len(parts):
            raise LookupError
        return [leaf for key, inner in parts for leaf in inner(value[key])]

    return pick
