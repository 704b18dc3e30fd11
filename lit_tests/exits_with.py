"""`exits-with STATUS COMMAND …`: run the command and pass if it ends with exactly this status."""

import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    sys.exit(f"exit status {status}, expected {sys.argv[1]}: {' '.join(sys.argv[2:])}")
