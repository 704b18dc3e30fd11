"""What a short run does not load.  docs/adr/0007-start-up.md has the reasons."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = '%0 = Input {name = "x"} : tensor<f32[2, 2]>\n%1 = Relu (%0) : tensor<f32[2, 2]>\noutputs: %1\n'
SLOW = ("mlir", "numpy", "pydantic", "rich")

RUNS = {
    "import mind_mlir": "import mind_mlir",
    "a module parsed, verified, printed": f"import mind_mlir as mind; str(mind.verify(mind.parse({MODULE!r})))",
    "a module made and canonicalised": (
        "import mind_mlir as mind; b = mind.Builder(); x = b.Input('x', mind.f32(2, 2)); "
        "mind.canonicalize(b.finish([b.Sum(-x, axes=[0], keepdims=False)]))"
    ),
    "constants made and canonicalised": (
        "import mind_mlir as mind; b = mind.Builder(); x = b.Input('x', mind.f32(2, 2)); "
        "mind.canonicalize(b.finish([x * b.ConstF32(2.0), x * 1]))"
    ),
    "mind-opt --help": "from mind_mlir.cli.mind_opt import app; app(['--help'], standalone_mode=False)",
    "mind-opt on Core IR": (
        "from mind_mlir.cli.mind_opt import app; app(['m.mindir', '--canonicalize'], standalone_mode=False)"
    ),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_run_on_core_ir_loads_nothing_slow(run, tmp_path):
    (tmp_path / "m.mindir").write_text(MODULE)
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import checkout
before = set(sys.modules)
{RUNS[run]}
print("loaded", *sorted({{m.partition(".")[0] for m in set(sys.modules) - before}} & set({SLOW})))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "loaded"


def python(program, cwd=None):
    """What a fresh process prints that runs `program`."""
    head = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import checkout\n"
    done = subprocess.run([sys.executable, "-c", head + program], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_importing_the_package_loads_nothing_of_it_but_the_gate_for_forks():
    assert python("import mind_mlir; print(*sorted(m for m in sys.modules if m.startswith('mind_mlir')))") == [
        "mind_mlir mind_mlir.gate"
    ]


def test_the_help_of_mind_opt_loads_no_ir_and_no_typer():
    out = python("""
import atexit
loaded = lambda: print("loaded", *({m.partition(".ir")[0] for m in sys.modules} & {"typer", "click", "mind_mlir.ir"}))
atexit.register(loaded)
sys.argv = ["mind-opt", "--help"]
from mind_mlir.cli.mind_opt import main
main()
""")
    assert out[0].startswith("Usage: mind-opt")
    assert out[-1] == "loaded"


def test_a_run_on_core_ir_loads_the_operations_and_passes_that_it_names(tmp_path):
    (tmp_path / "m.mindir").write_text(MODULE)
    program = """
import atexit
def loaded():
    print("ops", *sorted(m.removeprefix("mind_mlir.ops.") for m in sys.modules if m.startswith("mind_mlir.ops.")))
    files = ("linearize", "transpose_linear", "unzip")
    print("passes", *sorted(m for m in files if f"mind_mlir.passes.{m}" in sys.modules))
    print("others", *({"typer", "click", "numpy"} & set(sys.modules)))
atexit.register(loaded)
sys.argv = ["mind-opt", "m.mindir", "--verify", "--canonicalize"]
from mind_mlir.cli.mind_opt import main
main()
"""
    ops, passes, others = python(program, tmp_path)[-3:]
    shared = [w for w in ops.split()[1:] if w.startswith("_")]
    assert [w for w in ops.split()[1:] if w not in shared] == ["input", "relu"]
    assert (passes, others) == ("passes", "others")


MANY = """
import mind_mlir as mind, mind_mlir.ops
mind_mlir.ops.__path__.append("more")
from mind_mlir.ir import OPS
"""


@pytest.fixture
def many(tmp_path):
    """A folder `more` with 200 operations in it, Relu0 to Relu199."""
    relu = (Path(__file__).parent.parent / "mind_mlir" / "ops" / "relu.py").read_text(encoding="utf-8")
    (tmp_path / "more").mkdir()
    for n in range(200):
        text = relu.replace("class Relu(", f"class Relu{n}(").replace("input.op, Relu)", f"input.op, Relu{n})")
        text = text.replace('"relu",', f'"relu{n}",')  # the name of its function
        (tmp_path / "more" / f"relu{n}.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_function_of_an_operation_loads_no_other_operation_of_its_kind(many):
    program = f"""{MANY}
