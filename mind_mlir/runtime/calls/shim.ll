; A call from Python to compiled code that runs no Python code in between.
;
; One copy serves every executable. What differs between executables is in a plan, and what differs between processes
; (the addresses of functions and types of Python and NumPy) in a table that every plan points to. plans.py fills plans;
; layout.py fills the table, after it has checked the assumptions that are made here. A call that does not fit, or that
; fails, is left to the object's method __call__, which is written in Python and says what is wrong.
;
;   mind_vectorcall(self, args, nargsf, names)   (PEP 590)
;     if the positional arguments are as many as the inputs, and nothing or `out` is named,
;        and every array is what the plan wants, those of out= apart from all others:
;       allocate what is not given; status = main(pointers)
;       if status == 0: return the tuple of results
;     return self.__call__(...)
;
; lowering/native/fixed_code.py compiles it, for the CPU of this computer.

; PyObject and PyArrayObject, up to the fields that are read here.
%object = type { i64, ptr }                                     ; references, type
%array = type { i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }   ; …, data, rank, extents, strides, base, dtype, flags

; layout.py
%process = type {
  ptr,  ;  0  ndarray
  ptr,  ;  1  tuple
  ptr,  ;  2  the name "out"
  ptr,  ;  3  the name "__call__"
  ptr,  ;  4  PyArray_NewFromDescr
  ptr,  ;  5  Py_IncRef
  ptr,  ;  6  Py_DecRef
  ptr,  ;  7  PyTuple_New
  ptr,  ;  8  PyTuple_Size
  ptr,  ;  9  PyTuple_GetItem
  ptr,  ; 10  PyTuple_SetItem
  ptr,  ; 11  PyObject_CallNoArgs
  ptr,  ; 12  PyObject_VectorcallMethod
  ptr,  ; 13  PyEval_SaveThread
  ptr,  ; 14  PyEval_RestoreThread
  ptr,  ; 15  PyList_AsTuple
  ptr   ; 16  list
}

; plans.py
%plan = type {
  ptr,  ; 0  process
  ptr,  ; 1  main
  ptr,  ; 2  one want for each array: the inputs, then the outputs
  i64,  ; 3  how many inputs
  i64,  ; 4  how many outputs
  i64,  ; 5  whether main runs without the interpreter lock
  i64   ; 6  whether out= is taken here
}
%want = type {
  ptr,  ; 0  dtype
  ptr,  ; 1  extents
  i64,  ; 2  rank
  i64,  ; 3  flags that must be set
  i64,  ; 4  bytes
  ptr   ; 5  what allocates it; null for NumPy
}

