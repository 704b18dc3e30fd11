"""Maps arrays of .npz archives into memory, so that each rank reads only its part of them."""

from __future__ import annotations

import zipfile
from typing import Any

from ..ir import np


def mapped_arrays(path: str) -> dict[str, Any] | None:
    """The arrays of an .npz archive without reading them, where they are stored uncompressed; else None."""
    try:
        with zipfile.ZipFile(path) as archive, open(path, "rb") as f:
            return {i.filename.removesuffix(".npy"): _mapped(path, f, i) for i in archive.infolist()}
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return None  # the reader of whole archives says what is wrong


def _mapped(path: str, f: Any, member: zipfile.ZipInfo) -> Any:
    """One array of an archive. ValueError unless it is a plain array and stored uncompressed."""
    if member.compress_type != zipfile.ZIP_STORED or member.flag_bits & 1:
        raise ValueError(member.filename)
    f.seek(
        member.header_offset + 26
    )  # there are the lengths of the name and the extra field; these two follow, and then the data
    name, extra = (int.from_bytes(f.read(2), "little") for _ in range(2))
    f.seek(name + extra, 1)
    version = np.lib.format.read_magic(f)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(f)
    if dtype.hasobject or not dtype.isnative:
        raise ValueError(member.filename)
    if 0 in shape or not shape:
        return np.fromfile(f, dtype, 1 if not shape else 0).reshape(shape)
    return np.memmap(path, dtype, "r", f.tell(), shape, "F" if fortran else "C")
