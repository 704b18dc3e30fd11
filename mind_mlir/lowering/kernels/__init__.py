"""Fast CPU code: kernels, each written by the emitter of its strategy as loops and vector operations.

A strategy is chosen for a group of linalg operations by its rules, described by a record of parameters, and written out
by its emitter. docs/kernels.md; docs/adr/0013-kernels-at-vector-level.md.

strategies           every strategy, in the order in which they are tried
record               a record of parameters, as an attribute
nest                 a linalg operation as a nest of loops
chain                element-wise operations around sums
element_program      element-wise operations as one computation

loops                loops and arithmetic on indices
vector_code          the same with vectors
replay               the body of an operation, on vectors
open_code            the same with extents left open

product_roles        contractions: which loops count rows, columns, terms
contraction          contractions by tiles of registers, with cutting, packing and tiles
cutting              blocks of columns and of terms
packing              copies of columns in the layout that tiles read
tiles                the code of one tile
dots                 contractions with few sums

elementwise          element-wise operations, copies, gathers, pads
transposing          element-wise operations with transposed operands

sum_problem          sums along axes: their loops, and their record
reduction            which operations are sums, and the choice of their schedule
sums                 what all schedules share
sums_columns         neighbouring sums in lanes
sums_minor           neighbouring terms in lanes
sums_wide            long rows, by strips; and which columns are which
sums_staged          columns first, then short lines
sums_turned          lines in order, several at a time, transposed in registers

positions            positions of extremes

tuned                records of a tuning file
candidates           records that a tuner tries
candidates_elements  the same for all but products
"""
