"""When this process imported the package: source files that were written later are not what runs."""

import time

IMPORTED_AT = time.time()
"""Seconds since the epoch."""