define ptr @mind_vectorcall(ptr %self, ptr %args, i64 %nargsf, ptr %names) {
  %nargs = and i64 %nargsf, 9223372036854775807  ; the top bit says that args[-1] may be written
  %plan.at = getelementptr i8, ptr %self, i64 PLAN_OFFSET
  %plan = load ptr, ptr %plan.at
  %process = load ptr, ptr %plan
  %main.at = getelementptr %plan, ptr %plan, i64 0, i32 1
  %main = load ptr, ptr %main.at
  %inputs.at = getelementptr %plan, ptr %plan, i64 0, i32 3
  %inputs = load i64, ptr %inputs.at
  %outputs.at = getelementptr %plan, ptr %plan, i64 0, i32 4
  %outputs = load i64, ptr %outputs.at
  %as.many = icmp eq i64 %nargs, %inputs
  br i1 %as.many, label %named, label %slow

named:  ; given = the value of out=, or null
  %no.names = icmp eq ptr %names, null
  br i1 %no.names, label %check, label %one.name
one.name:
  %tuple.size.at = getelementptr %process, ptr %process, i64 0, i32 8
  %tuple.size = load ptr, ptr %tuple.size.at
  %name.count = call i64 %tuple.size(ptr %names)
  %is.one = icmp eq i64 %name.count, 1
  br i1 %is.one, label %which, label %slow
which:
  %tuple.item.at = getelementptr %process, ptr %process, i64 0, i32 9
  %tuple.item = load ptr, ptr %tuple.item.at
  %name = call ptr %tuple.item(ptr %names, i64 0)
  %name.out.at = getelementptr %process, ptr %process, i64 0, i32 2
  %name.out = load ptr, ptr %name.out.at
  %is.out = icmp eq ptr %name, %name.out  ; names in code are interned: one object for one text
  br i1 %is.out, label %named.out, label %slow
named.out:
  %out.at = getelementptr ptr, ptr %args, i64 %nargs
  %out = load ptr, ptr %out.at
  br label %check

check:
  %given = phi ptr [ null, %named ], [ %out, %named.out ]
  %arrays = add i64 %inputs, %outputs
  %pointers = alloca ptr, i64 %arrays
  %inputs.fit = call i1 @inputs_fit(ptr %plan, ptr %args, ptr %pointers)
  br i1 %inputs.fit, label %results, label %slow

results:
  %is.given = icmp ne ptr %given, null
  br i1 %is.given, label %use, label %make
make:
  %made = call ptr @allocated(ptr %plan, ptr %pointers)
  br label %prepared
use:
  %tuple = call ptr @as_tuple(ptr %process, ptr %given)
  %no.tuple = icmp eq ptr %tuple, null
  br i1 %no.tuple, label %raise, label %compare
compare:
  %out.fits = call i1 @out_fits(ptr %plan, ptr %tuple, ptr %pointers)
  br i1 %out.fits, label %prepared, label %drop
prepared:
  %answer = phi ptr [ %made, %make ], [ %tuple, %compare ]
  %no.memory = icmp eq ptr %answer, null
  br i1 %no.memory, label %raise, label %run

run:
  %release.at = getelementptr %plan, ptr %plan, i64 0, i32 5
  %release = load i64, ptr %release.at
  %holds = icmp eq i64 %release, 0
  br i1 %holds, label %run.holding, label %run.released
run.holding:
  %status.holding = call i64 %main(ptr %pointers)
  br label %ran
run.released:
  %save.at = getelementptr %process, ptr %process, i64 0, i32 13
  %save = load ptr, ptr %save.at
  %restore.at = getelementptr %process, ptr %process, i64 0, i32 14
  %restore = load ptr, ptr %restore.at
  %thread = call ptr %save()
  %status.released = call i64 %main(ptr %pointers)
  call void %restore(ptr %thread)
  br label %ran
ran:
  %status = phi i64 [ %status.holding, %run.holding ], [ %status.released, %run.released ]
  %is.good = icmp eq i64 %status, 0
  br i1 %is.good, label %answered, label %drop
answered:
  ret ptr %answer
drop:  ; Python runs it again, and explains
  %unused = phi ptr [ %tuple, %compare ], [ %answer, %ran ]
  %decref.at = getelementptr %process, ptr %process, i64 0, i32 6
  %decref = load ptr, ptr %decref.at
  call void %decref(ptr %unused)
  br label %slow
slow:
  %in.python = call ptr @slow(ptr %process, ptr %self, ptr %args, i64 %nargs, ptr %names)
  ret ptr %in.python
raise:
  ret ptr null
}

; True if every argument has the type in the plan. Then the addresses of their data are stored in pointers.
define internal i1 @inputs_fit(ptr %plan, ptr %args, ptr %pointers) {
entry:
  %process = load ptr, ptr %plan
  %ndarray = load ptr, ptr %process
  %wants.at = getelementptr %plan, ptr %plan, i64 0, i32 2
  %wants = load ptr, ptr %wants.at
  %inputs.at = getelementptr %plan, ptr %plan, i64 0, i32 3
  %inputs = load i64, ptr %inputs.at
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.next, %input ]
  %more = icmp slt i64 %i, %inputs
  br i1 %more, label %input, label %yes
input:
  %arg.at = getelementptr ptr, ptr %args, i64 %i
  %arg = load ptr, ptr %arg.at
  %want = getelementptr %want, ptr %wants, i64 %i
  %pointer = getelementptr ptr, ptr %pointers, i64 %i
  %fits = call i1 @fits(ptr %arg, ptr %want, ptr %ndarray, ptr %pointer)
  %i.next = add i64 %i, 1
  br i1 %fits, label %next, label %no
yes:
  ret i1 true
no:
  ret i1 false
}

