"""Reads and writes tuning files: for measured kernels, records of parameters that are faster than the rules' records.

    {"format": 1, "kernels": {"<sha256>": {"kind": "contraction", …, "rule": {…}, "record": {…}, …}, …}}

A kernel is found by its key, see `kernels.tuned.kernel_key`. It depends on the kind of CPU, the version of this package
and the rule's record too, so entries for others are ignored. The other fields are for people.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

from ...ir import MindError, Source, Span
from ...ir.parser import read_source

FORMAT = 1
"""The version of the file's format."""

Parameters: TypeAlias = dict[str, "int | bool | str"]
"""A record of a strategy: field -> value."""


@dataclass(frozen=True)
class Entry:
    """A kernel and its record.

    `operands` are shapes and dtypes as MLIR writes them. `cpu` is the kind of CPU that the code is for, and `model` the
    CPU that ran it. `rule` is the record that the rules chose. Times are seconds of one call.
    """

    kind: str
    operands: list[str]
    dtype: str
    cpu: str
    model: str
    numerics: str
    threads: int
    version: str
    rule: Parameters
    record: Parameters
    rule_seconds: float
    seconds: float

    @property
    def gain(self) -> float:
        """How many times as fast the kernel is as with the rule's record."""
        return self.rule_seconds / self.seconds


@dataclass(frozen=True)
class TuningFile:
    """The contents of a file: its text, and the entries by key."""

    source: Source
    entries: Mapping[str, Entry]

    def fault(self, key: str, message: str, *, field: str = "") -> MindError:
        """E7013 at an entry's record, or at one of its fields."""
        return _fault(self.source, ["kernels", key, "record", *([field] if field else [])], message)


