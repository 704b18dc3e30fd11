"""`convert-mind-to-linalg` in C++ and in Python write the same text, and refuse the same operations."""

import functools
import re
import resource
import subprocess
from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from mlir import ir
from mlir.passmanager import PassManager
from random_modules import modules
from support import MODES, alone, of_one_type_each, read_by_irdl, samples_of

import mind_mlir as mind
from mind_mlir import Builder, MindError, f32, i32
from mind_mlir.dialects import register
from mind_mlir.dialects.conversion import convert_mind_to_linalg
from mind_mlir.dialects.encoding import WITHOUT
from mind_mlir.dialects.native_dialect import native_folder
from mind_mlir.ir import OPS, Mesh, P, Reject
from mind_mlir.ir.attributes import IntsKind
from mind_mlir.lowering.mlir.failure import MlirPassFailed
from mind_mlir.lowering.toolchain.installed import tool

PLUGIN = native_folder() / "MindPlugin.so"

needs_plugin = pytest.mark.skipif(not PLUGIN.is_file(), reason=f"no native build: {PLUGIN} does not exist")

MARK = "// -----"


def mlir_opt(numerics, text, *options, then=""):
    """Stock mlir-opt with the plugin, in a process of its own; `then` is a pass that follows."""
    plugin = [f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}"]
    passes = f"convert-mind-to-linalg{{numerics={numerics}}}{then and ','}{then}"
    command = [tool("mlir-opt"), *plugin, f"--pass-pipeline=builtin.module({passes})", *options]
    return subprocess.run(command, input=text, capture_output=True, text=True)


def by_cpp(texts, numerics, then="", places=False):
    """What the plugin makes of each text, "" where it refuses, and the sentences of what it refuses, in order."""
    options = ["--split-input-file", *(["--mlir-print-debuginfo"] if places else [])]
    done = mlir_opt(numerics, f"\n{MARK}\n".join(texts), *options, then=then)
    sentences = re.findall(r"error: (?:'[\w.]+' op )?(.*)", done.stderr)
    assert (done.returncode == 0) == (not sentences), done.stderr
    return [text.strip() for text in done.stdout.split(MARK)], sentences


def by_python(text, numerics, then="", places=False):
    """The same, for one text."""
    module = ir.Module.parse(text, irdl_context())
    try:
        convert_mind_to_linalg(module, numerics=numerics)
    except MlirPassFailed as why:
        (message,) = why.messages
        return "", [message.rpartition(" at ")[0]]
    assert module.operation.verify()
    if then:
        PassManager.parse(f"builtin.module({then})", irdl_context()).run(module.operation)
    return module.operation.get_asm(enable_debug_info=places).strip(), []


@functools.cache
def irdl_context():
    context = ir.Context()
    assert register(context, "irdl") == "irdl"
    return context


def in_the_dialect(m):
    """A module in the dialect, in generic form and with the place of every operation."""
    return mind.to_mind(m, irdl_context()).operation.get_asm(enable_debug_info=True)


IN_PYTHON_ALONE = {"ArgSort", "Sort", "TopK"}
"""Operations whose lowering is not translated: sorting counts digits in loops that rules do not speak of."""


def sampled(opcodes):
    """Samples that both forms of the dialect read, in the dialect."""
    pairs = [s for opcode in sorted(opcodes) for s in samples_of(opcode) if of_one_type_each(*s)]
    return [in_the_dialect(alone(*s)) for s in pairs]


@functools.cache
def every_sample():
    return sampled(set(OPS) - WITHOUT - IN_PYTHON_ALONE)


def assert_same(texts, numerics, then="", places=False):
    found, refused = by_cpp(texts, numerics, then, places)
    expected = [by_python(text, numerics, then, places) for text in texts]
    assert len(found) == len(texts)
    for text, here, (there, _) in zip(texts, found, expected):
        assert here == there, text
    assert refused == [sentence for _, sentences in expected for sentence in sentences]


