"""NumPy-like functions of traced values and arrays, in the groups of the Python array API standard. docs/functions.md.

    catalogue        finds a function by its name
    missing          names of NumPy, JAX and PyTorch that have no function: what to use instead
    creation         arrays of zeros, of ones, of numbers in order
    data_types       element types, and what is known of them
    arithmetic       sums, products, quotients, roundings, element by element
    exponentials     powers and logarithms
    logic            comparisons, truth values, bits
    special          what is made of gamma functions and logarithms, for statistics
    neural           activations and normalisations of neural networks
    manipulation     other shapes, other orders
    joining          arrays joined, split, repeated, padded
    matrices         triangles and diagonals
    taking           elements by their positions
    searching        where, positions of extremes
    sorting          elements in order
    statistical      sums, means, variances
    accumulation     sums, products and extremes of all elements up to each one
    linear_algebra   products of matrices and vectors
    einsum           sums of products by letters
    convolve         convolutions over any axes, in any layout
    pool             the largest or the mean of windows
    linalg           what NumPy has in np.linalg
    updates          x.at[…]
    operations       any operation of Core IR
    inspection       what the standard asks a namespace
    constants        numbers, and NumPy's names of element types

Each function is traced if one of its operands is a traced value, and evaluated at once, as the interpreter does, if all
are arrays. `promotion` says which element type operands of different ones have. Functions of element-wise operations
are made from these, in `elementwise.py`.
"""
