"""Calls that go straight into native code do, and say, what calls through Python do."""

import ctypes
import gc
import itertools
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.runtime.calls import fast, layout
from mind_mlir.runtime.calls.plans import Plan
from mind_mlir.runtime.native_executable import MISSED, NativeExecutable

pytestmark = pytest.mark.skipif(layout.process_table() is None, reason="no short way on this interpreter")

X = np.arange(12, dtype=np.float32).reshape(3, 4)
Y = np.ones((3, 4), np.float32)


def built(make):
    b = mind.Builder()
    return b.finish(make(b))


def two_outputs():
    def make(b):
        x, y = b.Input("x", mind.f32(3, 4)), b.Input("y", mind.f32(3, 4))
        return [x + y, x * y]

    return built(make)


def one_output():
    return built(lambda b: [b.Input("x", mind.f32(3, 4)) + b.Input("y", mind.f32(3, 4))])


@pytest.fixture(scope="module")
def ways():
    """The same code twice: with and without the short way; (x + y, x * y)."""
    return pair(two_outputs())


def pair(module):
    short = mind.compile(module)
    arrays = [np.zeros(t.shape, t.dtype.numpy) for t in short.input_types]
    for _ in range(2):
        short(*arrays)
    assert is_short(short)
    long = NativeExecutable(module, short._engine, short._address)
    assert not is_short(long)
    return short, long


def is_short(exe):
    """Whether the interpreter finds a function to call beside __call__."""
    end = id(exe) + type(exe).__basicsize__
    return type(exe) is not NativeExecutable and bool(ctypes.c_void_p.from_address(end - 16).value)


def outcome(call):
    """What a call gives: the bits, or the error's code and words."""
    try:
        return [(a.tobytes(), a.dtype, a.shape) for a in call()]
    except mind.MindError as why:
        return str(why)
    except TypeError as why:
        return "TypeError", str(why).replace("mind_mlir.runtime.native_executable.", "")


class Sub(np.ndarray):
    pass


def frozen(a):
    a = a.copy()
    a.flags.writeable = False
    return a


def unaligned(a):
    memory = np.zeros(a.nbytes + 1, np.uint8)[1:]
    out = memory.view(a.dtype).reshape(a.shape)
    out[...] = a
    return out


def test_the_first_call_goes_through_python_and_the_third_does_not():
    fast._vectorcall.cache_clear()
    exe = mind.compile(one_output())
    found = [is_short(exe)]
    for _ in range(3):
        exe(X, Y)
        found.append(is_short(exe))
    assert found == [False, False, True, True]
    other = mind.compile(one_output())  # the code is there now
    other(X, Y)
    assert is_short(other)


def test_an_object_with_a_short_way_is_what_it_was(ways):
    short, long = ways
    assert repr(short) == repr(long)
    assert isinstance(short, mind.Executable)
    assert type(short).__name__ == type(long).__name__
    assert type(short).__doc__ == type(long).__doc__
    short.note = 1
    assert short.note == 1
    assert short.__call__(X, Y)[0].tobytes() == short(X, Y)[0].tobytes()


ARGUMENTS = {
    "fit": (X, Y),
    "are the same": (X, X),
    "are read-only": (frozen(X), frozen(Y)),
    "are of a subclass": (X.view(Sub), Y),
    "are of another dtype": (X.astype(np.float64), Y),
    "are of the other byte order": (X.astype(">f4"), Y),
    "are integers of the same size": (X.view(np.int32), Y),
    "have another shape": (X[:2], Y),
    "have another rank": (X[0], Y),
    "are transposed": (np.asfortranarray(X), Y),
    "are strided": (X[:, ::-1], Y),
    "are not aligned": (unaligned(X), Y),
    "are lists": (X.tolist(), Y),
    "are None": (None, Y),
    "are too few": (X,),
    "are too many": (X, Y, Y),
    "are none": (),
}


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS.keys())
def test_the_short_way_gives_what_the_long_one_gives_when_arguments(arguments, ways):
    short, long = ways
    assert outcome(lambda: short(*arguments)) == outcome(lambda: long(*arguments))