; True if an object is an array of NumPy's own type with the wanted dtype, rank, flags and extents. Then the address of
; its data is stored.
define internal i1 @fits(ptr %object, ptr %want, ptr %ndarray, ptr %pointer) {
  %type.at = getelementptr %object, ptr %object, i64 0, i32 1
  %type = load ptr, ptr %type.at
  %is.array = icmp eq ptr %type, %ndarray
  br i1 %is.array, label %array, label %no
array:
  %dtype.at = getelementptr %array, ptr %object, i64 0, i32 7
  %dtype = load ptr, ptr %dtype.at
  %want.dtype = load ptr, ptr %want
  %same.dtype = icmp eq ptr %dtype, %want.dtype
  %rank.at = getelementptr %array, ptr %object, i64 0, i32 3
  %rank.int = load i32, ptr %rank.at
  %rank = sext i32 %rank.int to i64
  %want.rank.at = getelementptr %want, ptr %want, i64 0, i32 2
  %want.rank = load i64, ptr %want.rank.at
  %same.rank = icmp eq i64 %rank, %want.rank
  %flags.at = getelementptr %array, ptr %object, i64 0, i32 8
  %flags.int = load i32, ptr %flags.at
  %flags = sext i32 %flags.int to i64
  %want.flags.at = getelementptr %want, ptr %want, i64 0, i32 3
  %want.flags = load i64, ptr %want.flags.at
  %both.flags = and i64 %flags, %want.flags
  %has.flags = icmp eq i64 %both.flags, %want.flags
  %same.kind = and i1 %same.dtype, %same.rank
  %all = and i1 %same.kind, %has.flags
  br i1 %all, label %shape, label %no
shape:
  %extents.at = getelementptr %array, ptr %object, i64 0, i32 4
  %extents = load ptr, ptr %extents.at
  %want.extents.at = getelementptr %want, ptr %want, i64 0, i32 1
  %want.extents = load ptr, ptr %want.extents.at
  br label %next
next:
  %i = phi i64 [ 0, %shape ], [ %i.next, %axis ]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %axis, label %yes
axis:
  %extent.at = getelementptr i64, ptr %extents, i64 %i
  %extent = load i64, ptr %extent.at
  %want.extent.at = getelementptr i64, ptr %want.extents, i64 %i
  %want.extent = load i64, ptr %want.extent.at
  %same.extent = icmp eq i64 %extent, %want.extent
  %i.next = add i64 %i, 1
  br i1 %same.extent, label %next, label %no
yes:
  %data.at = getelementptr %array, ptr %object, i64 0, i32 2
  %data = load ptr, ptr %data.at
  store ptr %data, ptr %pointer
  ret i1 true
no:
  ret i1 false
}

; A tuple of new arrays, the addresses of whose data are stored after those of the inputs; null, and an exception is
; set, if there is not enough memory.
define internal ptr @allocated(ptr %plan, ptr %pointers) {
entry:
  %process = load ptr, ptr %plan
  %ndarray = load ptr, ptr %process
  %wants.at = getelementptr %plan, ptr %plan, i64 0, i32 2
  %wants = load ptr, ptr %wants.at
  %inputs.at = getelementptr %plan, ptr %plan, i64 0, i32 3
  %inputs = load i64, ptr %inputs.at
  %outputs.at = getelementptr %plan, ptr %plan, i64 0, i32 4
  %outputs = load i64, ptr %outputs.at
  %new.array.at = getelementptr %process, ptr %process, i64 0, i32 4
  %new.array = load ptr, ptr %new.array.at
  %incref.at = getelementptr %process, ptr %process, i64 0, i32 5
  %incref = load ptr, ptr %incref.at
  %new.tuple.at = getelementptr %process, ptr %process, i64 0, i32 7
  %new.tuple = load ptr, ptr %new.tuple.at
  %set.item.at = getelementptr %process, ptr %process, i64 0, i32 10
  %set.item = load ptr, ptr %set.item.at
  %tuple = call ptr %new.tuple(i64 %outputs)
  %no.tuple = icmp eq ptr %tuple, null
  br i1 %no.tuple, label %none, label %next

next:
  %i = phi i64 [ 0, %entry ], [ %i.next, %keep ]
  %more = icmp slt i64 %i, %outputs
  br i1 %more, label %output, label %all
output:
  %n = add i64 %inputs, %i
  %want = getelementptr %want, ptr %wants, i64 %n
  %maker.at = getelementptr %want, ptr %want, i64 0, i32 5
  %maker = load ptr, ptr %maker.at
  %by.numpy = icmp eq ptr %maker, null
  br i1 %by.numpy, label %numpy, label %own
numpy:
  %dtype = load ptr, ptr %want
  call void %incref(ptr %dtype)  ; the array takes this reference
  %extents.at = getelementptr %want, ptr %want, i64 0, i32 1
  %extents = load ptr, ptr %extents.at
  %rank.at = getelementptr %want, ptr %want, i64 0, i32 2
  %rank.long = load i64, ptr %rank.at
  %rank = trunc i64 %rank.long to i32
  %from.numpy = call ptr %new.array(ptr %ndarray, ptr %dtype, i32 %rank, ptr %extents, ptr null, ptr null, i32 0,
                                    ptr null)
  br label %filled
own:
  %call.at = getelementptr %process, ptr %process, i64 0, i32 11
  %call = load ptr, ptr %call.at
  %from.maker = call ptr %call(ptr %maker)
  br label %filled
filled:
  %array = phi ptr [ %from.numpy, %numpy ], [ %from.maker, %own ]
  %no.array = icmp eq ptr %array, null
  br i1 %no.array, label %give.up, label %keep
keep:
  %data.at = getelementptr %array, ptr %array, i64 0, i32 2
  %data = load ptr, ptr %data.at
  %pointer = getelementptr ptr, ptr %pointers, i64 %n
  store ptr %data, ptr %pointer
  %ignored = call i32 %set.item(ptr %tuple, i64 %i, ptr %array)  ; the tuple takes the array
  %i.next = add i64 %i, 1
  br label %next
all:
  ret ptr %tuple
give.up:
  %decref.at = getelementptr %process, ptr %process, i64 0, i32 6
  %decref = load ptr, ptr %decref.at
  call void %decref(ptr %tuple)
  br label %none
none:
  ret ptr null
}

