"""The examples: each module is what its text forms say and runs to equal bits, each command and program works.

Commands run as the examples show them, in a folder that has a copy of `examples/` in it.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from checkout import ROOT
from limits import HUNG
from support import MODES, assert_agrees, assert_same_bits

import mind_mlir as mind

EXAMPLES = ROOT / "examples"
MISTAKE = EXAMPLES / "mistake.mindir"
FILES = sorted(f for f in EXAMPLES.rglob("*.mindir") if f != MISTAKE)
WRITTEN = [f for f in FILES if not f.name.endswith(".grammar.mindir")]
ONE_FORM = {"spellings.mindir"}
EXTENDED = {"softmax"}


def name(path: Path) -> str:
    return path.relative_to(EXAMPLES).as_posix()


def stem(file: Path) -> Path:
    return file.with_name(file.name.split(".")[0])


every_file = pytest.mark.parametrize("file", FILES, ids=name)


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess:
    """Run `mind-…` or `python FILE` as a shell would, with the package of this checkout."""
    program, *arguments = shlex.split(command)
    if program == "python":
        arguments[0] = str(folder / arguments[0])
        start = f"import runpy; sys.path.insert(0, {str(Path(arguments[0]).parent)!r}); sys.argv = sys.argv[1:]"
        start += "; runpy.run_path(sys.argv[0], run_name='__main__')"
    else:
        start = f"from mind_mlir.cli.{program.replace('-', '_')} import main; main()"
    start = f"import sys; sys.path.insert(0, {str(ROOT / 'pytests')!r}); import checkout; {start}"
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=HUNG,
    )


def succeed(command: str, folder: Path) -> str:
    done = run(command, folder)
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    assert done.stderr == ""
    return done.stdout


# The modules


@every_file
def test_every_module_starts_with_what_it_shows_and_how_to_run_it(file):
    comment = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("//")]
    assert 2 <= len(comment) <= 4
    assert commands_of(file)


@every_file
def test_every_module_verifies_in_its_profile(file):
    profile = "extended" if stem(file).name in EXTENDED else "core-v1"
    mind.verify(mind.parse(file), profile=profile)


def test_softmax_needs_the_extended_profile():
    with pytest.raises(mind.MindError, match="Div") as caught:
        mind.verify(mind.parse(EXAMPLES / "softmax.mindir"), profile="core-v1")
    assert caught.value.code == "E4012"


@pytest.mark.parametrize("file", [f for f in WRITTEN if f.name not in ONE_FORM], ids=name)
def test_both_text_forms_give_equal_modules(file):
    grammar = stem(file).with_suffix(".grammar.mindir")
    assert mind.parse(file) == mind.parse(grammar)
    assert "Tensor<" in grammar.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", [f for f in WRITTEN if f.name not in ONE_FORM], ids=name)
def test_the_written_form_is_what_the_printer_writes(file):
    text = file.read_text(encoding="utf-8")
    statements = "".join(line + "\n" for line in text.splitlines() if not line.startswith("//"))
    assert str(mind.parse(file)) == statements


@every_file
def test_canonical_modules_stay_as_they_are(file):
    once = mind.canonicalize(mind.parse(file))
    assert str(mind.canonicalize(once)) == str(once)
    assert mind.canonicalize(once) == once


def arguments_of(file: Path) -> dict[str, np.ndarray]:
    """The archive beside the module; images and weights for the digits."""
    if file.parent.name == "digits":
        with np.load(file.parent / "digits.npz") as digits, np.load(file.parent / "weights.npz") as weights:
            x = digits["images"][2::3].reshape(-1, 64).astype(np.float32) / np.float32(16)
            return {"x": x, **weights}
    with np.load(stem(file).with_suffix(".npz")) as archive:
        return dict(archive)


@every_file
def test_native_code_agrees_with_the_interpreter(file):
    module, arguments = mind.parse(file), arguments_of(file)
    canonical = mind.canonicalize(module)
    expected = mind.interpret(module, **arguments)
    in_order = [arguments[o.op.name] for o in module.inputs]
    assert_agrees(module, in_order, mind.interpret(canonical, **arguments), expected, "strict")
    for m in (module, canonical):
        for numerics in MODES:
            found = mind.compile(m, numerics=numerics)(**arguments)
            assert_agrees(module, in_order, found, expected, numerics)


def softmax(x):
    e = np.exp(x)
    return (e / e.sum(axis=1, keepdims=True),)


def padded_convolution(image, filter, bias):
    p = np.pad(image, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(p, (3, 3), axis=(1, 2))[:, ::2, ::2]
    return (np.maximum(np.einsum("nyxcij,ijcf->nyxf", windows, filter) + bias, 0),)


IN_NUMPY = {
    "batched_matmul": lambda lhs, rhs: (lhs @ rhs,),
    "broadcasting": lambda x, y: ((x + y) / 2, x - y),
    "conv2d": padded_convolution,
    "dot": lambda vector, matrix: (vector @ vector, matrix @ vector, vector @ matrix, matrix @ matrix),
    "embedding": lambda table, tokens: (table[tokens], table[tokens].mean(axis=1)),
    "matmul": lambda a, b: (a @ b,),
    "mlp_layer": lambda x: (np.maximum(x @ np.float32([[1, -0.5, 0.25, 2], [0.5, 1, -1, 0]]) + np.float32(0.125), 0),),
    "reductions": lambda x: (
        x.sum(axis=1),
        x.sum(axis=1, keepdims=True),
        x.mean(axis=(0, 2)),
        x.mean(axis=(0, 2), keepdims=True),
        x.sum(),
        x.mean(),
    ),
    "shapes": lambda x: (x.reshape(3, 2), x.T, x[None, :, None], x),
    "slices": lambda x: (x[::2, :4], x[-2:], x[3, 1]),
    "softmax": softmax,
    "spellings": lambda x, y: ((np.maximum(x, 0) * y).sum(axis=1),),
    "mlp": lambda x, w1, b1, w2, b2: (np.maximum(x @ w1 + b1, 0) @ w2 + b2,),
}


@pytest.mark.parametrize("file", WRITTEN, ids=name)
def test_results_are_those_of_the_same_formula_in_numpy(file):
    arguments = arguments_of(file)
    found = mind.compile(mind.parse(file))(**arguments)
    expected = IN_NUMPY[stem(file).name](**arguments)
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


def test_a_token_outside_the_table_is_an_error_from_native_code():
    file = EXAMPLES / "embedding.mindir"
    arguments = arguments_of(file)
    arguments["tokens"][1, 2] = 5
    with pytest.raises(mind.MindError, match="out of bounds") as caught:
        mind.compile(mind.parse(file))(**arguments)
    assert caught.value.code == "E6001"


def test_make_inputs_makes_the_stored_arrays(folder):
    stored = sorted((folder / "examples").glob("*.npz"))
    for archive in stored:
        archive.unlink()
    succeed("python examples/make_inputs.py", folder)
    assert sorted((folder / "examples").glob("*.npz")) == stored
    for archive in stored:
        with np.load(archive) as made, np.load(EXAMPLES / archive.name) as kept:
            assert list(made) == list(kept)
            for key in made:
                assert_same_bits(made[key], kept[key], f"{archive.name}: {key}")


# The commands


def commands_of(file: Path) -> list[str]:
    """Commands in the comment of a module, in the tables of a page (`…`), or indented on a page."""
    text = file.read_text(encoding="utf-8")
    comments = re.findall(r"^// *((?:mind-\w+|python) .*)$", text, re.MULTILINE)
    shown = re.findall(r"`((?:mind-\w+|python) [^`]*)`", text) if file.suffix == ".md" else []
    indented = re.findall(r"^    ((?:mind-\w+|python) .*)$", text, re.MULTILINE)
    return [*comments, *shown, *indented]


WITH_TESTS_BELOW = {
    f"python examples/{name}.py" for name in ("builder", "embed", "hessian_vector", "gauss_newton", "digits/train")
}
COMMANDS = {
    c: None
    for f in [*FILES, EXAMPLES / "README.md"]
    for c in commands_of(f)
    if not c.endswith("examples/mistake.mindir") and c not in WITH_TESTS_BELOW
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_in_the_comments_and_the_table_run(command, folder):
    output = succeed(command, folder)
    assert output
    if "--compare" in command:
        assert "equal on cpu and interpret" in output


def test_the_table_names_every_example():
    table = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for file in [*WRITTEN, MISTAKE]:
        assert f"| {file.stem} |" in table or f"({file.parent.name}/README.md)" in table
    for program in EXAMPLES.glob("*.py"):
        assert f"python examples/{program.name}" in table


def test_the_mistake_is_reported_as_two_errors(folder):
    done = run(*commands_of(MISTAKE), folder)
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.findall(r"^error\[(E\d+)\]", done.stderr, re.MULTILINE) == ["E3003", "E3004"]


# The programs


def test_builder_prints_a_module_that_reads_back(folder):
    printed = succeed("python examples/builder.py", folder)
    module = mind.parse(printed[: printed.index("\n\n") + 1])
    mind.verify(module, profile="core-v1")
    assert [o.opcode for o in module.operations[2:]] == ["MatMul", "Relu", "Mean", "Sub", "ConstTensor", "Mul"]
    assert "E3003: MatMul contracts 2 against 3" in printed


def test_embed_inlines_the_module_into_the_other_program(folder):
    before, after = succeed("python examples/embed.py", folder).split("// Inlined and simplified")
    assert "func.func private @layer" in before
    assert "call @layer" in before
    assert "@layer(" not in after
    assert after.count("func.func") == 1
    assert "linalg.matmul" in after


# The digits


def test_the_digits_are_the_public_set():
    with np.load(EXAMPLES / "digits" / "digits.npz") as archive:
        images, labels = archive["images"], archive["labels"]
    assert (images.shape, images.dtype, labels.shape) == ((1797, 8, 8), np.uint8, (1797,))
    assert (images.min(), images.max(), int(images.sum(dtype=int))) == (0, 16, 561718)
    assert np.bincount(labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_the_data_stays_small():
    assert (EXAMPLES / "digits" / "digits.npz").stat().st_size < 200_000
    assert (EXAMPLES / "digits" / "weights.npz").stat().st_size < 60_000
    assert sum(f.stat().st_size for f in EXAMPLES.glob("*.npz")) < 20_000


def test_classify_prints_the_accuracy_of_the_compiled_network_from_any_folder(tmp_path):
    module = mind.parse(EXAMPLES / "digits" / "mlp.mindir")
    arguments = arguments_of(EXAMPLES / "digits" / "mlp.mindir")
    (logits,) = mind.compile(module)(**arguments)
    with np.load(EXAMPLES / "digits" / "digits.npz") as archive:
        right = int((logits.argmax(axis=1) == archive["labels"][2::3]).sum())
    assert right / 599 >= 0.96

    page = " ".join((EXAMPLES / "digits" / "README.md").read_text(encoding="utf-8").split())
    assert f"{right} of the 599 digits" in page
    assert f"({right / 5.99:.1f} %)" in page

    program = shlex.quote(str(EXAMPLES / "digits" / "classify.py"))
    printed = succeed(f"python {program} --show 2", tmp_path)
    assert f"{right} of 599 held-out digits are right: accuracy {right / 599:.4f}\n" in printed
    difference = re.search(r"the 5990 logits of native code and interpreter differ by up to (\S+)\n$", printed)[1]
    assert float(difference) < 1e-5
    rows = re.findall(r"^ +\d" + r" +(\d+)" * 10 + "$", printed.replace(" .", " 0"), re.MULTILINE)
    table = [list(map(int, row)) for row in rows]
    assert sum(map(sum, table)) == 599
    assert sum(table[d][d] for d in range(10)) == right
    assert printed.count("█") > 10


def test_the_digits_page_trains_both_networks_as_it_says(folder):
    """Every command of the page, in order: the stored weights to the bit, and the accuracy of the CNN."""
    page = (EXAMPLES / "digits" / "README.md").read_text(encoding="utf-8")
    printed = {c: succeed(c, folder) for c in commands_of(EXAMPLES / "digits" / "README.md")}
    assert len(printed) >= 6
    assert all(printed.values())

    assert "120/120" in printed["python examples/digits/train.py --output weights.npz"]
    with np.load(EXAMPLES / "digits" / "weights.npz") as stored, np.load(folder / "weights.npz") as made:
        assert list(stored) == list(made)
        for key in stored:
            assert_same_bits(made[key], stored[key], key)

    convolutional = printed["python examples/digits/train.py --network cnn"]
    right = re.search(r"accuracy on 599 held-out images: (0\.\d+)", convolutional)[1]
    assert float(right) >= 0.985
    assert f"({100 * float(right):.1f} %)" in page


def test_training_fails_unless_it_is_good_enough(folder):
    assert run("python examples/digits/train.py --epochs 1 --at-least 0.97", folder).returncode == 1
    assert succeed("python examples/digits/train.py --epochs 1 --at-least 0.1", folder)


# Second order


def test_newtons_method_finds_the_minimum(folder):
    printed = succeed("python examples/hessian_vector.py", folder)
    assert "x = [1. 1. 1. 1. 1. 1. 1. 1. 1. 1. 1. 1.]" in printed


def test_gauss_newton_steps_come_to_rest(folder):
    steps = succeed("python examples/gauss_newton.py", folder).splitlines()
    assert len(steps) < 12
    assert steps[-1].endswith(steps[-2][-32:])


def test_the_stages_stand_side_by_side_and_become_a_picture(folder):
    printed = succeed("python examples/stages.py --svg stages.svg", folder)
    assert all(stage in printed for stage in ("linearize", "unzip", "transpose", "canonicalize"))
    assert "gradients: %0 → %11, %1 → %10" in printed
    assert (folder / "stages.svg").read_text(encoding="utf-8").startswith("<svg")
