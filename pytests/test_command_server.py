"""A command that the server runs is as one of its own: arguments, streams, folder, environment, limits and its end."""

import os
import resource
import signal
import subprocess
import time

import command_server
import pytest
from command_server import serving
from commands import client
from limits import HUNG

pytestmark = pytest.mark.skipif(not command_server.SUPPORTED, reason="the server needs Linux")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server")) as found:
        assert found
        yield found


@pytest.fixture
def run(address, tmp_path):
    """Runs the text of a program, as a module in the current folder."""

    def call(text, *arguments, **more):
        (tmp_path / "program.py").write_text(text)
        command = client(address, "program", *arguments)
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HUNG, **more)

    return call


def test_it_gets_arguments_folder_environment_and_input(run, tmp_path):
    text = "import os, sys\nprint(sys.argv[1:], os.getcwd(), os.environ['WORD'], 'HOME' in os.environ, input())"
    done = run(text, "a b", "ü", env={"WORD": "x"}, input="line\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"['a b', 'ü'] {tmp_path} x False line\n"


def test_as_much_as_is_written_arrives(run):
    done = run("import sys\ntext = sys.stdin.read()\nprint(text)\nprint(text, file=sys.stderr)", input="x" * 1_000_000)
    assert (len(done.stdout), len(done.stderr), done.returncode) == (1_000_001, 1_000_001, 0)


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("", 0, ""),
        ("import sys; sys.exit(7)", 7, ""),
        ("import sys; sys.exit('why')", 1, "why\n"),
        ("import os; os._exit(9)", 9, ""),
        ("import os; os.abort()", -signal.SIGABRT, ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, ""),
    ],
)
def test_it_ends_as_the_program_does(run, text, status, said):
    done = run(text)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", said)


def test_an_exception_shows_its_trace(run):
    done = run("raise ValueError('why')")
    assert done.returncode == 1
    assert done.stderr.endswith("ValueError: why\n")


def test_the_limit_of_cpu_time_is_that_of_the_client(run):
    limit = (1, resource.getrlimit(resource.RLIMIT_CPU)[1])
    done = run("while True: pass", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit))
    assert done.returncode == -signal.SIGXCPU


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_ends_with_its_client(address, tmp_path):
    (tmp_path / "program.py").write_text("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(3600)")
    with subprocess.Popen(client(address, "program"), cwd=tmp_path, stdout=subprocess.PIPE) as waiting:
        program = int(waiting.stdout.readline())
        waiting.terminate()
        assert waiting.wait(HUNG) == -signal.SIGTERM
    while is_alive(program):
        time.sleep(0.01)


def test_a_rank_gets_the_file_by_which_it_talks_with_mpirun(run):
    ours, its = os.pipe()
    with os.fdopen(ours) as ours:
        text = "import os\nos.write(int(os.environ['PMI_FD']), b'word')"
        done = run(text, env={"PMI_FD": str(its)}, pass_fds=[its])
        os.close(its)
        assert (done.returncode, done.stderr, ours.read()) == (0, "", "word")


@pytest.mark.parametrize(("variables", "said"), [({}, ""), ({"PYTHONUNBUFFERED": "1"}, "out\n")])
def test_what_is_said_before_an_abrupt_end_is_what_python_would_have_written(run, variables, said):
    done = run("import os, sys\nprint('out')\nprint('err', file=sys.stderr)\nos._exit(0)", env=variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "err\n")


def test_commands_run_side_by_side(address, tmp_path):
    """The first waits for what the second writes."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "reads.py").write_text("print(open('pipe').read())")
    (tmp_path / "writes.py").write_text("open('pipe', 'w').write('word')")
    with subprocess.Popen(client(address, "reads"), cwd=tmp_path, stdout=subprocess.PIPE) as reads:
        subprocess.run(client(address, "writes"), cwd=tmp_path, check=True, timeout=HUNG)
        assert reads.communicate(timeout=HUNG) == (b"word\n", None)


def test_operations_and_lowering_are_not_loaded_before(run):
    asked = "{'mind_mlir.ir', 'mind_mlir.ops.relu', 'mind_mlir.lowering.native.compiler'}"
    text = f"import sys\nprint(sorted({asked} & {{*sys.modules}}))"
    assert run(text).stdout == "['mind_mlir.ir']\n"


def test_without_a_server_a_client_says_so(tmp_path):
    with serving(tmp_path) as address:
        pass
    done = subprocess.run(client(address, "program"), capture_output=True, text=True)
    assert done.returncode == 1
    assert "refused" in done.stderr


def test_where_there_can_be_no_server_there_is_no_address(tmp_path, monkeypatch):
    monkeypatch.setattr(command_server, "SUPPORTED", False)
    with serving(tmp_path) as address:
        assert address == ""
