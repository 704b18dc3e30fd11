"""Makes a module in Python, looks at it, compiles it and runs it.

python examples/builder.py
"""

import numpy as np

import mind_mlir as mind
from mind_mlir import f32

b = mind.Builder()
x = b.Input("x", f32(4, 3))
w = b.Input("w", f32(3, 2))

# A method for each operation, named as in the text; types are inferred, and mistakes are found at once.
h = b.Relu(b.MatMul(x, w))
centred = h - b.Mean(h, axes=[0], keepdims=True)  # operators are + - * / @; the [1, 2] mean is broadcast
module = b.finish([centred * 0.5])
print(module)

try:
    b.MatMul(w, w)
except mind.MindError as error:
    print(f"{error.code}: {error.message}\n")

arrays = {
    "x": np.arange(12, dtype=np.float32).reshape(4, 3),
    "w": np.array([[1, -1], [0, 2], [0.5, 0]], np.float32),
}
run = mind.compile(mind.canonicalize(module))
(native,) = run(**arrays)
print(run)
print(native)

(expected,) = mind.interpret(module, **arrays)
assert native.tobytes() == expected.tobytes(), "native code gives the interpreter's bits"
