"""Contexts that compilation uses again: when, and that nothing of one module is seen in the next."""

import threading

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.lowering.native import compiler as native, workplace as contexts
from mind_mlir.passes.registry import PIPELINES, Level


@pytest.fixture(autouse=True)
def no_context_yet(monkeypatch):
    monkeypatch.setattr(contexts, "_FREE", [])


def doubled(n):
    b = mind.Builder()
    x = b.Input("x", mind.f32(n))
    return b.finish([x + x])


def test_the_next_module_finds_the_context_and_the_managers_of_the_last_one():
    places = []
    for n in (3, 4):
        with contexts.workplace(doubled(n)) as place:
            first = str(native.to_llvm(doubled(n), workplace=place))
            assert first == str(native.to_llvm(doubled(n))), "the text does not depend on what was there before"
        places.append(place)
    assert places[0] is places[1]
    assert len(contexts._FREE) == 1


def test_two_threads_never_share_a_context():
    with contexts.workplace(doubled(3)) as mine:
        theirs = []

        def compile_there():
            with contexts.workplace(doubled(3)) as place:
                theirs.append(place)

        thread = threading.Thread(target=compile_there)
        thread.start()
        thread.join()
    assert theirs[0] is not mine
    assert len(contexts._FREE) == 2


def test_a_context_that_has_seen_enough_is_not_used_again():
    with contexts.workplace(doubled(3)) as place:
        place.operations = contexts.OPERATIONS
    assert contexts._FREE == []
    b = mind.Builder()
    data = np.arange(contexts.LITERALS // 4, dtype=np.float32)
    with contexts.workplace(b.finish([b.Neg(b.constant(data))])):
        pass
    assert contexts._FREE == []


def test_a_context_in_which_a_pass_has_failed_is_not_used_again_and_the_pass_is_named(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PIPELINES, (Level.MLIR, "cpu"), "cpu-fuse,cpu-bufferize,canonicalize,check-lowered")
    with pytest.raises(mind.MindError) as raised:
        native.native_functions(doubled(3))
    assert raised.value.diagnostics[0].code == "E9001"
    assert "check-lowered" in str(raised.value)
    assert contexts._FREE == []
