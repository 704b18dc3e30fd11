"""Pipeline text: both levels in one syntax, checked whole before anything runs, printed so that it parses back."""

from typing import Literal

import pytest
from hypothesis import given, strategies as st

import mind_mlir as mind
import mind_mlir.lowering
from mind_mlir.passes import gradient, gradient_pipeline, pipeline, registry
from mind_mlir.passes.pipeline import Pipeline
from mind_mlir.passes.registry import PASSES, PIPELINES, Level, read_option, register
from mind_mlir.passes.timing import Timing

MODULE = '%0 = Input {name = "x"} : tensor<f32[2]>\n%1 = Neg (%0)\n%2 = Neg (%0)\n%3 = Add (%1, %2)\noutputs: %3\n'


def steps(text, start=Level.CORE):
    return [s.text for s in Pipeline.parse(text, start).steps]


def error_of(text, start=Level.CORE):
    with pytest.raises(mind.MindError) as caught:
        Pipeline.parse(text, start)
    return caught.value


@pytest.fixture
def passes(monkeypatch):
    """A registry of the test's own, with what is registered already."""
    for name in ("PASSES", "PIPELINES"):
        own = dict(getattr(registry, name))
        monkeypatch.setattr(registry, name, own)
        monkeypatch.setattr(pipeline, name, own)


# Reading and printing

CORE_STEPS = [
    "verify",
    "canonicalize",
    "verify{profile=core-v1}",
    "verify{strict-axes=true profile=extended}",
    "verify{strict-positive-dims=false}",
    "linearize{wrt=2,0 profile=core-v1}",
    "linearize{wrt=}",
    "propagate",
    "unzip",
    "transpose{seed=ones}",
]
MLIR_STEPS = [
    "canonicalize",
    "cse",
    "cpu-abi",
    "check-lowered",
    "func.func(cse)",
    "func.func(canonicalize{max-iterations=3 top-down=false},cse)",
    "one-shot-bufferize{bufferize-function-boundaries=true}",
]


@given(st.lists(st.sampled_from(CORE_STEPS)), st.lists(st.sampled_from(MLIR_STEPS)), st.booleans())
def test_the_dump_parses_back_equal(core, mlir, crosses):
    text = ",".join([*core, "lower-to-linalg", *mlir] if crosses else core)
    parsed = Pipeline.parse(text)
    assert Pipeline.parse(str(parsed)) == parsed
    assert str(Pipeline.parse(str(parsed))) == str(parsed)
    assert [s.text for s in parsed.steps] == ([*core, "lower-to-linalg", *mlir] if crosses else core)


@given(st.lists(st.sampled_from(MLIR_STEPS), min_size=1))
def test_the_dump_of_mlir_passes_parses_back_equal(mlir):
    parsed = Pipeline.parse(",".join(mlir), Level.MLIR)
    assert Pipeline.parse(str(parsed), Level.MLIR) == parsed
    assert str(parsed) == f"builtin.module({','.join(mlir)})"


@pytest.mark.parametrize(
    ("text", "dump"),
    [
        ("", ""),
        ("   ", ""),
        ("verify", "core.module(verify)"),
        (" verify , canonicalize ", "core.module(verify,canonicalize)"),
        ("core.module(verify),core.module(canonicalize)", "core.module(verify,canonicalize)"),
        ("core.module(core.module(verify))", "core.module(verify)"),
        ("core.module()", ""),
        ("lower-to-linalg", "lower-to-linalg"),
        ("verify,lower-to-linalg,cse", "core.module(verify),lower-to-linalg,builtin.module(cse)"),
        ("lower-to-linalg,builtin.module(cse,builtin.module(cse))", "lower-to-linalg,builtin.module(cse,cse)"),
        ("core.module(verify,lower-to-linalg)", "core.module(verify),lower-to-linalg"),
        ("verify{ profile = core-v1 }".replace(" = ", "="), "core.module(verify{profile=core-v1})"),
        ("verify{strict_axes}", "core.module(verify{strict-axes=true})"),
        ("verify{profile='core-v1'}", "core.module(verify{profile=core-v1})"),
        ('verify{profile="core-v1"}', "core.module(verify{profile=core-v1})"),
        ("lower-to-linalg,cpu-fuse", None),
        ("gradient", "core.module(linearize,unzip,transpose{seed=ones},canonicalize{verified=true},verify)"),
        (
            "gradient{wrt=2,0 seed=input profile=core-v1 verify=false}",
            "core.module(linearize{wrt=2,0 profile=core-v1},unzip,transpose{seed=input},canonicalize{verified=true})",
        ),
    ],
)
def test_a_pipeline_is_printed_with_its_anchors(text, dump):
    if dump is None:
        dump = f"lower-to-linalg,builtin.module({PIPELINES[Level.MLIR, 'cpu-fuse']})"
    assert str(Pipeline.parse(text)) == dump