@needs_plugin
@pytest.mark.parametrize("numerics", MODES)
def test_every_sample_becomes_the_same_linalg(numerics):
    assert_same(every_sample(), numerics, places=True)


@needs_plugin
def test_an_operation_whose_lowering_is_not_translated_is_refused_by_the_plugin():
    for opcode in sorted(IN_PYTHON_ALONE):
        texts = [in_the_dialect(alone(*OPS[opcode].samples()[0]))]
        sentence = "has no lowering in C++: mind-opt --convert-mind-to-linalg, in Python, has it"
        assert by_cpp(texts, "default") == ([""], [sentence])
        assert by_python(texts[0], "default")[1] == []


@needs_plugin
def test_bodies_that_mlir_makes_itself_are_the_same_and_from_the_same_places():
    assert_same(every_sample(), "default", then="linalg-generalize-named-ops", places=True)


@needs_plugin
@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_random_modules_become_the_same_linalg(numerics):
    texts = []
    opcodes = sorted(set(OPS) - IN_PYTHON_ALONE)

    @settings(max_examples=150)
    @given(modules(opcodes))
    def collect(m):
        assume(read_by_irdl(m))
        texts.append(in_the_dialect(m))

    collect()
    assert_same(texts, numerics, places=True)


# Ranks

MESH = Mesh(("dp", "tp"), (2, 4))


def on_the_mesh(operations, type, mesh=MESH):
    """The module that applies operations, one after the other, to an Input."""
    b = Builder(mesh=mesh)
    value = b.Input("x", type)
    for op in operations:
        value = b.emit(op, value)
    return b.finish([value])


def op(name, *attributes):
    return OPS[name](*attributes)


ACROSS_RANKS = [
    [op("AllReduce", "dp", 2)],
    [op("AllReduce", "tp", 4, "max")],
    [op("AllReduce", "tp", 4, "min", True)],
    [op("AllGather", "tp", 4, 1)],
    [op("AllGather", "dp", 2, 0, True)],
    [op("ReduceScatter", "dp", 2, 0)],
    [op("AllToAll", "tp", 4, 0, 1)],
    [op("ShardSlice", "tp", 4, 1)],
    [op("PVary", "dp", 2)],
    [op("Reshard", P("dp", ("tp",)))],
    [op("Reshard", P(None, None, unreduced={"tp"})), op("Neg")],
    [op("AllGather", "tp", 4, 0), op("Neg"), op("AllReduce", "dp", 2), op("AllGather", "tp", 4, 0)],
]


@functools.cache
def across_ranks():
    types = [f32(8, 16), i32(4, 4), f32(0, 8)]
    one = Mesh(("dp", "tp", "pp"), (2, 4, 1))
    texts = [in_the_dialect(on_the_mesh(ops, t)) for ops in ACROSS_RANKS for t in types]
    return [*texts, in_the_dialect(on_the_mesh([op("AllReduce", "pp", 1)], types[0], one))]


def test_what_moves_between_ranks_becomes_what_the_lowering_gives():
    for ops in ACROSS_RANKS:
        m = on_the_mesh(ops, f32(8, 16))
        (converted, _), lowered = by_python(in_the_dialect(m), "default"), str(mind.to_mlir(m))
        assert [line.strip() for line in lines_within(converted)] == [line.strip() for line in lines_within(lowered)]


def lines_within(text):
    """Without the lines of module and function, which say what the parameters are."""
    renamed = text.replace("%arg0", "%x")
    return [line for line in renamed.splitlines() if not line.lstrip().startswith(("module", "func.func"))]


@needs_plugin
def test_what_moves_between_ranks_becomes_the_same_operations():
    assert_same(across_ranks(), "default", places=True)