; True if out= can be handled here, and is a tuple of arrays that have the types in the plan and share no memory. Then
; the addresses of their data are stored after those of the inputs.
define internal i1 @out_fits(ptr %plan, ptr %given, ptr %pointers) {
  %process = load ptr, ptr %plan
  %ndarray = load ptr, ptr %process
  %wants.at = getelementptr %plan, ptr %plan, i64 0, i32 2
  %wants = load ptr, ptr %wants.at
  %inputs.at = getelementptr %plan, ptr %plan, i64 0, i32 3
  %inputs = load i64, ptr %inputs.at
  %outputs.at = getelementptr %plan, ptr %plan, i64 0, i32 4
  %outputs = load i64, ptr %outputs.at
  %takes.out.at = getelementptr %plan, ptr %plan, i64 0, i32 6
  %takes.out = load i64, ptr %takes.out.at
  %here = icmp ne i64 %takes.out, 0
  br i1 %here, label %counted, label %no
counted:
  %tuple.size.at = getelementptr %process, ptr %process, i64 0, i32 8
  %tuple.size = load ptr, ptr %tuple.size.at
  %tuple.item.at = getelementptr %process, ptr %process, i64 0, i32 9
  %tuple.item = load ptr, ptr %tuple.item.at
  %count = call i64 %tuple.size(ptr %given)
  %as.many = icmp eq i64 %count, %outputs
  br i1 %as.many, label %next, label %no
next:
  %i = phi i64 [ 0, %counted ], [ %i.next, %item ]
  %more = icmp slt i64 %i, %outputs
  br i1 %more, label %item, label %compare
item:
  %n = add i64 %inputs, %i
  %item.array = call ptr %tuple.item(ptr %given, i64 %i)
  %item.want = getelementptr %want, ptr %wants, i64 %n
  %item.pointer = getelementptr ptr, ptr %pointers, i64 %n
  %item.fits = call i1 @fits(ptr %item.array, ptr %item.want, ptr %ndarray, ptr %item.pointer)
  %i.next = add i64 %i, 1
  br i1 %item.fits, label %next, label %no

compare:
  %arrays = add i64 %inputs, %outputs
  %are.apart = call i1 @apart(ptr %wants, i64 %inputs, i64 %arrays, ptr %pointers)
  ret i1 %are.apart
no:
  ret i1 false
}