def digest(path: str) -> str:
    """The sha256 of a file's bytes. E7004."""
    try:
        with open(path, "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()
    except (OSError, ValueError) as why:  # ValueError for a path with a NUL
        reason = getattr(why, "strerror", None) or str(why)
        raise MindError.of("E7004", f"cannot read {path}: {reason}") from None


def load(path: str) -> TuningFile:
    """Read a file. E7004 and E1001 for one that cannot be read, E7013 at what is not as it should be."""
    source = read_source(path)
    return TuningFile(source, _entries(source))


def save(path: str, entries: Mapping[str, Entry], replaced: Mapping[str, Entry] | None = None) -> None:
    """Put entries into a file beside those that are there; the file changes as a whole, or not at all.

    Another process may have written the same key meanwhile: the larger gain stays. Entries that are equal to those of
    `replaced` have been measured again, and give way. Raises MindError: E7005 if the file cannot be written, and what
    `load` raises if what is there is no tuning file.
    """
    with _alone(path):
        there = dict(load(path).entries) if os.path.exists(path) else {}
        for key, entry in entries.items():
            other = there.get(key)
            if other is None or other == (replaced or {}).get(key) or entry.gain > other.gain:
                there[key] = entry
        _write(path, _text(there))


def _text(entries: Mapping[str, Entry]) -> str:
    import json

    kernels = {key: asdict(e) for key, e in sorted(entries.items(), key=lambda item: (item[1].kind, item[0]))}
    return json.dumps({"format": FORMAT, "kernels": kernels}, indent=1, ensure_ascii=False) + "\n"


def _write(path: str, text: str) -> None:
    """Write a new file, and replace the old one when it is on disk. E7005."""
    import tempfile

    real, temporary = os.path.realpath(path), None
    try:
        if os.path.exists(real) and not os.path.isfile(real):
            raise OSError(0, "it is no plain file")
        handle, temporary = tempfile.mkstemp(prefix=".mind-tuning-", dir=os.path.dirname(real))
        with os.fdopen(handle, "wb") as f:
            f.write(text.encode())
            f.flush()
            os.fsync(f.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, real)
        temporary = None
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or str(why)
        raise MindError.of("E7005", f"cannot write {path}: {reason}", help="what was there has not changed") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


@contextlib.contextmanager
def _alone(path: str) -> Iterator[None]:
    """No other process saves into the folder at the same time, where the system can lock one."""
    handle = None
    with contextlib.suppress(ImportError, OSError, ValueError):
        import fcntl

        handle = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


# Reading


def _fault(source: Source, path: list[str], message: str) -> MindError:
    """E7013, at the last name of the path that occurs in the text."""
    import json

    at, span = 0, None
    for name in path:
        quoted = json.dumps(name, ensure_ascii=False)
        found = source.text.find(quoted, at)
        if found < 0:
            break
        at, span = found + len(quoted), Span(found, found + len(quoted))
    help = "mind-tune writes these files: remove the entry, or the file, and run it again"
    return MindError.of("E7013", message, source, span or Span(0, 1), help=help)


def _entries(source: Source) -> dict[str, Entry]:
    data = _parsed(source)
    _check_names(source, [], data, {"format", "kernels"})
    if data["format"] != FORMAT or isinstance(data["format"], bool):
        raise _fault(source, ["format"], f"format {FORMAT} is expected, found {_shown(data['format'])}")
    if not isinstance(data["kernels"], dict):
        raise _fault(source, ["kernels"], f"kernels is an object, found {_shown(data['kernels'])}")
    return {key: _entry(source, key, value) for key, value in data["kernels"].items()}


def _parsed(source: Source) -> Any:
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise _fault(source, [name], f"{_shown(name)} occurs twice in one object")
            found[name] = value
        return found

    try:
        return json.loads(source.text, object_pairs_hook=once)
    except json.JSONDecodeError as why:
        at = min(why.pos, len(source.text.rstrip()))  # where a file is cut off, at its last line
        message = f"{source.name} is not JSON: {why.msg[:1].lower()}{why.msg[1:]}"
        help = "mind-tune writes these files: remove it, and run it again"
        raise MindError.of("E7013", message, source, Span(at, at + 1), help=help) from None
    except (RecursionError, ValueError):  # ValueError: an integer of thousands of digits
        raise _fault(
            source, [], f"{source.name} is no tuning file: it is nested too deep, or a number is too long"
        ) from None


def _entry(source: Source, key: str, value: Any) -> Entry:
    path = ["kernels", key]
    _check_names(source, path, value, {f.name for f in fields(Entry)})
    for f in fields(Entry):
        found, here = value[f.name], [*path, f.name]
        match f.type:
            case "str":
                _expect(source, here, isinstance(found, str), "text", found)
            case "int":
                _expect(source, here, _is_int(found) and found > 0, "a positive integer", found)
            case "float":
                good = isinstance(found, (int, float)) and not isinstance(found, bool) and 0 < found < float("inf")
                _expect(source, here, good, "a positive number", found)
            case "list[str]":
                good = isinstance(found, list) and all(isinstance(x, str) for x in found)
                _expect(source, here, good, "a list of texts", found)
            case "Parameters":
                _expect(source, here, isinstance(found, dict), "an object", found)
                for name, x in found.items():
                    good = isinstance(x, (bool, str)) or (_is_int(x) and abs(x) < 1 << 62)
                    _expect(source, [*here, name], good, "an integer, true, false or text", x)
            case _ as other:
                raise AssertionError(f"a field of type {other} has no check")
    return Entry(**value)


def _check_names(source: Source, path: list[str], value: Any, expected: set[str]) -> None:
    what = path[-1][:12] if path else source.name
    if not isinstance(value, dict):
        raise _fault(source, path, f"{what} is an object, found {_shown(value)}")
    if unknown := next((name for name in value if name not in expected), None):
        raise _fault(
            source, [*path, unknown], f"{what} has no field {unknown}; its fields: {', '.join(sorted(expected))}"
        )
    if missing := sorted(expected - set(value)):
        raise _fault(source, path, f"{what} lacks {', '.join(missing)}")


def _expect(source: Source, path: list[str], good: bool, what: str, found: Any) -> None:
    if not good:
        raise _fault(source, path, f"{path[-1]} is {what}, found {_shown(found)}")


def _is_int(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def _shown(x: Any) -> str:
    import json

    text = json.dumps(x, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."