SHARES = """
module attributes {mind.mesh = "dp = 2, tp = 4"} {
  func.func private @elsewhere()
  func.func @first(%x: tensor<8xf32>) -> tensor<8xf32> {
    %y = "mind.all_reduce"(%x) {axis = "tp", size = 4 : i64} : (tensor<8xf32>) -> tensor<8xf32>
    return %y : tensor<8xf32>
  }
  func.func @second(%x: tensor<8xf32>) -> tensor<4xf32> {
    %y = "mind.shard_slice"(%x) {axis = "dp", size = 2 : i64, dim = 0 : i64} : (tensor<8xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
  module {
    func.func @third(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = "mind.pvary"(%x) {axis = "tp", size = 4 : i64} : (tensor<8xf32>) -> tensor<8xf32>
      return %y : tensor<8xf32>
    }
  }
  module attributes {mind.mesh = "tp = 3"} {
    func.func @fourth(%x: tensor<8xf32>) -> tensor<24xf32> {
      %y = "mind.all_gather"(%x) {axis = "tp", size = 3 : i64, dim = 0 : i64} : (tensor<8xf32>) -> tensor<24xf32>
      return %y : tensor<24xf32>
    }
  }
  shard.grid @mind_mesh_2(shape = 2)
}
"""


def test_functions_of_a_module_share_the_grid():
    text, _ = by_python(SHARES, "default")
    assert re.findall(r"shard.grid @mind_mesh\(shape = (\w+)\)", text) == ["2x4", "2x4", "3"]
    assert text.index("shard.grid") < text.index("@elsewhere")


def with_grid(grid):
    return SHARES.replace("shard.grid @mind_mesh_2(shape = 2)", grid)


GRID = "shard.grid @mind_mesh(shape = {shape}) {{mind.axes = [{axes}]}}"


def test_a_grid_that_is_there_is_used():
    text, _ = by_python(with_grid(GRID.format(shape="2x4", axes='"dp", "tp"')), "default")
    assert text.count("shard.grid @mind_mesh(shape = 2x4)") == 2, "one in each module"


BAD_MESHES = {
    'mind.mesh = "dp = 2, tp = 3"': "E8006: AllReduce along tp says 4 ranks, the mesh has 3",
    'mind.mesh = "dp = 2"': "E8002: the mesh has no axis tp",
    'mind.mesh = ""': "E8002: the mesh has no axis tp",
    "": "E8002: AllReduce along tp without a mesh",
    "mind.mesh = 2 : i64": "E7016: mind.mesh is 2 : i64, not the text of a mesh",
    'mind.mesh = "dp=2"': 'E7016: mind.mesh is "dp=2", not the text of a mesh',
    'mind.mesh = "dp = 02"': 'E7016: mind.mesh is "dp = 02", not the text of a mesh',
    'mind.mesh = "_ = 2"': 'E7016: mind.mesh is "_ = 2", not the text of a mesh',
    'mind.mesh = "dp = 2, "': 'E7016: mind.mesh is "dp = 2, ", not the text of a mesh',
    'mind.mesh = "dp = 2\\0A"': 'E7016: mind.mesh is "dp = 2\\0A", not the text of a mesh',
    'mind.mesh = "\\FF = 2"': 'E7016: mind.mesh is "\\FF = 2", not the text of a mesh',
    'mind.mesh = "dp = 1000000000000000000"': 'E7016: mind.mesh is "dp = 1000000000000000000", not the text of a mesh',
    'mind.mesh = "dp = 0"': "E8001: mesh axis dp has size 0",
    'mind.mesh = "dp = 2, dp = 2"': "E8001: mesh axis dp stands twice",
    'mind.mesh = "dp = 99999999999999999, tp = 900"': "E8001: a mesh has at most 16777216 ranks, found "
    "89999999999999999100",
}


@pytest.mark.parametrize("stated", BAD_MESHES)
def test_what_does_not_fit_the_mesh_is_refused(stated):
    text = SHARES.replace('mind.mesh = "dp = 2, tp = 4"', stated)
    assert by_python(text, "default") == ("", [BAD_MESHES[stated]])