; True if each array from `first` on shares no byte with one before it.
define internal i1 @apart(ptr %wants, i64 %first, i64 %arrays, ptr %pointers) {
entry:
  br label %next
next:
  %i = phi i64 [ %first, %entry ], [ %i.next, %before ]
  %more = icmp slt i64 %i, %arrays
  br i1 %more, label %array, label %yes
array:
  %low.at = getelementptr i64, ptr %pointers, i64 %i
  %low = load i64, ptr %low.at
  %bytes.at = getelementptr %want, ptr %wants, i64 %i, i32 4
  %bytes = load i64, ptr %bytes.at
  %high = add i64 %low, %bytes
  %i.next = add i64 %i, 1
  br label %before
before:
  %k = phi i64 [ 0, %array ], [ %k.next, %other ]
  %is.before = icmp slt i64 %k, %i
  br i1 %is.before, label %other, label %next
other:
  %other.low.at = getelementptr i64, ptr %pointers, i64 %k
  %other.low = load i64, ptr %other.low.at
  %other.bytes.at = getelementptr %want, ptr %wants, i64 %k, i32 4
  %other.bytes = load i64, ptr %other.bytes.at
  %other.high = add i64 %other.low, %other.bytes
  %begins.below = icmp ult i64 %low, %other.high
  %ends.above = icmp ult i64 %other.low, %high
  %overlap = and i1 %begins.below, %ends.above
  %k.next = add i64 %k, 1
  br i1 %overlap, label %no, label %before
yes:
  ret i1 true
no:
  ret i1 false
}

; The value of out= as a tuple: itself, a tuple of a list's items, or a tuple of one array; null, and an exception is
; set, if there is not enough memory. Other threads may change a list while the code runs; the tuple keeps the arrays.
define internal ptr @as_tuple(ptr %process, ptr %given) {
  %incref.at = getelementptr %process, ptr %process, i64 0, i32 5
  %incref = load ptr, ptr %incref.at
  %type.at = getelementptr %object, ptr %given, i64 0, i32 1
  %type = load ptr, ptr %type.at
  %tuple.at = getelementptr %process, ptr %process, i64 0, i32 1
  %tuple = load ptr, ptr %tuple.at
  %is.tuple = icmp eq ptr %type, %tuple
  br i1 %is.tuple, label %itself, label %other
itself:
  call void %incref(ptr %given)
  ret ptr %given
other:
  %list.at = getelementptr %process, ptr %process, i64 0, i32 16
  %list = load ptr, ptr %list.at
  %is.list = icmp eq ptr %type, %list
  br i1 %is.list, label %items, label %around
items:
  %of.list.at = getelementptr %process, ptr %process, i64 0, i32 15
  %of.list = load ptr, ptr %of.list.at
  %copied = call ptr %of.list(ptr %given)
  ret ptr %copied
around:
  %new.tuple.at = getelementptr %process, ptr %process, i64 0, i32 7
  %new.tuple = load ptr, ptr %new.tuple.at
  %made = call ptr %new.tuple(i64 1)
  %no.memory = icmp eq ptr %made, null
  br i1 %no.memory, label %none, label %fill
fill:
  %set.item.at = getelementptr %process, ptr %process, i64 0, i32 10
  %set.item = load ptr, ptr %set.item.at
  call void %incref(ptr %given)
  %ignored = call i32 %set.item(ptr %made, i64 0, ptr %given)
  ret ptr %made
none:
  ret ptr null
}

; The same call by the method __call__, which takes self first.
define internal ptr @slow(ptr %process, ptr %self, ptr %args, i64 %nargs, ptr %names) {
entry:
  %no.names = icmp eq ptr %names, null
  br i1 %no.names, label %counted, label %count
count:
  %tuple.size.at = getelementptr %process, ptr %process, i64 0, i32 8
  %tuple.size = load ptr, ptr %tuple.size.at
  %name.count = call i64 %tuple.size(ptr %names)
  br label %counted
counted:
  %named = phi i64 [ 0, %entry ], [ %name.count, %count ]
  %values = add i64 %nargs, %named
  %positional = add i64 %nargs, 1
  %room = add i64 %values, 1
  %all = alloca ptr, i64 %room
  store ptr %self, ptr %all
  %rest = getelementptr ptr, ptr %all, i64 1
  %bytes = mul i64 %values, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %args, i64 %bytes, i1 false)
  %method.at = getelementptr %process, ptr %process, i64 0, i32 3
  %method = load ptr, ptr %method.at
  %call.at = getelementptr %process, ptr %process, i64 0, i32 12
  %call = load ptr, ptr %call.at
  %result = call ptr %call(ptr %method, ptr %all, i64 %positional, ptr %names)
  ret ptr %result
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; A `main` for a trial: it copies an i64 from the first array to the second, and fails if that is odd.
define i64 @mind_trial(ptr %pointers) {
  %source = load ptr, ptr %pointers
  %target.at = getelementptr ptr, ptr %pointers, i64 1
  %target = load ptr, ptr %target.at
  %number = load i64, ptr %source
  store i64 %number, ptr %target
  %status = and i64 %number, 1
  ret i64 %status
}