OUT = {
    "fits": lambda: (np.empty_like(X), np.empty_like(X)),
    "is a list": lambda: [np.empty_like(X), np.empty_like(X)],
    "is a list that is too short": lambda: [np.empty_like(X)],
    "is a list of others": lambda: [1, None],
    "is an empty list": list,
    "is None": lambda: None,
    "is one array of two": lambda: np.empty_like(X),
    "is too short": lambda: (np.empty_like(X),),
    "is too long": lambda: (np.empty_like(X),) * 3,
    "is read-only": lambda: (np.empty_like(X), frozen(X)),
    "is of another dtype": lambda: (np.empty_like(X), X.astype(np.float64)),
    "is strided": lambda: (np.empty_like(X), np.empty((3, 8), np.float32)[:, ::2]),
    "is the same twice": lambda: (np.empty_like(X),) * 2,
    "overlaps an argument": lambda: (np.empty_like(X), X),
    "overlaps in part": lambda: (lambda a: (a[:3], a[2:5]))(np.empty((5, 4), np.float32)),
    "lies side by side": lambda: (lambda a: (a[:3], a[3:]))(np.empty((6, 4), np.float32)),
    "is of a subclass": lambda: (np.empty_like(X), np.empty_like(X).view(Sub)),
    "is a number": lambda: 3,
    "is a tuple of others": lambda: (1, None),
}


@pytest.mark.parametrize("out", OUT.values(), ids=OUT.keys())
def test_the_short_way_gives_what_the_long_one_gives_when_out(out, ways):
    short, long = ways
    before = X.tobytes()
    assert outcome(lambda: short(X, Y, out=out())) == outcome(lambda: long(X, Y, out=out()))
    assert X.tobytes() == before


NAMED = {
    "name an argument": {"y": Y},
    "name one twice": {"x": X, "y": Y},
    "name what is not there": {"z": Y},
    "name an argument and out": {"y": Y, "out": (np.empty_like(X), np.empty_like(X))},
}


@pytest.mark.parametrize("named", NAMED.values(), ids=NAMED.keys())
def test_the_short_way_gives_what_the_long_one_gives_when_keywords(named, ways):
    short, long = ways
    assert outcome(lambda: short(X, **named)) == outcome(lambda: long(X, **named))
    assert outcome(lambda: short(X, Y, **named)) == outcome(lambda: long(X, Y, **named))


def test_out_is_handed_back_itself(ways):
    short, _ = ways
    out = np.empty_like(X), np.empty_like(X)
    assert short(X, Y, out=out) is out
    assert (out[0] == X + Y).all()
    exe, _ = pair(one_output())
    assert exe(X, Y, out=out[0])[0] is out[0]
    assert exe(X, Y, out=(out[1],))[0] is out[1]


@pytest.mark.parametrize("kind", [tuple, list, "array"], ids=str)
def test_no_line_of_python_runs_whatever_out_is(kind):
    short, _ = pair(one_output())
    made = np.empty_like(X)
    out = made if kind == "array" else kind([made])
    entered = []
    sys.setprofile(lambda frame, event, arg: entered.append(frame.f_code.co_name) if event == "call" else None)
    try:
        found = short(X, Y, out=out)
    finally:
        sys.setprofile(None)
    assert entered == []
    assert type(found) is tuple
    assert found[0] is made


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,) * 8], ids=str)
@pytest.mark.parametrize("dtype", [mind.f32, mind.f64, mind.i32, mind.i64])
def test_every_dtype_and_arrays_of_no_axis_and_of_no_element_take_the_short_way(shape, dtype):
    short, long = pair(built(lambda b: [b.Neg(b.Input("x", dtype(*shape)))]))
    x = np.full(shape, 3, short.input_types[0].dtype.numpy)
    (found,) = short(x)
    assert type(found) is np.ndarray
    assert found.base is None
    assert outcome(lambda: short(x)) == outcome(lambda: long(x)) == [((-x).tobytes(), x.dtype, x.shape)]
    assert short(x, out=found)[0] is found
    scalar = x.reshape(-1)[:1]
    if x.ndim == 0:
        assert outcome(lambda: short(scalar[0])) == outcome(lambda: long(scalar[0]))


def test_a_large_result_begins_on_the_border_of_a_cache_line_and_runs_without_the_lock():
    short, _ = pair(built(lambda b: [b.Neg(b.Input("x", mind.f32(600, 1000)))]))
    assert short._releases_lock
    x = np.ones((600, 1000), np.float32)
    kept = [short(x)[0] for _ in range(5)]
    assert all(a.ctypes.data % 64 == 0 for a in kept)
    assert all((a == -1).all() for a in kept)