BAD_GRIDS = [
    GRID.format(shape="4x2", axes='"dp", "tp"'),
    GRID.format(shape="2x4", axes='"tp", "dp"'),
    "shard.grid @mind_mesh(shape = 2x4)",
    "func.func private @mind_mesh()",
]


@pytest.mark.parametrize("grid", BAD_GRIDS)
def test_a_grid_of_another_mesh_is_refused(grid):
    sentence = "E8004: @mind_mesh is there already, and is not the grid of the mesh dp = 2, tp = 4"
    assert by_python(with_grid(grid), "default") == ("", [sentence])


def test_a_mesh_stands_on_a_module():
    text = SHARES.replace("@elsewhere()", '@elsewhere() attributes {mind.mesh = "dp = 2"}')
    assert by_python(text, "default") == ("", ["E7016: mind.mesh belongs on builtin.module"])


def test_a_function_alone_sees_no_mesh():
    module = ir.Module.parse(SHARES, irdl_context())
    function = next(o for o in module.body.operations if str(o.attributes["sym_name"]) == '"first"')
    with pytest.raises(MlirPassFailed, match="E8002: AllReduce along tp without a mesh"):
        convert_mind_to_linalg(function)


@needs_plugin
def test_a_pass_on_a_function_sees_no_mesh_either():
    plugin = [f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}"]
    command = [tool("mlir-opt"), *plugin, "--pass-pipeline=builtin.module(func.func(convert-mind-to-linalg))"]
    done = subprocess.run(command, input=SHARES, capture_output=True, text=True)
    assert done.returncode == 1
    assert "E8002: AllReduce along tp without a mesh" in done.stderr


@needs_plugin
def test_the_plugin_gives_the_same_grids_and_refuses_the_same():
    texts = [SHARES, with_grid(GRID.format(shape="2x4", axes='"dp", "tp"')), *map(with_grid, BAD_GRIDS)]
    texts += [SHARES.replace('mind.mesh = "dp = 2, tp = 4"', stated) for stated in BAD_MESHES]
    texts += [SHARES.replace("@elsewhere()", '@elsewhere() attributes {mind.mesh = "dp = 2"}')]
    assert_same(texts, "default")


# Extents

EXTENTS = (0, 1, 2, 7, 128, 129, 2**31 - 1, 2**31, 2**60, 2**62, 2**63 - 1)


@functools.cache
def with_other_extents():
    """Samples in which some extents, the same ones everywhere, are others: empty, of two blocks, or far too large."""
    random, texts = Random(5), []
    for opcode in sorted(set(OPS) - WITHOUT - IN_PYTHON_ALONE):
        for op, types in samples_of(opcode) * 2:
            other = {n: random.choice(EXTENTS) for t in types for n in t.shape if random.random() < 0.5}
            lists = {f.name: getattr(op, f.name) for f in fields(op) if isinstance(op.kinds[f.name], IntsKind)}
            lists = {
                name: tuple(other.get(n, n) for n in value) for name, value in lists.items() if random.random() < 0.7
            }
            try:
                m = alone(replace(op, **lists), [t.with_shape(tuple(other.get(n, n) for n in t.shape)) for t in types])
                if of_one_type_each(m.operations[-1].op, [o.type for o in m.inputs]):
                    texts.append(in_the_dialect(m))
            except (MindError, Reject):
                continue  # not valid any more, or a constant that MLIR cannot hold
    return texts


@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_other_extents_are_converted_or_refused(numerics):
    outcomes = [by_python(text, numerics)[1] for text in with_other_extents()]
    refused = [sentence[:5] for sentences in outcomes for sentence in sentences]
    print(f"{len(outcomes)} texts, {len(refused)} refused")
    assert len(outcomes) > 500
    assert {*refused} == {"E6001", "E6004"}


