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
    '  FILE is standard input if left out; there, the text itself says which of the\n'
    '  two it is.  MLIR of the dialect mind is Core IR too: passes of either kind\n'
    '  run on it.  Without passes, it is verified.\n'
    '\n'
    'Options:\n'
    "  -p, --pass-pipeline TEXT        Passes in MLIR's syntax, over both levels.\n"
    '  -o, --output FILE               Write here; - is standard output.  [default:\n'
    '                                  -]\n'
    '  --compile-to [core|gradient|linalg|bufferized|llvm]\n'
    '                                  Run the passes up to this phase.\n'
    '  --profile [core-v1|extended]    Which operations are allowed: those of Core\n'
    '                                  v1, or all.  [default: core-v1]\n'
    '  --strict-axes                   Refuse negative axes (E3004).\n'
    '  --strict-positive-dims          Refuse extents of 0 (E3006).\n'
    '  --strict-matmul2d               Refuse MatMul of other ranks than 2 (E3002).\n'
    '  --print-ir-before PASS          Print the IR before this pass, or before all\n'
    '                                  of them: all.\n'
    '  --print-ir-after PASS           Print the IR after this pass, or after all\n'
    '                                  of them: all.\n'
    '  --timing                        Print the time of every pass.\n'
    '  --remarks                       Say which kernels form-kernels makes, and\n'
    '                                  what it leaves to plain loops.\n'
    '  --split-input-file              Treat the parts between lines of // ----- as\n'
    '                                  files of their own.\n'
    '  --verify-diagnostics            Check errors against // expected-error@+1\n'
    '                                  {{text}} comments.\n'
    '  --locations                     Print MLIR with the places that operations\n'
    '                                  come from.\n'
    '  --digest                        Print the sha256 of the resulting Core IR\n'
    '                                  instead of it.\n'
    '  --communication                 Say behind the resulting Core IR how many\n'
    '                                  operations between ranks, and bytes per\n'
    '                                  rank, a run takes.\n'
    '  --prove                         Hold the derivatives of the result against\n'
    '                                  finite differences and print a report.\n'
    '  --dump-pipeline                 Print the pipeline with its anchors and\n'
    '                                  stop.\n'
    '  --list-passes                   Print the passes with their options and\n'
    '                                  stop.\n'
    '  --explain CODE                  Print what an error code means and stop.\n'
    '  --doctor                        Say what of the toolchain is installed and\n'
    '                                  stop.\n'
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
    '  order given.  --list-passes has them with their options.\n'
)