def test_an_index_out_of_bounds_is_explained_and_the_results_are_dropped():
    short, long = pair(built(lambda b: [b.Gather(b.Input("x", mind.f32(3)), b.Input("k", mind.i64(2)))]))
    x, k = np.float32([1, 2, 3]), np.array([0, 7])
    assert outcome(lambda: short(x, k)) == outcome(lambda: long(x, k))
    assert "E6001" in outcome(lambda: short(x, k))
    assert "E6001" in outcome(lambda: short(x, k, out=np.empty(2, np.float32)))


def test_no_call_leaks_a_reference(ways):
    short, _ = ways
    out = np.empty_like(X), np.empty_like(X)
    dtype = np.dtype(np.float32)
    watched = X, Y, out, *out, dtype, short, short.plan_of_calls, None, True

    def count():
        gc.collect()
        return [sys.getrefcount(a) for a in watched]

    def many():
        for _ in range(1000):
            short(X, Y)
            short(X, Y, out=out)
            short(X, Y, out=list(out))
            for call in (
                lambda: short(X),
                lambda: short(X, Y, out=(X, Y)),
                lambda: short(X, Y, out=[X, Y]),
                lambda: short(X, Y, z=1),
            ):
                with pytest.raises(mind.MindError):
                    call()

    many()
    before = count()
    many()
    assert max(abs(a - b) for a, b in zip(before, count())) < 100  # a leak is 1,000; the rest of the process moves too


def test_memory_stays_as_it_is_over_many_calls(ways):
    short, _ = ways

    def resident():
        with open("/proc/self/statm", encoding="ascii") as f:
            return int(f.read().split()[1]) * 4096

    for _ in range(20_000):
        short(X, Y)
    before = resident()
    for _ in range(100_000):
        short(X, Y)
    assert resident() - before < 4 << 20  # a leaked array is 150 bytes, 30 MB for so many results


def test_an_executable_goes_with_its_last_reference_and_its_results_stay():
    exe, _ = pair(one_output())
    (result,) = exe(X, Y)
    code, gone = weakref.ref(exe._engine), weakref.ref(exe)
    del exe, _
    assert gone() is None
    assert code() is None
    assert (result == X + Y).all()


def test_code_stays_until_everything_in_a_cycle_has_been_told():
    class Told:
        def __del__(self):
            found.append(self.exe(X, Y)[0].tolist())

    found, told = [], Told()
    told.exe = exe = pair(one_output())[0]
    exe.told, exe.itself = told, exe
    code = weakref.ref(exe._engine)
    del told, exe
    gc.collect()
    assert found == [(X + Y).tolist()]
    assert code() is None


def test_a_call_at_the_very_end_of_the_process_works():
    program = """
import numpy as np, mind_mlir as mind
b = mind.Builder()
exe = mind.compile(b.finish([b.Neg(b.Input("x", mind.f32(2)))]))
x = np.float32([1, 2])
for _ in range(3): exe(x)
class Last:
    exe, x = exe, x
    def __del__(self): print(self.exe(self.x)[0].tolist(), flush=True)
last = Last()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[-1.0, -2.0]\n", "")


def test_several_threads_get_their_own_results():
    for shape in ((8, 8), (600, 1000)):  # with and without the interpreter lock
        exe, _ = pair(built(lambda b, s=shape: [b.Neg(b.Input("x", mind.f32(*s)))]))
        wrong = []

        def work(n, exe=exe, shape=shape, wrong=wrong):
            x = np.full(shape, n, np.float32)
            for _ in range(30):
                if not (exe(x)[0] == -n).all():
                    wrong.append(n)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert not wrong


TRIAL = """
define i64 @reversed(ptr %pointers) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %k = sub i64 19999, %i
  %from.at = getelementptr ptr, ptr %pointers, i64 %i
  %from = load ptr, ptr %from.at
  %to.at = getelementptr ptr, ptr %pointers, i64 %k
  %to = load ptr, ptr %to.at
  %number = load i64, ptr %from
  store i64 %number, ptr %to
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, 10000
  br i1 %more, label %next, label %end
