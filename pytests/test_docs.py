"""The documentation: blocks run and show what they give, links lead somewhere, generated pages are fresh.

A page's blocks run in order, in one folder that has `examples/` in it.  The word after the fence says how:

    ```console          lines after `$` are commands; what follows is their output, errors included
    ```python           lines after `>>>` are statements; what follows is their value
    ```mindir NAME      a file, written into the folder
    ```mindir           a module that verifies
    ```python run       definitions, which the page's later statements use
    ```python PATH      a file of the source tree, used by another test
    ```sh               commands of the set-up, which are not run
    ```text             a picture or a form

`...` in an output stands for any text.  A command whose output has no `error[` ends with status 0.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from checkout import ROOT
from limits import HUNG

import mind_mlir as mind
from mind_mlir.ir import OPS, Linearity

PAGES = sorted(
    p.relative_to(ROOT).as_posix()
    for p in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
)
every_page = pytest.mark.parametrize("page", PAGES)

_BLOCK = re.compile(r"^```(?P<kind>\w*)[ ]?(?P<name>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<command>[^\n]*(?:\\\n[^\n]*)*)\n(?P<output>(?:(?!\$ )[^\n]*\n)*)", re.MULTILINE)
_KINDS = {"console", "python", "mindir", "sh", "text"}


@dataclass(frozen=True)
class Block:
    kind: str
    name: str
    body: str
    line: int


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [Block(m["kind"], m["name"], m["body"], text.count("\n", 0, m.start()) + 1) for m in _BLOCK.finditer(text)]


PAGES_THAT_RUN = [p for p in PAGES if any(b.kind in ("console", "python", "mindir") for b in blocks(p))]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder that a page runs in, with the commands of this checkout in front of the search path."""
    commands, work = tmp_path / "bin", tmp_path / "work"
    commands.mkdir()
    work.mkdir()
    (work / "examples").symlink_to(ROOT / "examples")
    tests = str(Path(__file__).parent)
    for name in ("mind-opt", "mind-translate", "mind-run", "mind-tune"):
        main = f"from mind_mlir.cli.{name.replace('-', '_')} import main; main()"
        program = f"import sys; sys.path.insert(0, {tests!r}); import checkout; {main}"
        script = commands / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(program)} "$@"\n')
        script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.chdir(work)
    return work


@pytest.mark.parametrize("page", PAGES_THAT_RUN)
def test_every_block_gives_what_it_shows(page, folder):
    names = {}
    for block in blocks(page):
        where = f"{page}, the block at line {block.line}"
        if block.kind == "mindir" and block.name:
            (folder / block.name).write_text(block.body, encoding="utf-8")
        elif block.kind == "mindir":
            assert str(mind.verify(mind.parse(block.body, where))) == block.body
        elif block.kind == "console":
            run_console(block.body, where)
        elif block.kind == "python" and block.name == "run":
            exec(compile(block.body, where, "exec"), names)
        elif block.kind == "python" and not block.name:
            run_python(block.body, names, where)


def run_console(body, where):
    commands = list(_COMMAND.finditer(body))
    assert "".join(m[0] for m in commands) == body, f"{where}: text before the first command"
    for m in commands:
        done = subprocess.run(
            m["command"], shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=HUNG
        )
        assert_shown(m["output"], done.stdout, f"{where}\n$ {m['command']}")
        assert (done.returncode == 0) == ("error[" not in m["output"]), f"{where}: status {done.returncode}"


def assert_shown(want, got, where):
    checker, options = doctest.OutputChecker(), doctest.ELLIPSIS
    example = doctest.Example("", want)
    if not checker.check_output(want, got, options):
        pytest.fail(f"{where}\n{checker.output_difference(example, got, options)}", pytrace=False)


def run_python(body, names, where):
    test = doctest.DocTestParser().get_doctest(body, names, where, None, 0)
    assert test.examples, f"{where} has no >>>"
    report = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not report, "".join(report)


@every_page
def test_every_block_is_of_a_known_kind(page):
    assert {b.kind for b in blocks(page)} <= _KINDS


def test_the_set_up_commands_exist():
    for page in PAGES:
        for block in blocks(page):
            if block.kind == "sh":
                for word in re.findall(r"(?<![\w./-])(?:scripts|examples|benchmarks|pytests)/[\w./-]+", block.body):
                    assert (ROOT / word).exists(), f"{page}: {word}"


def test_the_small_version_stays_small():
    lines = "".join(b.body for b in blocks("docs/small.md") if (b.kind, b.name) == ("python", "run")).splitlines()
    assert len([line for line in lines if line.strip()]) <= 400


# Links and names