def test_a_name_means_the_pass_of_the_level_that_is_held():
    first, _, second = Pipeline.parse("canonicalize,lower-to-linalg,canonicalize").steps
    assert (first.level, first.info.name) == (Level.CORE, "canonicalize")
    assert (second.level, second.info) == (Level.MLIR, None)


def test_the_levels_are_tracked():
    p = Pipeline.parse("verify,lower-to-linalg,cse")
    assert [(s.level, s.target) for s in p.steps] == [
        (Level.CORE, Level.CORE),
        (Level.CORE, Level.MLIR),
        (Level.MLIR, Level.MLIR),
    ]
    assert (p.start, p.end, p.crosses) == (Level.CORE, Level.MLIR, True)
    p = Pipeline.parse("verify")
    assert (p.end, p.crosses) == (Level.CORE, False)
    assert Pipeline.parse("", Level.MLIR).crosses


def test_named_pipelines_stand_for_their_passes(passes):
    pipeline.PIPELINES[Level.CORE, "check"] = "verify,canonicalize"
    pipeline.PIPELINES[Level.CORE, "check-twice"] = "check,check"
    assert steps("check-twice,verify") == ["verify", "canonicalize"] * 2 + ["verify"]
    assert [s.info for s in Pipeline.parse("check").steps] == [
        PASSES[Level.CORE, "verify"],
        PASSES[Level.CORE, "canonicalize"],
    ]


@pytest.mark.parametrize("name", [n for _, n in PIPELINES])
def test_every_named_pipeline_of_the_package_is_well_formed(name):
    assert len(steps(name, Level.MLIR)) > 1


# Errors


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("verify,", "E7001", ""),
        (",verify", "E7001", ","),
        ("verify,,verify", "E7001", ","),
        ("verify verify", "E7001", "v"),
        ("verify)", "E7001", ")"),
        ("verify{a", "E7001", "{"),
        ("verify{a='}", "E7001", "{"),
        ("core.module(verify", "E7001", "("),
        ("1verify", "E7001", "1"),
        ("verify;", "E7001", ";"),
        ("é", "E7001", "é"),
        ("(" * 10_000, "E7001", "("),
        ("verfy", "E7002", "verfy"),
        ("cse", "E7002", "cse"),
        ("func.func(cse)", "E7002", "func.func"),
        ("verify,builtin.module(cse)", "E7002", "builtin.module"),
        ("lower-to-linalg,core.module(verify)", "E7002", "core.module"),
        ("lower-to-linalg,verify", "E7002", "verify"),
        ("lower-to-linalg,lower-to-linalg", "E7002", "lower-to-linalg"),
        ("lower-to-linalg,no-such-pass", "E7002", "no-such-pass"),
        ("lower-to-linalg,func.func(no-such-pass)", "E7002", "func.func"),
        ("verify{profil=core-v1}", "E7003", "verify"),
        ("verify{profile=core-v2}", "E7003", "verify"),
        ("verify{profile}", "E7003", "verify"),
        ("verify{strict-axes=maybe}", "E7003", "verify"),
        ("verify(canonicalize)", "E7001", "verify"),
        ("canonicalize{x=1}", "E7003", "canonicalize"),
        ("lower-to-linalg,cse{no-such-option=1}", "E7003", "cse"),
        ("lower-to-linalg,canonicalize{max-iterations=x}", "E7003", "canonicalize"),
        ("lower-to-linalg,cpu{x=1}", "E7003", "cpu"),
        ("lower-to-linalg,cpu-abi{x=1}", "E7003", "cpu-abi"),
        ("lower-to-linalg,gradient", "E7002", "gradient"),
        ("gradient{seed=twos}", "E7003", "gradient"),
        ("linearize{wrt=x,,w}", "E7003", "linearize"),
    ],
    ids=lambda t: t[:40],
)
def test_a_wrong_pipeline_is_an_error_with_a_caret(text, code, at):
    error = error_of(text)
    assert error.code == code
    assert error.source.name == "<pipeline>"
    assert text[error.span.start : error.span.end] == at
    assert str(error).splitlines()[1].startswith(" --> <pipeline>:1:")


@pytest.mark.parametrize("at", [2, 3])
def test_the_caret_of_a_repeated_name_is_at_its_own_place(at):
    names = ["lower-to-linalg", "cse", "cse", "cse"]
    names[at] = "csf"
    text = ",".join(names)
    assert error_of(text).span.start == text.index("csf")


def test_the_whole_pipeline_is_checked_before_anything_runs(passes):
    ran = []

    @register("note")
    def note(m):
        """Say that it ran."""
        ran.append(m)
        return m

    with pytest.raises(mind.MindError):
        Pipeline.parse("note,lower-to-linalg,no-such-pass").run(mind.parse(MODULE))
    assert not ran
    Pipeline.parse("note").run(mind.parse(MODULE))
    assert ran