@needs_plugin
@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_other_extents_become_the_same_linalg(numerics):
    assert_same(with_other_extents(), numerics, places=True)


FOREIGN = """
func.func private @elsewhere(tensor<300xf32>) -> tensor<300xf32>
func.func @in_loops(%x: tensor<300xf32>, %n: index) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> tensor<300xf32> {
    %a = "mind.add"(%y, %x) : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
    %b = func.call @elsewhere(%a) : (tensor<300xf32>) -> tensor<300xf32>
    scf.yield %b : tensor<300xf32>
  }
  %z = "mind.sum"(%y) {axes = array<i64>, keepdims = false} : (tensor<300xf32>) -> tensor<f32>
  return %z : tensor<f32>
}
func.func @in_blocks(%x: tensor<2xi32>, %c: i1) -> tensor<2xi32> {
  cf.cond_br %c, ^then, ^end(%x : tensor<2xi32>)
^end(%y: tensor<2xi32>):
  return %y : tensor<2xi32>
^then:
  %a = "mind.neg"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  cf.br ^end(%a : tensor<2xi32>)
}
func.func @rows(%x: tensor<5x2xf32>, %i: tensor<3xi32>, %u: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %a = "mind.gather"(%x, %i) {oob = "error"} : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  %b = "mind.add"(%a, %u) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %c = "mind.scatter_add"(%x, %i, %b) : (tensor<5x2xf32>, tensor<3xi32>, tensor<3x2xf32>) -> tensor<5x2xf32>
  return %c : tensor<5x2xf32>
}
"""


@needs_plugin
@pytest.mark.parametrize("numerics", ["default", "strict"])
def test_a_foreign_module_keeps_what_is_not_of_the_dialect(numerics):
    assert_same([FOREIGN], numerics)


SUMS = """
module {outer} {{
  func.func @sum(%x: tensor<300xf32>) -> tensor<f32> {function} {{
    %y = "mind.sum"(%x) {{axes = array<i64: 0>, keepdims = false}} : (tensor<300xf32>) -> tensor<f32>
    return %y : tensor<f32>
  }}
  func.func @mean(%x: tensor<300xf32>) -> tensor<f32> {{
    %y = "mind.mean"(%x) {{axes = array<i64: 0>, keepdims = false}} : (tensor<300xf32>) -> tensor<f32>
    return %y : tensor<f32>
  }}
}}
"""


def sums(outer="", function=""):
    """Two functions with a sum of three blocks, in a module."""
    words = (f'attributes {{mind.numerics = "{w}"}}' if w else "" for w in (outer, function))
    return SUMS.format(outer=next(words), function=next(words))


@needs_plugin
@pytest.mark.parametrize("numerics", MODES)
@pytest.mark.parametrize("outer", ["", *MODES])
def test_numerics_are_those_of_the_nearest_operation_that_says_so(outer, numerics):
    texts = [sums(outer, function) for function in ("", *MODES)]
    assert_same(texts, numerics)
    for text, function in zip(by_cpp(texts, numerics)[0], ("", *MODES)):
        blocks = [part.count("linalg.reduce") > 1 for part in text.split("func.func")[1:]]
        assert blocks == [(function or outer or numerics) == "strict", (outer or numerics) == "strict"]


