"""The operations of the dialect `mind`: `from mind_mlir.dialects import mind`, then `mind.add(x, y)`.

The context needs the dialect: `mind_mlir.dialects.register(context)`.
"""

from ._mind_ops_gen import *  # noqa: F403
