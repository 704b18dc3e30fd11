"""The options of mind-opt and its help, for command lines that are read without typer.

Written by scripts/gen_usage.py from _opt_options.py.
"""

from __future__ import annotations

OPTIONS: dict[str, tuple[str, str | tuple[str, ...]]] = {
    '--communication': ('show_communication', 'flag'),
    '--compile-to': ('compile_to', ('core', 'gradient', 'linalg', 'bufferized', 'llvm')),
    '--diagnostics': ('diagnostics', ('human', 'json')),
    '--digest': ('show_digest', 'flag'),
    '--doctor': ('doctor', 'flag'),
    '--dump-pipeline': ('dump_pipeline', 'flag'),
    '--explain': ('explain_code', 'text'),
    '--list-passes': ('list_passes', 'flag'),
    '--locations': ('locations', 'flag'),
    '--output': ('output', 'text'),
    '--pass-pipeline': ('pass_pipeline', 'text'),
    '--print-ir-after': ('print_ir_after', 'texts'),
    '--print-ir-before': ('print_ir_before', 'texts'),
    '--profile': ('profile', ('core-v1', 'extended')),
    '--prove': ('prove', 'flag'),
    '--remarks': ('remarks', 'flag'),
    '--split-input-file': ('split_input_file', 'flag'),
    '--strict-axes': ('strict_axes', 'flag'),
    '--strict-matmul2d': ('strict_matmul2d', 'flag'),
    '--strict-positive-dims': ('strict_positive_dims', 'flag'),
    '--timing': ('timing', 'flag'),
    '--verify-diagnostics': ('verify_diagnostics', 'flag'),
    '-o': ('output', 'text'),
    '-p': ('pass_pipeline', 'text'),
}

HELP = (
    'Usage: mind-opt [OPTIONS | --PASS]... [FILE]\n'
    '\n'
    '  Run passes over a Core IR file (.mindir) or an MLIR file (.mlir) and print\n'
    '  the result.\n'
    '\n'
    '  Without FILE, or if it is -, standard input is read, and its text tells\n'
    '  which of the two it is. On MLIR of the dialect mind, passes over Core IR run\n'
    '  too. Without passes, the file is verified.\n'
    '\n'
    'Options:\n'
    '  -p, --pass-pipeline TEXT        The passes to run on Core IR and MLIR, in\n'
    "                                  MLIR's syntax.\n"
    '  -o, --output FILE               Write here; - is standard output.  [default:\n'
    '                                  -]\n'
    '  --compile-to [core|gradient|linalg|bufferized|llvm]\n'
    '                                  Run the passes up to this phase.\n'
    '  --profile [core-v1|extended]    Which operations are allowed: those of Core\n'
    '                                  v1, or all.  [default: core-v1]\n'
    '  --strict-axes                   Refuse negative axes (E3004).\n'
    '  --strict-positive-dims          Refuse extents of 0 (E3006).\n'
    '  --strict-matmul2d               Refuse MatMul of other ranks than 2 (E3002).\n'
    '  --print-ir-before PASS          Print the IR before this pass, or before\n'
    '                                  every pass if PASS is all.\n'
    '  --print-ir-after PASS           Print the IR after this pass, or after every\n'
    '                                  pass if PASS is all.\n'
    '  --timing                        Print the time of every pass.\n'
    '  --remarks                       Print which kernels form-kernels makes, and\n'
    '                                  what it leaves as plain loops.\n'
    '  --split-input-file              Treat the parts between lines of // ----- as\n'
    '                                  separate files.\n'
    '  --verify-diagnostics            Compare errors with // expected-error@+1\n'
    '                                  {{text}} comments.\n'
    '  --locations                     Print MLIR with the source locations of\n'
    '                                  operations.\n'
    '  --digest                        Print the sha256 of the resulting Core IR\n'
    '                                  instead of it.\n'
    '  --communication                 Print after the resulting Core IR how many\n'
    '                                  operations between ranks a run has, and how\n'
    '                                  many bytes each rank sends.\n'
    '  --prove                         Compare the derivatives of the result with\n'
    '                                  finite differences, and print a report.\n'
    '  --dump-pipeline                 Print the pipeline with its anchors and\n'
    '                                  stop.\n'
    '  --list-passes                   Print the passes with their options and\n'
    '                                  stop.\n'
    '  --explain CODE                  Print what an error code means and stop.\n'
    '  --doctor                        Print which parts of the toolchain are\n'
    '                                  installed and stop.\n'
    '  --diagnostics [human|json]      How errors are written to standard error:\n'
    '                                  for people, or as JSON lines.  [default:\n'
    '                                  human]\n'
    '  --version                       Print the version and stop.\n'
    '  --install-completion            Install completion for the current shell.\n'
    '  --show-completion               Show completion for the current shell, to\n'
    '                                  copy it or customize the installation.\n'
    '  -h, --help                      Show this message and exit.\n'
    '\n'
    "  Every pass is also a flag: --canonicalize --gradient='wrt=0,1' run in the\n"
    '  order given. --list-passes shows them with their options.\n'
)
