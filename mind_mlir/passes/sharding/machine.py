"""How fast a machine's ranks compute, relative to how fast they send, by which ways to cut a module are compared."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir import MindError


@dataclass(frozen=True)
class Machine:
    """The prices of computing and of starting to send, in bytes that a rank could send in the same time.

    E7007 for numbers below 1.
    """

    products_per_byte: int = 64
    """Multiplications that a rank does in the time in which it sends a byte.

    64 is of the order of machines that are sharded for; cores of one machine that share memory are at 10 and below.
    Without this price, a product would gather two small operands for a large result, and every rank would compute all
    of it.
    """

    bytes_per_operation: int = 16_384
    """Bytes that a rank sends in the time that an operation between ranks takes to begin: 2 µs at 8 GB/s."""

    def __post_init__(self) -> None:
        for name in ("products_per_byte", "bytes_per_operation"):
            if (found := getattr(self, name)) < 1:
                raise MindError.of("E7007", f"{name.replace('_', '-')} is at least 1, found {found}")

    @property
    def worth_merging(self) -> int:
        """The largest message, in bytes, that is merged with others, because merging copies it a few times.

        Between two ranks of one machine, 2 to 32 AllReduces of 16 KiB took as long apart as merged; those of 2 KiB took
        up to 1.6 times as long apart.
        """
        return max(1, self.bytes_per_operation // 4)

    def work(self, products: float) -> float:
        """The bytes that a rank could send while it does `products` multiplications."""
        return products / self.products_per_byte


ORDINARY = Machine()
"""The default: it prefers fewer bytes to less time, and gives the same code on whatever machine it is partitioned."""