REFUSED = {
    "E6001: Index [1, -4] is out of bounds for [2, 3]": """
      func.func @f(%x: tensor<2x3xf32>) -> tensor<f32> {
        %y = "mind.index"(%x) {indices = array<i64: 1, -4>} : (tensor<2x3xf32>) -> tensor<f32>
        return %y : tensor<f32>
      }""",
    "E6004: tensor<f32[4294967296, 2147483648]> is larger than any memory": """
      func.func @f(%x: tensor<4294967296x2147483648xf32>) -> tensor<f32> {
        %y = "mind.sum"(%x) {axes = array<i64>, keepdims = false} : (tensor<4294967296x2147483648xf32>) -> tensor<f32>
        return %y : tensor<f32>
      }""",
    "E6004: tensor<f32[0, 9223372036854775807, 9223372036854775807]> is larger than any memory": """
      func.func @f(%x: tensor<0x1xf32>) -> tensor<0x9223372036854775807x9223372036854775807xf32> {
        %y = "mind.reshape"(%x) {new_shape = array<i64: 0, 9223372036854775807, 9223372036854775807>}
          : (tensor<0x1xf32>) -> tensor<0x9223372036854775807x9223372036854775807xf32>
        return %y : tensor<0x9223372036854775807x9223372036854775807xf32>
      }""",
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_is_known_to_fail_before_a_run_is_refused(sentence):
    assert by_python(REFUSED[sentence], "default") == ("", [sentence])


def test_a_constant_of_more_elements_than_mlir_counts_is_refused():
    text = "%0 = ConstTensor () {data = splat(1), dtype = f32, shape = [4611686018427387904, 2]}"
    m = mind.parse(f"{text} : tensor<f32[4611686018427387904, 2]>\noutputs: %0\n")
    with pytest.raises(MindError, match=re.escape("tensor<f32[4611686018427387904, 2]> is larger than any memory")):
        mind.to_mind(m, irdl_context())


@needs_plugin
def test_the_plugin_refuses_the_same_and_goes_on_with_the_next_text():
    assert_same([*REFUSED.values(), FOREIGN], "default")


@needs_plugin
@pytest.mark.parametrize("attribute", ['"loose"', "unit", "1 : i64", '"\\FF"'])
def test_numerics_that_are_none_are_refused(attribute):
    text = sums("?").replace('"?"', attribute)
    sentence = f"E7008: mind.numerics is one of default, strict, fast, found {attribute}"
    assert by_python(text, "default") == ("", [sentence])
    assert_same([text], "default")


@needs_plugin
def test_an_option_that_is_none_is_refused():
    done = mlir_opt("loose", FOREIGN)
    assert done.returncode == 1
    assert "for the --numerics option: Cannot find option named 'loose'!" in done.stderr


def many_rows(op, *others):
    """Rows picked by i32 indices where there are more rows than those can name."""
    b = Builder()
    inputs = [b.Input(f"x{n}", t) for n, t in enumerate((f32(3_000_000_000, 0), i32(2), *others))]
    return b.finish([b.emit(op, *inputs)])


MANY_ROWS = [
    many_rows(OPS["Gather"]("error")),
    many_rows(OPS["ScatterAdd"]("error"), f32(2, 0)),
]


@pytest.mark.parametrize("m", MANY_ROWS, ids=["gather", "scatter_add"])
def test_an_i32_index_is_within_bounds_if_there_are_more_rows_than_it_can_name(m):
    text, _ = by_python(in_the_dialect(m), "default")
    assert "arith.constant 2147483647 : i32" in text


@needs_plugin
def test_more_rows_than_an_index_can_name_become_the_same_linalg():
    assert_same([in_the_dialect(m) for m in MANY_ROWS], "default")


LINES = """
  %a{i} = "mind.add"(%a{before}, %y) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %b{i} = "mind.relu"(%a{i}) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %c{i} = "mind.matmul"(%b{i}, %a0) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %d{i} = "mind.transpose"(%c{i}) {{permutation = array<i64: 1, 0>}} : (tensor<8x8xf32>) -> tensor<8x8xf32>"""


@needs_plugin
def test_twenty_thousand_operations_take_less_than_three_seconds():
    lines = "".join(LINES.format(i=i, before=i - 1) for i in range(1, 5001))
    text = f"func.func @f(%a0: tensor<8x8xf32>, %y: tensor<8xf32>) {{{lines}\n  return\n}}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = mlir_opt("default", text)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.count("linalg.matmul") == 5000
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{seconds:.2f} s to parse, convert, verify and print")
    assert seconds < 3
