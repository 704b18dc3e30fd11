"""The catalogue of error codes: `mind-opt --explain CODE` prints an entry, docs/errors.md is generated from it.

E1 text, E2 types, E3 shapes, E4 definitions and attributes, E5 autodiff, E6 run time, E7 pipelines and commands,
E8 sharding, E9 a fault of the toolchain. Codes are stable; a retired code is not used again.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One code: what happened, what the message carries, and what to do about it."""

    code: str
    title: str
    when: str
    fix: str


_ROWS = [
    # code, title, when, fix
    ("E1001", "unexpected text", "Bytes that are not UTF-8, or a token that is not allowed where it is. The message gives the offset and bytes, or what was found and what was expected.", "Correct the text at the location shown. `docs/tour.md` shows the written form and the other spellings that are read."),
    ("E1002", "bad character", "A character that no token can start with or contain.", "Remove the character. Names with unusual characters go into quotes."),
    ("E1003", "string not closed", "A string literal has no closing quote on its line. The message says where it starts.", 'Close it with `"`; write a line break inside a string as `\\n`.'),
    ("E1004", "unknown escape", "A backslash in a string is followed by something other than one of `\\\" \\' \\\\ \\n \\t \\r \\0 \\u{…}`.", "Use one of the known escapes, or `\\\\` for a backslash."),
    ("E1005", "malformed number", "A number, a value id or a bit pattern is not well formed, or is too long to be one.", "Integers are decimal or `0x…`; floats have the forms 1.0, 1e-3, inf, nan or a hex bit pattern of the full width; ids are `%` and up to 18 digits."),
    ("E1006", "comment not closed", "A `/*` comment has no `*/`. The message says where it starts.", "Close the comment, or use `//` or `#` for a comment to the end of the line."),
    ("E2001", "result type differs", "The type written after the operation is not the type its operands and attributes give.", "Write the inferred type, or correct the operands or attributes."),
    ("E2002", "unknown name", "A name that is not known here, for example a dtype.", "Use one of the names that the message lists."),
    ("E2003", "type cannot be inferred", "The type of a result was left out, and the operands do not determine it.", "Write the result type after a colon."),
    ("E2004", "operands of different dtype", "The operands of an operation that needs one common dtype have different ones.", "Make the dtypes equal: Core IR converts nothing by itself."),
    ("E2005", "dtype not allowed", "An operation is applied to a dtype that it is not defined for.", "Use one of the dtypes that the message lists."),
    ("E2007", "wrong number of operands", "An operation has more or fewer operands than it takes.", "Give the operands that the message names."),
    ("E2008", "wrong number of results", "A line names more or fewer results, or types of results, than the operation has.", "Name as many as the message says: `%3, %4 = …  : tensor<…>, tensor<…>`."),
    ("E3001", "shapes do not broadcast", "Aligned from the right, two extents differ and neither is 1. The message names the first such dimension.", "Make the extents equal, or one of them 1 (Reshape or ExpandDims)."),
    ("E3002", "wrong rank", "An operand's rank is not one that the operation takes.", "Reshape, ExpandDims or Squeeze the operand to the rank that the message names."),
    ("E3003", "extents that must agree differ", "Two extents that are contracted against each other differ.", "Check the operand order, or Transpose one of the operands."),
    ("E3004", "axis out of range", "An axis is outside the operand's rank, or is negative under --strict-axes.", "Use an axis in the range that the message gives."),
    ("E3005", "duplicate axis", "An axis is named twice.", "Name each axis once."),
    ("E3006", "extent not allowed", "A zero or negative extent where the operation or a strict option does not allow it.", "Use positive extents; Reshape takes one -1; --profile=extended also takes 0."),
    ("E3007", "element count changes", "The new shape of a Reshape holds another number of elements than the operand, or the extent of its -1 cannot be determined.", "Make the products of the extents equal."),
    ("E3008", "bad permutation", "The permutation of a Transpose does not hold each axis of the operand exactly once.", "List every axis from 0 to rank - 1 once; negative entries are not axes here."),
    ("E3009", "squeeze of an extent that is not 1", "Squeeze names an axis whose extent is not 1.", "Squeeze only axes of extent 1; Reshape or Index removes others."),
    ("E3010", "nesting differs from shape", "The brackets of a literal do not have the declared shape.", "Nest the literal as the shape says, or correct the shape."),
    ("E3011", "slice out of bounds", "A start or an end of a Slice, or the size of another slice, is beyond the extent.", "Starts and ends are from -extent to extent, sizes no more than it."),
    ("E4001", "use of an undefined value", "An operand refers to a value that is defined later, or nowhere.", "Define the value on an earlier line, or correct the id."),
    ("E4002", "value defined twice", "Two lines define the same value id. The message shows both.", "Give one of them an unused id."),
    ("E4003", "undefined output", "An output, or an entry of the gradient map, refers to a value that no line defines.", "List defined values."),
    ("E4004", "bad Input", "An Input has no name, an empty one, or one that another Input has.", "Give every Input a name of its own."),
    ("E4005", "literal does not fit", "The number of elements differs from the shape, or an element is no value of the dtype.", "Correct the data, the shape or the dtype. Infinity is written `inf`, or as a bit pattern."),
    ("E4006", "Index list has the wrong length", "Index takes one position for each axis of its operand.", "Give one position for each axis."),
    ("E4007", "Slice lists have the wrong length", "Slice takes one start, end and step for each axis of its operand.", "Give one start, end and step for each axis; 0, extent, 1 keeps an axis whole."),
    ("E4008", "bad Slice step", "A step of a Slice is zero or negative.", "Use a positive step; Reverse puts elements in the opposite order."),
    ("E4009", "channels of a convolution differ", "The channels of the input are not those that the filter takes in all groups, or groups do not divide what they are groups of.", "The input of Conv2d is NHWC, its filter [height, width, channels in, channels out]; the filter of Conv has the channels of one group in, and those of all groups out."),
    ("E4010", "bad window, strides or padding", "Strides or dilations of a convolution are not a positive number for each spatial axis, its padding is not one of its forms, or its window is larger than the padded input. Of operations on windows, an entry of window, strides or dilation is not positive, or a window has too many elements.", 'Conv2d: strides [1, 1]; padding "Valid", "Same" or [[low, high], [low, high]] with numbers >= 0. Conv: a number for each spatial axis, or none.'),
    ("E4011", "indices are not integers", "The indices of a gather or a scatter, or the starts of a slice, are floats or truth values.", "Use integers; Convert makes them."),
    ("E4012", "unknown or excluded operation", "The opcode is unknown, or it or one of its attributes is outside the chosen profile.", "Check the spelling; --profile=extended allows the operations beyond Core v1."),
    ("E4013", "bad attribute", "An attribute is unknown, missing, given twice, of the wrong kind, or out of its range.", "docs/ops.md lists the attributes of every operation."),
    ("E4014", "no outputs", "The module has no `outputs:` line, or an empty one.", "End the module with `outputs: %id, …`."),
    ("E4015", "line given twice", "The module has a second `outputs:`, `gradients:` or `tangents:` line.", "Join the lines into one."),
    ("E4016", "bad Pad", "A number of paddings between neighbours is negative, or low and high remove more elements than an axis has.", "interior is 0 or more; low + high is no less than minus the extent, with what is between neighbours."),
    ("E4017", "bad function", "A function has a name that cannot be written, a body with a mesh, gradients or tangents, or is nested too deep in others.", "A name is letters, digits and `. _ $`, and begins with a letter or `_`. A mesh, `gradients:` and `tangents:` belong in the module itself."),
    ("E4018", "unknown function", "An attribute names a function that is defined further below, or nowhere. So no function holds itself.", "Write `func @name { … }` above the operation that holds it, or correct the name."),
    ("E4019", "function defined twice", "Two functions of a module have one name. The message shows both where it can.", "Give one of them another name."),
    ("E5001", "no derivative", "An operation on the way from a differentiated input to an output has no derivative rule, or none in the chosen profile: core-v1 differentiates neither Div nor Conv2d.", "Use --profile=extended, or give the operation a rule."),
    ("E5002", "bad gradient", "A gradient does not have the type of its value, or a derivative rule made something that does not verify. The message has the inner error.", "If the rule is your own, correct it: an adjoint returns the type of the operand."),
    ("E5003", "bad axis in a gradient", "A derivative rule asked for an axis that is out of range or named twice.", "Correct the rule of the operation that the message names."),
    ("E5004", "bad shape in a gradient", "A derivative rule met shapes that do not fit, or a gradient was asked of something that is not a scalar.", "Correct the rule that the message names; grad takes functions with a scalar result, vjp and jacrev any."),
    ("E5005", "nothing to differentiate", "A gradient was asked for an input that is not there, or whose dtype is an integer.", "Ask for inputs of f32 or f64, by their position among the Inputs."),
    ("E5006", "not linear in tangents", "A pass needs a module that is linear in tangents, as `linearize` makes it, and the module has no `tangents:` line, a bad one, or a tangent in an operation that is not linear in it.", "Run `linearize` first; a handwritten tangent is an Input that only linear operations use."),
    ("E6001", "index out of bounds", "An Index or a gather reads outside its operand, or a scatter writes outside.", 'Correct the indices. Gathers and scatters also take oob = "clip" or "fill" (profile extended).'),
    ("E6002", "target not available", "The target asked for is unknown, or what it needs is not installed.", "`mind-opt --doctor` says what is installed and how to get what is missing."),
    ("E6003", "operation not supported on the target", "The target has no code for the operation.", "Use another target."),
    ("E6004", "too large to allocate", "A value, or what must be held at once, needs more memory than the machine has.", "Use smaller shapes; the message says which value and how many bytes."),
    ("E6008", "device error", "A GPU or its driver reports an error while code is loaded or runs. The message has the device, the call and the driver's name for the error.", "Set MIND_GPU_DEBUG=1 to wait after every kernel: the message then names the one that fails. After an error of a kernel the process must start anew."),
    ("E6009", "bad argument", "An argument is missing, unexpected, or of another dtype, shape, layout or byte order than the Input says.", "Pass what the message names: C-ordered arrays of native byte order; np.ascontiguousarray(x, dtype) makes one."),
    ("E6010", "the numbers of a traced value are asked for", "While a function is traced, its values have a shape and a dtype but no numbers yet, and Python code asks for them: `if`, `while`, `bool()`, `float()`, a NumPy function, `x[i] = y`.", "Choose with mind.where, use the functions of mind, or keep the argument out of the trace with static_argnums of jit."),
    ("E6011", "traced value out of its trace", "A value that was made while a function was traced is used after that, or in another thread.", "Return the value from the traced function instead of storing it elsewhere."),
    ("E7001", "pipeline syntax", "The pipeline text is not well formed.", "A pipeline is name{option=value …}(nested), separated by commas."),
    ("E7002", "unknown pass", "No pass of that name exists at this level.", "`mind-opt --list-passes` lists them; MLIR's own passes come after lower-to-linalg."),
    ("E7003", "bad pass option", "A pass has no such option, or the value is of the wrong kind.", "`mind-opt --list-passes` shows each pass with its options."),
    ("E7004", "file cannot be read", "The input does not exist, is a directory, or may not be read.", "Check the path and the permissions."),
    ("E7005", "file cannot be written", "The output cannot be created or written.", "Check the folder, the permissions and the space left."),
    ("E7006", "tool missing", "A program or package of the toolchain was not found.", "`mind-opt --doctor` says what is missing and how to install it."),
    ("E7007", "bad arguments to the command", "Options that do not go together, or a value outside the choices.", "`--help` lists the options."),
    ("E7008", "MLIR refuses the text", "A .mlir input does not parse or verify, or MLIR refuses a pipeline.", "Correct the text at the location shown."),
    ("E7009", "expected diagnostics do not match", "Under --verify-diagnostics, an expected error did not come, or one came that was not expected.", "Correct the expected-error comments or the code."),
    ("E7010", "file is not an .npz archive of arrays", "The inputs are not an .npz file of plain arrays.", "Write one with np.savez(path, name=array, …)."),
    ("E7011", "values differ", "Under --compare, the native result differs from the interpreter's by more than --numerics or --tolerance allows.", "Report it with the module and the inputs: the two must agree."),
    ("E7012", "package of operations cannot be loaded", "An installed package names operations under the entry point `mind_mlir.ops`, and importing them fails. The message has the package and the reason.", "Correct or uninstall the package."),
    ("E7013", "bad tuning file", "A tuning file is not the JSON that `mind-tune` writes, has another format, or holds a record that its kernel cannot have. The message gives the entry.", "Remove the entry, or the file, and run `mind-tune` again."),
    ("E7014", "native dialect unusable", "The C++ form of the dialect `mind` was asked for and is missing, is of another version, or cannot be loaded. The message says which.", "Build it with `MIND_MLIR_NATIVE=1 pip install .`, or let `register` take the IRDL form."),
    ("E7015", "dialect present in another form", "A context has the dialect `mind` already, in the other form than the one asked for. MLIR holds one dialect of a name in a context.", "Use the form that is there, or a context of its own."),
    ("E7016", "no Core IR module", "MLIR was to be read as Core IR and is not one function of `mind` operations. The message names what is in the way.", "Convert what is not of the dialect first, or run MLIR passes on it: `convert-mind-to-linalg` takes any module."),
    ("E7017", "bad GPU artifact", "A folder is not what `mind-translate --to-gpu-artifact` writes, has another format, or a file of it is missing or damaged. The message gives the file, or the entry in manifest.json.", "Write the artifact again, or copy the folder as a whole."),
    ("E8001", "bad mesh", "A mesh has an axis name that is no identifier or occurs twice, a size below 1, or more ranks than a mesh may have.", "Give each axis a name of its own and the number of ranks along it."),
    ("E8002", "unknown mesh axis", "A sharding, or an operation between ranks, names an axis that the mesh does not have, or there is no mesh.", "Name an axis of the line `mesh:`, or of the Mesh given to jit."),
    ("E8003", "bad sharding", "A sharding uses a mesh axis twice, or has more or fewer entries than the value has dimensions.", "Write one entry for each dimension: `_` for whole, the name of an axis, or a list of names; each axis occurs once."),
    ("E8004", "conflicting shardings", "Two definitions of the sharding of a value, or of the mesh, contradict each other. The message shows both.", "Change one of them; a Reshard between the two moves a value from one sharding to the other."),
    ("E8005", "partial sums cannot be made", "A value is to become a sum of what ranks hold, over an axis where it is not one.", "Leave out `partial` (Python: unreduced): only a contraction over a dimension that is cut makes partial sums."),
    ("E8006", "operation does not fit the mesh", "An operation between ranks says another number of ranks than the mesh has along its axis, or a dimension that it does not cut evenly.", "Correct its size; `partition` writes these operations and pads extents."),
    ("E8007", "wrong number of ranks", "A module for several ranks is run on another number than its mesh has, or by one process alone.", "Start as many ranks as the message says: mpirun -n N; mind-run --mpi starts as many as the mesh has."),
    ("E8008", "ranks disagree", "Ranks compile different modules, call functions in different orders, or with MIND_CHECK_RANKS=full pass different arrays for a value that they hold alike. The message names the ranks and what differs.", "Run the same program with the same options on every rank; only the data of shards may differ."),
    ("E8009", "a rank failed", "A rank raised an error, was killed, or left while others waited for it, and all ranks end. The message says which and how.", "Correct what ended that rank: its own error, where there is one, is printed above. Every rank makes every call, and leaves after the last."),
    ("E8010", "no MPI", "Ranks are asked for, and mpi4py or an MPI library cannot be used.", "pip install 'mind-mlir[mpi]' installs mpi4py and MPICH."),
    ("E9001", "an MLIR pass failed", "A pass of MLIR failed on code that the toolchain generated.", "Report it with the reproducer file that the message names."),
    ("E9002", "internal error", "The toolchain broke one of its own rules.", "Report it with the reproducer file that the message names."),
    ("E9003", "the compiler process died", "MLIR ended the process with a signal.", "Report it with the reproducer file that the message names."),
]  # fmt: skip

CODES: dict[str, Entry] = {row[0]: Entry(*row) for row in _ROWS}
"""Every code, in order."""


def explain(code: str) -> str:
    """The text of the catalogue about a code, as `mind-opt --explain` prints it. KeyError if there is none."""
    e = CODES[code]
    return f"{e.code}: {e.title}\n\nWhen: {e.when}\nWhat to do: {e.fix}\n"