def anchors(page):
    """What links to headings of a page may say, as GitHub makes them."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


@every_page
def test_every_relative_link_leads_to_a_file_and_heading(page):
    text = _BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            file = (ROOT / page).parent / path if path else ROOT / page
            assert file.exists(), f"{target} does not exist"
            assert not anchor or anchor in anchors(file), f"{target}: no such heading"


@every_page
def test_every_named_file_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    tree = "mind_mlir|docs|examples|scripts|pytests|lit_tests|benchmarks"
    for name in re.findall(rf"`((?:{tree})/[\w./-]*)`", text):
        if name != "mind_mlir/ops/squareplus.py":  # docs/adding-an-op.md adds it
            assert (ROOT / name).exists(), f"{name} does not exist"


@every_page
def test_no_page_names_a_place_on_some_machine(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert not re.findall(r"(?<![\w.])/(?:home|root|tmp|work|Users|usr|opt|mnt)\b\S*", text)


def test_every_page_that_the_code_names_has_the_heading():
    for file in sorted((ROOT / "mind_mlir").rglob("*.py")):
        for page, rest in re.findall(r"docs/([\w-]+\.md), ([A-Z][^.;\n\"]*)", file.read_text(encoding="utf-8")):
            for heading in rest.split(", "):
                if heading[:1].isupper():
                    known = re.findall(r"^#+ (.*)$", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.MULTILINE)
                    assert heading in known, f"{file.name} names docs/{page}, {heading}"


def test_every_section_of_the_semantics_names_the_test_that_holds_it():
    text = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title = section.partition("\n")[0]
        held = re.search(r"^Held by (.*?)(?:\n\n|\Z)", section, re.MULTILINE | re.DOTALL)
        assert held, title
        assert re.search(r"`(?:pytests|lit_tests)/", held[1]), title
        for code in re.findall(r"E\d{4}", held[1]):
            assert list((ROOT / "lit_tests").rglob(f"{code}-*")), f"{title}: no lit test is named after {code}"


def test_the_glossary_explains_its_own_words_and_those_in_use():
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = [t.lower() for t in re.findall(r"\*\*([^*]+)\*\*", text)]
    assert {t for t in terms if terms.count(t) > 1} == {"rank"}, "of a tensor, and of a mesh"
    for word in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", text):
        assert {word.lower(), word.lower().removesuffix("s")} & {*terms}, f"{word} has no entry"
    others = [ROOT / p for p in PAGES if p != "docs/glossary.md"] + sorted((ROOT / "mind_mlir").rglob("*.py"))
    used = " ".join(" ".join(p.read_text(encoding="utf-8") for p in others).lower().split())
    unused = [t for t in terms if t not in used]
    assert not unused, f"nothing else uses {unused}"


def test_every_operation_with_a_derivative_has_its_equation():
    page = (ROOT / "docs" / "derivatives.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| \[(\w+)\]\(ops\.md#\w+\) \| (.+ \| .+) \|$", page, re.MULTILINE))
    ours = {n: cls for n, cls in OPS.items() if cls.__module__.startswith("mind_mlir.ops.")}
    assert set(rows) == {n for n, cls in ours.items() if cls.linearity not in (Linearity.CONSTANT, Linearity.OPAQUE)}
    for name, row in rows.items():
        value, _, rule = row.partition(" | ")
        assert " = " in value, name
        assert re.search("[ẏẋȳ]", rule), f"{name} states no derivative"


def test_the_page_on_changes_names_every_package():
    text = (ROOT / "docs" / "changing.md").read_text(encoding="utf-8")
    packages = {p.parent.name for p in (ROOT / "mind_mlir").glob("*/__init__.py")}
    assert not {p for p in packages if f"`mind_mlir/{p}/" not in text}
    for name in re.findall(r"`python -m benchmarks ([\w-]+)", text):
        assert f"\ndef {name}" in (ROOT / "benchmarks" / "__main__.py").read_text(encoding="utf-8"), name


# Generated files


@pytest.mark.parametrize(
    "script",
    [
        "gen_docs.py",
        "gen_builder_stub.py",
        "gen_coefficients.py",
        "gen_dialect.py",
        "gen_pictures.py",
        "gen_records.py",
        "gen_passes.py",
        "gen_usage.py",
    ],
)
def test_generated_files_are_fresh(script, tmp_path):
    command = [sys.executable, ROOT / "scripts" / script, "--check"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def contrast(a, b):
    """Of two colours, by WCAG: 1 for equal ones, 21 for black and white."""

    def luminance(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("picture", ["layers.svg", "product.svg", "arena.svg"])
def test_a_picture_is_legible_on_white_and_on_black(picture):
    text = (ROOT / "docs" / picture).read_text(encoding="utf-8")
    boxes = set(re.findall(r'<rect [^>]*fill="(#\w{6})"', text))
    (between,) = set(re.findall(r'<text [^>]*fill="(#\w{6})"', text)) - {"#ffffff"}
    assert boxes
    assert min(contrast(box, "#ffffff") for box in boxes) >= 4.5, "of the text in boxes"
    assert min(contrast(between, page) for page in ("#ffffff", "#000000")) >= 4, "of the text between them"
