"""Element types are one table, in ir/types.py: each row is right, and nothing else lists them."""

import ast
import struct
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import mind_mlir as mind
from mind_mlir.ir import DType

PACKAGE = Path(mind.__file__).parent
HOME = PACKAGE / "ir" / "types.py"
EXPORTS = ("__init__.py", "ir/__init__.py")
"""They list public names, and the constructors of types, mind.f32 and so on, are among them."""

SPELLINGS, NAMES = {d.value for d in DType}, {d.name for d in DType}
every_type = pytest.mark.parametrize("dtype", list(DType), ids=str)


@every_type
def test_a_row_is_right(dtype):
    assert DType(dtype.value) is DType.named(dtype.value) is DType.of(dtype.numpy) is dtype
    assert dtype.bits == int(dtype.value.lstrip("biuf"))
    assert dtype.numpy.itemsize == struct.calcsize("<" + dtype.code) == dtype.width == max(dtype.bits // 8, 1)
    assert dtype.is_float == (dtype.numpy.kind in "fV") == (dtype.value.lstrip("b")[0] == "f")
    assert dtype.is_half == (dtype.is_float and dtype.width == 2)
    assert dtype.is_bool == (dtype.numpy.kind == "b") == (dtype.value == "i1")
    assert dtype.is_integer == (dtype.numpy.kind in "iu")
    assert dtype.is_signed == (dtype.numpy.kind in "ifV")
    bits = np.array([1], dtype.numpy).view(f"u{dtype.width}")[0] if dtype.is_half else 1
    assert np.frombuffer(struct.pack("=" + dtype.code, bits), dtype.numpy).tolist() == [1]
    if dtype.is_float:
        assert dtype.finfo.nmant == dtype.mantissa
    if not dtype.is_float:
        ends = [dtype.smallest, dtype.largest]
        info = np.iinfo(dtype.numpy) if dtype.is_integer else None
        assert ends == ([info.min, info.max] if info else [0, 1])


@every_type
def test_its_name_in_messages_is_what_numpy_takes(dtype):
    assert np.dtype(eval(dtype.in_numpy, {"np": np, "ml_dtypes": ml_dtypes})) == dtype.numpy


@every_type
def test_a_type_of_its_name_is_made_by_a_function(dtype):
    assert getattr(mind, dtype.value)(2, 3) == mind.TensorType(dtype, (2, 3))


@pytest.mark.parametrize("dtype", [d for d in DType if d.numpy.kind != "V"], ids=str)
def test_dlpack_has_the_code_that_numpy_gives(dtype):
    import ctypes

    from mind_mlir.runtime.gpu import dlpack

    capsule = np.zeros(2, dtype.numpy).__dlpack__()
    tensor = ctypes.cast(dlpack._pointer_of(capsule, b"dltensor"), ctypes.POINTER(dlpack._Managed))[0].tensor
    assert (tensor.dtype.code, tensor.dtype.bits) == (dtype.dlpack, 8 * dtype.width)
    assert dlpack.typestr(dtype) == np.zeros(1, dtype.numpy.newbyteorder("<")).__array_interface__["typestr"]


@every_type
def test_mlir_has_a_type_of_that_spelling(dtype):
    ir = pytest.importorskip("mlir.ir")
    from mind_mlir.lowering import register  # noqa: F401  what tests of lowering import first

    scalars = next(PACKAGE.joinpath("lowering").rglob("scalars.py"))
    name = ".".join(("mind_mlir", *scalars.relative_to(PACKAGE).with_suffix("").parts))
    mlir_element = __import__(name, fromlist=["mlir_element"]).mlir_element
    with ir.Context():
        assert str(mlir_element(dtype)) == dtype.value.replace("u", "i")  # in arithmetic; the dialect has the sign
        assert str(ir.Type.parse(dtype.mlir)) == dtype.mlir


@every_type
def test_mpi_has_that_handle(dtype):
    MPI = pytest.importorskip("mpi4py.MPI")
    assert getattr(MPI, dtype.mpi.removeprefix("MPI_")).size == dtype.width


def test_an_unknown_spelling_is_none():
    assert DType.named("i24") is None
    assert DType.listed("or", lambda d: d.is_integer and d.is_signed) == "i8, i16, i32 or i64"


def listed(node):
    """How many element types a display of constants names, by spelling or as members."""
    entries = node.keys if isinstance(node, ast.Dict) else node.elts
    texts = {e.value for e in entries if isinstance(e, ast.Constant) and isinstance(e.value, str)}
    members = {
        e.attr
        for e in entries
        if isinstance(e, ast.Attribute) and isinstance(e.value, ast.Name) and e.value.id == "DType"
    }
    return max(len(texts & SPELLINGS), len(members & NAMES))


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_else_lists_them(path):
    if path == HOME or str(path.relative_to(PACKAGE)) in EXPORTS or path.stem.endswith("_gen"):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    shown = [n for n in ast.walk(tree) if isinstance(n, (ast.Dict, ast.List, ast.Set, ast.Tuple)) and listed(n) > 2]
    assert not shown, f"line {shown[0].lineno}: take them from DType"
    constants = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    assert not [t for t in constants if "f32, f64, i32" in t], "DType.listed() has them for messages"