end:
  ret i64 0
}
"""
"""A `mind_main` for 10,000 arrays in and as many out: the outputs are the inputs from the last to the first."""


def test_20_000_arrays_go_in_and_come_out_by_both_ways():
    from mind_mlir.lowering.native.fixed_code import fixed_code

    b = mind.Builder()
    module = b.finish([b.Input(f"x{n}", mind.i64()) for n in range(10_000)])
    code = fixed_code(TRIAL)
    exe = fast.with_short_way(NativeExecutable)(module, code, code.address("reversed"))
    arrays = [np.array(n) for n in range(10_000)]
    for n in range(3):
        assert is_short(exe) == (n == 2 or (n == 1 and fast.is_ready()))
        assert [int(a) for a in exe(*arrays)] == list(range(9_999, -1, -1))
    out = [np.empty((), np.int64) for _ in range(10_000)]
    assert exe(*arrays, out=out)[5] is out[5]
    assert int(out[5]) == 9_994
    with pytest.raises(mind.MindError, match="shares memory"):
        exe(*arrays, out=[*out[:-1], arrays[7]])
    with pytest.raises(mind.MindError, match=r"x17: expected tensor<i64\[\]>"):
        exe(*arrays[:17], np.zeros(3), *arrays[18:])


def test_an_attempt_tells_when_arrays_do_not_fit(ways):
    short, _ = ways
    attempt = short.attempt()
    assert attempt(X, Y)[0].tobytes() == (X + Y).tobytes()
    for other in ((X,), (X, Y, Y), (X, 3), (X, Y[:2]), (X.astype(np.float64), Y)):
        assert attempt(*other) is MISSED
    assert attempt(X, y=Y) is MISSED


@pytest.mark.parametrize("what", ["python", "fields", "numpy", "code", "trial"])
def test_where_an_assumption_fails_calls_go_through_python(what, monkeypatch):
    from mind_mlir.lowering.native import fixed_code

    for cached in (layout.process_table, fast._vectorcall):
        cached.cache_clear()
    if what == "python":
        monkeypatch.setattr(layout, "is_ordinary_python", lambda: False)
    elif what == "fields":
        monkeypatch.setattr(layout, "_fields_are_as_assumed", lambda: False)
    elif what == "numpy":
        monkeypatch.setattr(layout, "_API_VERSIONS", ())
    elif what == "code":

        def fails(text):
            raise mind.MindError.of("E7006", "no LLVM")

        monkeypatch.setattr(fixed_code, "fixed_code", fails)
    else:
        monkeypatch.setattr(fast, "_does_as_told", lambda *_: False)
    exe = mind.compile(one_output())
    for _ in range(4):
        assert (exe(X, Y)[0] == X + Y).all()
    assert not is_short(exe)
    assert exe.attempt() is None
    f = mind.jit(lambda x, y: x - y)
    for _ in range(4):
        assert (f(X, Y) == X - Y).all()
    monkeypatch.undo()
    for cached in (layout.process_table, fast._vectorcall):
        cached.cache_clear()


def test_a_debug_or_free_threaded_python_has_no_short_way(monkeypatch):
    assert layout.is_ordinary_python()
    monkeypatch.setattr(sys, "gettotalrefcount", lambda: 0, raising=False)
    assert not layout.is_ordinary_python()
    monkeypatch.delattr(sys, "gettotalrefcount")
    monkeypatch.setattr(sys, "abiflags", "t", raising=False)
    assert not layout.is_ordinary_python()
    assert fast.with_short_way(NativeExecutable) is NativeExecutable


def test_the_fields_of_the_plan_are_in_the_order_of_the_shim():
    import re
    from pathlib import Path

    from mind_mlir.runtime.calls import plans

    text = (Path(fast.__file__).parent / "shim.ll").read_text(encoding="utf-8")

    def sizes(name):
        body = re.search(rf"^%{name} = type {{(.*?)}}", text, re.DOTALL | re.MULTILINE)[1]
        return [{"ptr": 8, "i64": 8, "i32": 4}[t] for t in re.findall(r"\b(ptr|i64|i32)\b", re.sub(";.*", "", body))]

    for name, structure in (("plan", plans._Plan), ("want", plans._Want), ("array", layout._Array)):
        assert sizes(name) == [ctypes.sizeof(kind) for _, kind in structure._fields_], name
    assert len(sizes("process")) == len(layout.process_table())


def test_a_plan_for_other_memory_of_a_result_is_followed():
    made = []

    def maker():
        made.append(np.empty((3, 4), np.float32))
        return made[-1]

    exe, _ = pair(one_output())
    plan = Plan(layout.process_table(), exe._address, exe.input_types, exe.output_types, [maker], True)
    assert fast.connect(exe, plan)
    assert exe(X, Y)[0] is made[0]

    def breaks():
        raise MemoryError("none left")

    assert fast.connect(
        exe, Plan(layout.process_table(), exe._address, exe.input_types, exe.output_types, [breaks], False)
    )
    for _ in itertools.repeat(None, 3):
        with pytest.raises(MemoryError, match="none left"):
            exe(X, Y)
