"""What a tile of sums in registers costs: the one model that rules choose by, and that tells a tuner where to begin."""

from __future__ import annotations

from ..targets.cpus import Cpu

PORTS = 2
"""Multiply-adds that begin in one cycle, and vectors that are read in one."""


def tile_heights(rows: int, most: int) -> list[tuple[int, int]]:
    """How many tiles there are of which number of rows: as few as hold at most so many, of heights as equal as can be.

    A low tile has so few sums that the latency of multiply-add shows.
    """
    tiles = -(-rows // most)
    low, high = divmod(rows, tiles)
    return [(count, height) for count, height in ((high, low + 1), (tiles - high, low)) if count]


def column_cycles(rows: int, height: int, vectors: int, cpu: Cpu, pack: bool) -> float:
    """Estimated cycles for one term of a column of tiles: `rows` x `vectors` sums, in tiles of at most `height` rows.

    A tile takes as long as its multiply-adds, but no less than their latency: `chains` sums hide it. To begin and end a
    tile costs more where the columns are not packed, and a second height has code of its own. The last two were fitted,
    in units of one row; where, is not recorded.
    """
    least = -(-cpu.chains // vectors)
    heights = tile_heights(rows, height)
    busy = sum(count * max(each, least) for count, each in heights)
    second = 0.6 + 0.02 * rows if len(heights) > 1 else 0
    return (busy + (0.05 if pack else 0.25) * (rows // height) + second) * vectors / PORTS


def cycles(rows: int, columns: int, height: int, vectors: int, cpu: Cpu, pack: bool) -> float:
    """The same for `rows` x `columns` sums, where columns are counted in vectors: those at the edge are fewer."""
    across, narrow = divmod(columns, vectors)
    found = across * column_cycles(rows, height, vectors, cpu, pack)
    return found + column_cycles(rows, height, narrow, cpu, pack) if narrow else found


def reads(rows: int, vectors: int) -> float:
    """Vectors that a tile reads for a term, for each multiply-add: a wide and high tile reads less."""
    return (rows + vectors) / (rows * vectors)
