"""The Python front end: traces functions into modules, and transforms functions. docs/python.md is its tour.

    `place`        finds the line of the user's program that an error is about
    operands       operands beside a traced value: scalars, arrays
    unknown        values without numbers, and their errors for what needs numbers
    trace_builder  records operations on them
    indexing       x[...]
    functions      NumPy-like functions
    tracer         traced values, whose operators call these functions
    trees          nested arguments and results
    retraced       finds the line of an index that is out of bounds in compiled code
    staging        traces a function, once for each structure, shape and dtype
    program        a module that runs on arrays, or is repeated in the trace of its arguments
    jitted         jit
    meshed         functions with a mesh, as transforms use them
    sharded        jit on a mesh
    gradients      grad, value_and_grad, vjp
    forward        jvp, linearize
    jacobians      jacfwd, jacrev, hessian
    traces         trace, backward_on_trace
    custom         custom_vjp, custom_jvp
    calls          their operations

The names are attributes of `mind_mlir`, which imports this package when the first of them is used.
"""