def test_a_near_name_and_the_other_level_are_suggested():
    assert error_of("verfy").diagnostics[0].help == "did you mean verify?"
    assert error_of("cpu").diagnostics[0].help == "cpu works on MLIR: it comes after lower-to-linalg"
    assert "verify" in error_of("xyz").diagnostics[0].help


def test_a_pipeline_that_contains_itself_is_an_error(passes):
    pipeline.PIPELINES[Level.CORE, "a"] = "verify,b"
    pipeline.PIPELINES[Level.CORE, "b"] = "a"
    assert error_of("a").code == "E7001"


# Options


@pytest.mark.parametrize(
    ("annotation", "text", "value"),
    [
        (bool, "true", True),
        (bool, "0", False),
        (int, "-12", -12),
        (str, "a b", "a b"),
        (tuple[int, ...], "", ()),
        (tuple[int, ...], "4", (4,)),
        (tuple[int, ...], "4,-5", (4, -5)),
        (Literal["a", "b"], "b", "b"),
        (int | None, "3", 3),
    ],
)
def test_an_option_has_the_type_of_its_parameter(annotation, text, value):
    assert read_option(annotation, text) == value


@pytest.mark.parametrize(
    ("annotation", "text"),
    [(bool, "yes"), (int, "1.5"), (int, ""), (tuple[int, ...], "1,x"), (Literal["a"], "b"), (int | None, "None")],
)
def test_an_option_of_another_type_is_an_error(annotation, text):
    with pytest.raises(ValueError, match=r"expected (true or false|an integer|integers .* 0,1|a), found"):
        read_option(annotation, text)


def test_a_registered_pass_gets_its_options_and_prints_them(passes):
    seen = []

    @register("tile")
    def tile(m, *, sizes: tuple[int, ...] = (), deep: bool = False, kind: Literal["a", "b"] = "a", at: int = 0):
        """Note the options."""
        seen.append((sizes, deep, kind, at))
        return m

    text = "tile{sizes=4,8 deep kind=b at=-3}"
    p = Pipeline.parse(text)
    m = mind.parse(MODULE)
    assert p.run(m) is m
    assert seen == [((4, 8), True, "b", -3)]
    assert Pipeline.parse(str(p)) == p
    assert str(p) == "core.module(tile{sizes=4,8 deep=true kind=b at=-3})"
    assert pipeline.PASSES[Level.CORE, "tile"].summary == "Note the options."
    assert error_of("tile{at=x}").code == "E7003"
    assert error_of("tile{sizes=4 sizes=5}").code == "E7003"


# Running


def test_a_run_goes_through_both_levels():
    m = mind.parse(MODULE)
    assert str(Pipeline.parse("canonicalize").run(m)) == str(mind.canonicalize(m))
    lowered = Pipeline.parse("canonicalize,lower-to-linalg,canonicalize").run(m)
    assert "linalg.add" in str(lowered)
    assert str(m) == str(mind.parse(MODULE))


@pytest.mark.parametrize("wrt", [None, (0,), (2, 0)])
@pytest.mark.parametrize("seed", ["ones", "input"])
@pytest.mark.parametrize("verify", [True, False])
def test_the_pipeline_of_a_gradient_does_what_the_function_does(wrt, seed, verify):
    b = mind.Builder()
    x, y, z = (b.Input(name, mind.f32(2)) for name in "xyz")
    m = b.finish([x * y, b.Exp(y - z)])
    text = gradient_pipeline(wrt=wrt, seed=seed, profile="extended", verify=verify)
    assert Pipeline.parse(text).run(m) == gradient(m, wrt=wrt, seed=seed, verify=verify)


def test_watchers_see_every_step_before_and_after():
    seen = []
    m = mind.parse(MODULE)
    Pipeline.parse("verify,canonicalize").run(m, [lambda when, step, state: seen.append((when, step.name, len(state)))])
    assert seen == [
        ("before", "verify", 4),
        ("after", "verify", 4),
        ("before", "canonicalize", 4),
        ("after", "canonicalize", 3),
    ]


def test_timing_has_a_row_for_every_step_and_a_total():
    timing = Timing()
    Pipeline.parse("verify,canonicalize,verify").run(mind.parse(MODULE), [timing])
    lines = timing.report().splitlines()
    assert [line.split()[0] for line in lines] == ["pass", "verify", "canonicalize", "verify", "total"]
    shares = [float(line.split()[2].rstrip("%")) for line in lines[1:-1]]
    assert 99 < sum(shares) < 101


def test_timing_of_nothing_is_a_table_too():
    assert Timing().report().splitlines()[-1].split() == ["total", "0.000"]
