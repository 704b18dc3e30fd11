"""Calls of functions under transforms: the way of the last call is taken where it fits, and only there."""

import collections
import threading

import numpy as np
import optree
import pytest

import mind_mlir as mind
from mind_mlir.frontend import staging
from mind_mlir.frontend.shortcut import picker
from mind_mlir.frontend.trees import flatten
from mind_mlir.runtime.calls import layout

X = np.arange(4, dtype=np.float32)
Y = np.full(4, 10, np.float32)

Pair = collections.namedtuple("Pair", "first second")


@pytest.fixture
def lookups(monkeypatch):
    """How often the structure of arguments is found out."""
    found = []

    def noted(nested):
        found.append(nested)
        return flatten(nested)

    monkeypatch.setattr(staging, "flatten", noted)
    return found


needs_short_way = pytest.mark.skipif(layout.process_table() is None, reason="no short way on this interpreter")


@needs_short_way
@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        (lambda x, y: x - y, (X, Y), {}),
        (lambda x: x * 2, (X,), {}),
        (lambda d: d["a"] - d["b"], ({"b": Y, "a": X},), {}),
        (lambda d: d["a"] * 2, ({"a": X},), {}),
        (lambda t: t[0] - t[1][0], ((X, [Y]),), {}),
        (lambda d, t: d["a"][0] - t[1], ({"a": [X, None]}, (X, Y)), {}),
        (lambda x, *, y: x - y, (X,), {"y": Y}),
        (lambda x, n: x * 2, (X, None), {}),
        (lambda d: [{"x": d[1] - 1}, (), None], ({2: Y, 1: X},), {}),
    ],
)
def test_arguments_of_the_last_structure_are_not_taken_apart_again(f, args, kwargs, lookups):
    jitted = mind.jit(f)
    expected = jitted(*args, **kwargs)
    for _ in range(4):
        jitted(*args, **kwargs)
    lookups.clear()
    found = jitted(*args, **kwargs)
    assert lookups == []
    leaves, tree = flatten(found)
    others, other_tree = flatten(expected)
    assert tree == other_tree
    assert all((a == b).all() for a, b in zip(leaves, others))


@needs_short_way
@pytest.mark.parametrize("transform", [mind.grad, mind.value_and_grad])
def test_gradients_take_the_way_of_the_last_call(transform, lookups):
    def loss(p):
        return mind.sum(p["w"] * p["w"] + p["b"])

    f = transform(loss)
    for _ in range(4):
        f({"w": X, "b": Y})
    lookups.clear()
    found = f({"b": Y, "w": X + 1})
    assert lookups == []
    gradient = found[1] if transform is mind.value_and_grad else found
    assert (gradient["w"] == 2 * (X + 1)).all()
    assert (gradient["b"] == 1).all()


def test_arguments_of_other_kinds_are_not_mistaken_for_the_last_ones():
    seen = []

    def f(a, b=None):
        leaves = flatten((a, b))[0]
        seen.append(type(a).__name__)
        return sum(x * (n + 1) for n, x in enumerate(leaves))

    jitted = mind.jit(f)

    def check(*args, **kwargs):
        leaves = flatten((args, kwargs))[0]
        expected = sum(np.asarray(x) * (n + 1) for n, x in enumerate(leaves))
        for _ in range(4):
            np.testing.assert_array_equal(jitted(*args, **kwargs), expected)

    check(X, Y)
    check(X, b=Y)
    check({"a": X, "b": Y})
    check({"b": X, "a": Y})
    check({"a": X, "c": Y})
    check({"a": X, "b": Y, "c": X})
    check(collections.OrderedDict(b=X, a=Y))
    check([X, Y])
    check((X, Y))
    check(Pair(X, Y))
    check(X[:2], Y[:2])
    check(X.astype(np.float64), Y.astype(np.float64))
    check(X[::-1], Y)
    check(2.0, 3.0)
    check(X.reshape(2, 2), Y.reshape(2, 2))
    check(X)
    check(X, None)
    check((X, None), [Y, {}])
    assert {"OrderedDict", "Pair", "dict", "list", "tuple"} <= set(seen)


def test_a_traced_argument_is_traced_after_many_calls_with_arrays():
    square = mind.jit(lambda x: x * x)
    for _ in range(5):
        square(X)
    assert (mind.grad(lambda x: mind.sum(square(x)))(X) == 2 * X).all()
    assert mind.trace(lambda x: square(x), X).module is not None


def test_a_static_argument_is_looked_at_in_every_call():
    f = mind.jit(lambda x, n: x * n, static_argnums=1)
    for n in (2, 2, 2, 3, 2, 3):
        assert (f(X, n) == X * n).all()


def test_arrays_that_are_captured_come_with_every_call():
    held = np.ones(200_000, np.float32)
    f = mind.jit(lambda x: mind.sum(held) * x)
    for _ in range(5):
        assert (f(X) == 200_000 * X).all()


def test_calls_that_take_turns_between_two_shapes_have_the_right_results():
    f = mind.jit(lambda x: x + 1)
    for n in (3, 4, 3, 4, 4, 3, 3, 3, 4):
        assert f(np.zeros(n, np.float32)).shape == (n,)


def test_an_error_of_the_code_is_explained_on_every_call():
    f = mind.jit(lambda x, k: x[k])
    x, inside, beyond = np.float32([1, 2, 3]), np.array([2, 0]), np.array([0, 3])
    for _ in range(5):
        assert f(x, inside).tolist() == [3, 1]
    found = []
    for _ in range(3):
        try:
            found.append(f(x, beyond).tolist())
        except mind.MindError as why:
            found.append(str(why))
    assert len(set(map(str, found))) == 1


def test_several_threads_call_one_function_with_different_structures():
    f = mind.jit(lambda p: p["a"] + 1 if isinstance(p, dict) else p[0] + 2)
    wrong = []

    def work(argument, expected):
        for _ in range(300):
            if not (f(argument) == expected).all():
                wrong.append(argument)

    threads = [threading.Thread(target=work, args=(a, e)) for a, e in (({"a": X}, X + 1), ([X], X + 2)) for _ in "12"]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


class Looks:
    """A class that is a dict when it is made again."""


def test_only_plain_containers_are_picked_apart():
    optree.register_pytree_node(
        Looks, lambda v: ((v.x,), None), lambda _, children: {"x": children[0]}, namespace="mind_mlir"
    )
    odd = Looks()
    odd.x = X
    for nested in (odd, Pair(X, Y), collections.OrderedDict(a=X), collections.defaultdict(int, a=X), (odd, X)):
        assert picker(flatten(((nested,), {}))[1]) is None
    pick = picker(flatten((({"b": X, "a": (Y, None)},), {}))[1])
    assert [id(a) for a in pick((({"a": (Y, None), "b": X},), {}))] == [id(Y), id(X)]
    for other in ({"b": X, "a": (Y, X)}, {"b": X, "a": [Y, None]}, {"b": X}, {"b": X, "c": (Y, None)}, X):
        with pytest.raises(LookupError):
            pick(((other,), {}))