import numpy as np
print(mind.relu117(np.float32([-1, 2])), hasattr(mind, "relu200"))
print(sorted(m for m in sys.modules if m.startswith("mind_mlir.ops.relu")))
"""
    assert python(program, many) == ["[0. 2.] False", "['mind_mlir.ops.relu117']"]


def test_operations_that_a_run_does_not_name_are_not_loaded_however_many_there_are(many):
    program = f"""{MANY}
before = set(sys.modules)
mind.canonicalize(mind.parse({MODULE!r}))
few = len(set(sys.modules) - before)
mind.parse({MODULE.replace("Relu", "Relu117")!r})
print(sorted(m for m in sys.modules if m.startswith("mind_mlir.ops.relu")))
print(len(OPS) > 200, "Relu42" in OPS, len([n for n in OPS if n.startswith("Relu")]))
"""
    assert python(program, many) == ["['mind_mlir.ops.relu', 'mind_mlir.ops.relu117']", "True True 201"]


def test_an_operation_whose_file_is_still_being_imported_is_waited_for(many):
    text = (many / "more" / "relu0.py").read_text(encoding="utf-8")
    (many / "more" / "relu0.py").write_text(f"{text}\nimport time\ntime.sleep(0.5)\nHELPER = 1\n", encoding="utf-8")
    program = f"""{MANY}
import threading, time
first = threading.Thread(target=lambda: OPS["Relu0"])
first.start()
while "mind_mlir.ops.relu0" not in sys.modules or not hasattr(sys.modules["mind_mlir.ops.relu0"], "Relu0"):
    time.sleep(0.001)
found = []
others = [threading.Thread(target=lambda: found.append(sys.modules[OPS["Relu0"].__module__].HELPER)) for _ in range(4)]
[t.start() for t in others]
[t.join() for t in (first, *others)]
print(found)
"""
    assert python(program, many) == ["[1, 1, 1, 1]"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_forked_while_a_thread_imports_an_operation_finds_it_too(many):
    text = (many / "more" / "relu0.py").read_text(encoding="utf-8")
    (many / "more" / "relu0.py").write_text(f"import time\ntime.sleep(0.5)\n{text}", encoding="utf-8")
    program = f"""{MANY}
import os, threading, time
first = threading.Thread(target=lambda: OPS["Relu0"])
first.start()
while "mind_mlir.ops.relu0" not in sys.modules:
    time.sleep(0.001)
child = os.fork()
if child == 0:
    found = []
    looker = threading.Thread(target=lambda: found.append(OPS["Relu0"].opcode), daemon=True)
    looker.start()
    looker.join(20)
    os._exit(0 if found == ["Relu0"] else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert python(program, many) == ["0"]


def test_threads_that_look_all_operations_up_at_once_find_whole_ones():
    program = """
import threading
from mind_mlir.ir import OPS
sys.setswitchinterval(1e-6)
names, found = ["ConstTensor", "Conv2d", "Sum", "Gather", "Pad", "MatMul"], []
def look(n):
    found.append([len(OPS[name].samples()) for name in (*names[n:], *names[:n])] and len(OPS))
threads = [threading.Thread(target=look, args=(n,)) for n in range(6)]
[t.start() for t in threads]
[t.join() for t in threads]
print(len(found), len(set(found)))
"""
    assert python(program) == ["6 1"]


def test_an_operation_in_a_file_that_is_not_named_after_it_is_refused(many):
    (many / "more" / "relu1.py").rename(many / "more" / "other.py")
    program = f"""{MANY}
try: len(OPS)
except TypeError as why: print(why)
"""
    assert python(program, many) == ["op Relu1: its file is mind_mlir.ops.other, which is not named after it"]


def test_operations_are_pickled_and_found_in_another_process(tmp_path):
    program = "import pickle, mind_mlir as mind; m = mind.parse({!r}); pickle.dump(m, open('m', 'wb'))"
    python(program.format(MODULE), tmp_path)
    assert "\n".join(python("import pickle; print(pickle.load(open('m', 'rb')))", tmp_path)).strip() == MODULE.strip()


def test_a_pass_and_its_file_go_by_one_name_whichever_is_imported_first():
    for first in ("from mind_mlir.passes.verify import Check", "import mind_mlir.passes.gradient", "pass"):
        assert python(f"""
{first}
import mind_mlir.passes.verify
from mind_mlir import passes
from mind_mlir.passes import verify, gradient
print(callable(verify), callable(gradient), callable(passes.verify), passes.transpose.__name__)
""") == ["True True True transpose"]
