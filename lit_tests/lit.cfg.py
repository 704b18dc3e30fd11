# ruff: noqa: F821  lit gives this file `config` and `lit_config`
"""How lit runs these files: in its own shell, with the tools of the installed package, outside the source tree.

Every test is a short text with `RUN:` lines; FileCheck compares what a command prints with the `CHECK` lines.  Run all
of them with `pytest pytests/test_lit.py`, or some with `python -c "from lit.main import main; main()" lit_tests/text`.

    mind-opt, mind-translate, mind-run, mind-tune   the commands
    FileCheck                                       compares output with the CHECK lines
    exits-with STATUS COMMAND …                     passes if the command ends with exactly this status
    %python                                         the Python that runs lit

With `REQUIRES: native`, where the dialect is built in C++:

    mind-opt-cc                                     mlir-opt with the dialect built in
    %plugin                                         MindPlugin.so
"""

import atexit
import os
import re
import resource
import shlex
import shutil
import sys
import tempfile

import lit.formats

from mind_mlir.dialects.native_dialect import FOLDER, native_folder
from mind_mlir.lowering.toolchain.installed import tool

# a command that runs in circles ends, and its test fails
resource.setrlimit(resource.RLIMIT_CPU, (60, resource.getrlimit(resource.RLIMIT_CPU)[1]))

config.name = "mind"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mindir", ".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

# outputs go to --param exec_root=DIR, or to a folder that is removed at the end
config.test_exec_root = lit_config.params.get("exec_root")
if config.test_exec_root is None:
    config.test_exec_root = tempfile.mkdtemp(prefix="mind-lit-")
    atexit.register(shutil.rmtree, config.test_exec_root, ignore_errors=True)

# a command that waits for ever ends with status 124; lit's own --timeout needs psutil
longest, timeout = lit_config.params.get("longest", "3600"), shutil.which("timeout")
limit = f"{shlex.quote(timeout)} --foreground {longest} " if timeout else ""
python = limit + shlex.quote(sys.executable)
commands = {
    name: f"{python} -m mind_mlir.cli.{name.replace('-', '_')}"
    for name in ("mind-opt", "mind-translate", "mind-run", "mind-tune")
}

# with --param served='CLIENT ADDRESS', commands are forks of a process that has loaded MLIR: pytests/command_server.py
if served := lit_config.params.get("served"):
    for name in ("mind-opt", "mind-translate", "mind-run"):
        commands[name] = commands[name].replace(" -m ", f" -I -S {served} ")

native = native_folder()
if (native / "MindPlugin.so").is_file():
    config.available_features.add("native")
    commands["mind-opt-cc"] = shlex.quote(os.fspath(native / "mind-opt-cc"))
    config.substitutions.append(("%plugin", shlex.quote(os.fspath(native / "MindPlugin.so")).replace("\\", r"\\")))
commands["FileCheck"] = shlex.quote(tool("FileCheck"))
commands["mlir-opt"] = shlex.quote(tool("mlir-opt"))
commands["exits-with"] = f"{python} -I -S {shlex.quote(os.path.join(config.test_source_root, 'exits_with.py'))}"
for name, command in commands.items():
    config.substitutions.append((rf"(?<![\w./-]){re.escape(name)}(?![\w./-])", command.replace("\\", r"\\")))
config.substitutions.append(("%python", python.replace("\\", r"\\")))

for variable in ("PYTHONPATH", "TMPDIR", FOLDER):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
config.environment["PYTHONUTF8"] = "1"
config.environment["MIND_CACHE"] = "off"  # what is tested is compiled, and the user's cache is left alone
