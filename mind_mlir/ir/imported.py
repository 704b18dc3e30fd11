"""When this process imported the package: it does not run source files that were written later."""

import time

IMPORTED_AT = time.time()
"""In seconds since the epoch."""
