"""`--verify-diagnostics`: compares errors with `// expected-error@+1 {{text}}` comments, as mlir-opt does."""

from __future__ import annotations

import re

from ..ir import Diagnostic, MindError, Source, Span

_EXPECTED = re.compile(r"expected-error(?:@(?P<where>[+-]\d+|above|below|unknown))?\s*\{\{(?P<text>.*?)\}\}")


def check_expected(source: Source, error: MindError | None) -> MindError | None:
    """E7009 for each expected error that was not reported and each error that was not expected; None if all match.

    The text in braces must occur in `error[CODE]: message`, reported on the line that `@` names.
    """
    expected: list[tuple[int | None, str, Span]] = []
    for m in _EXPECTED.finditer(source.text):
        line, _ = source.line_col(m.start())
        match m["where"]:
            case None:
                at: int | None = line
            case "above":
                at = line - 1
            case "below":
                at = line + 1
            case "unknown":
                at = None
            case offset:
                at = line + int(offset)
        expected.append((at, m["text"], Span(m.start(), m.end())))
    mismatches: list[Diagnostic] = []
    for d in error.diagnostics if error else ():
        found = source.line_col(d.span.start)[0] if d.span is not None and d.source is source else None
        text = f"error[{d.code}]: {d.message}"
        hit = next((e for e in expected if e[0] == found and e[1] in text), None)
        if hit is not None:
            expected.remove(hit)
        else:
            mismatches.append(Diagnostic("E7009", f"an error that was not expected: {text}", d.source, d.span))
    mismatches += [
        Diagnostic("E7009", f'the expected error "{t}" was not reported', source, span) for _, t, span in expected
    ]
    return MindError(mismatches) if mismatches else None
