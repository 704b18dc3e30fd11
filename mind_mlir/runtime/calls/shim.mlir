// A call from Python to compiled code without a line of Python in between.
//
// One copy serves every executable.  What differs between executables stands in a plan, and what differs between
// processes (addresses of Python's and NumPy's functions and types) in a table that every plan points to; plans.py fills
// both, and layout.py holds what is assumed of Python and NumPy against the facts.  Whatever does not fit, and whatever
// fails, is left to the object's method __call__, which is in Python and says what is wrong.
//
// In terms of C:
//
//   mind_vectorcall(self, args, nargsf, names):
//     if the positional arguments are as many as the inputs, at most `out` is named,
//        and every array fits its entry of the plan, those of out= apart from all others:
//       allocate what is not given, call main(pointers)
//       if status == 0: return the tuple of results
//     return self.__call__(…)

// PyObject: count of references, type.
!object = !llvm.struct<(i64, ptr)>

// PyArrayObject: count, type, data, rank, extents, strides, base, dtype, flags.
!array = !llvm.struct<(i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32)>

// What holds for the process, in the order of plans.py:
//   0 ndarray               4 PyArray_NewFromDescr    8 PyTuple_Size       12 PyObject_VectorcallMethod
//   1 tuple                 5 Py_IncRef               9 PyTuple_GetItem    13 PyEval_SaveThread
//   2 the name "out"        6 Py_DecRef              10 PyTuple_SetItem    14 PyEval_RestoreThread
//   3 the name "__call__"   7 PyTuple_New            11 PyObject_CallNoArgs
!process = !llvm.array<15 x ptr>

// What holds for one executable:
//   process, main, wants, number of inputs, number of outputs, whether main runs without the interpreter lock,
//   whether out= is taken here
!plan = !llvm.struct<(ptr, ptr, ptr, i64, i64, i64, i64)>

// What one array must be: dtype, extents, rank, flags, bytes; for a large output also who allocates it, else null.
!want = !llvm.struct<(ptr, ptr, i64, i64, i64, ptr)>

module {

llvm.func @mind_vectorcall(%self: !llvm.ptr, %args: !llvm.ptr, %nargsf: i64, %names: !llvm.ptr) -> !llvm.ptr {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %low63 = llvm.mlir.constant(0x7fffffffffffffff : i64) : i64  // the top bit says that args[-1] may be written
  %nargs = llvm.and %nargsf, %low63 : i64
  %planp = llvm.getelementptr %self[PLAN_OFFSET] : (!llvm.ptr) -> !llvm.ptr, i8
  %plan = llvm.load %planp : !llvm.ptr -> !llvm.ptr
  %process = llvm.load %plan : !llvm.ptr -> !llvm.ptr
  %mainp = llvm.getelementptr %plan[0, 1] : (!llvm.ptr) -> !llvm.ptr, !plan
  %main = llvm.load %mainp : !llvm.ptr -> !llvm.ptr
  %wantsp = llvm.getelementptr %plan[0, 2] : (!llvm.ptr) -> !llvm.ptr, !plan
  %wants = llvm.load %wantsp : !llvm.ptr -> !llvm.ptr
  %inputsp = llvm.getelementptr %plan[0, 3] : (!llvm.ptr) -> !llvm.ptr, !plan
  %inputs = llvm.load %inputsp : !llvm.ptr -> i64
  %outputsp = llvm.getelementptr %plan[0, 4] : (!llvm.ptr) -> !llvm.ptr, !plan
  %outputs = llvm.load %outputsp : !llvm.ptr -> i64
  %asMany = llvm.icmp "eq" %nargs, %inputs : i64
  llvm.cond_br %asMany, ^named, ^slow

^named:
  %noNames = llvm.icmp "eq" %names, %null : !llvm.ptr
  llvm.cond_br %noNames, ^check(%null : !llvm.ptr), ^lookForOut
^lookForOut:
  %sizep = llvm.getelementptr %process[0, 8] : (!llvm.ptr) -> !llvm.ptr, !process
  %size = llvm.load %sizep : !llvm.ptr -> !llvm.ptr
  %count = llvm.call %size(%names) : !llvm.ptr, (!llvm.ptr) -> i64
  %single = llvm.icmp "eq" %count, %one : i64
  llvm.cond_br %single, ^compareName, ^slow
^compareName:
  %itemp = llvm.getelementptr %process[0, 9] : (!llvm.ptr) -> !llvm.ptr, !process
  %item = llvm.load %itemp : !llvm.ptr -> !llvm.ptr
  %name = llvm.call %item(%names, %zero) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %outNamep = llvm.getelementptr %process[0, 2] : (!llvm.ptr) -> !llvm.ptr, !process
  %outName = llvm.load %outNamep : !llvm.ptr -> !llvm.ptr
  %isOut = llvm.icmp "eq" %name, %outName : !llvm.ptr  // names in code are interned: one object for one text
  llvm.cond_br %isOut, ^takeOut, ^slow
^takeOut:
  %outp = llvm.getelementptr %args[%nargs] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %out = llvm.load %outp : !llvm.ptr -> !llvm.ptr
  llvm.br ^check(%out : !llvm.ptr)

^check(%given: !llvm.ptr):
  %arrays = llvm.add %inputs, %outputs : i64
  %pointers = llvm.alloca %arrays x !llvm.ptr : (i64) -> !llvm.ptr
  %ndarray = llvm.load %process : !llvm.ptr -> !llvm.ptr
  llvm.br ^nextInput(%zero : i64)
^nextInput(%i: i64):
  %more = llvm.icmp "slt" %i, %inputs : i64
  llvm.cond_br %more, ^input, ^results
^input:
  %argp = llvm.getelementptr %args[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %arg = llvm.load %argp : !llvm.ptr -> !llvm.ptr
  %want = llvm.getelementptr %wants[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !want
  %place = llvm.getelementptr %pointers[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %inputFits = llvm.call @fits(%arg, %want, %ndarray, %place) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i1
  %iNext = llvm.add %i, %one : i64
  llvm.cond_br %inputFits, ^nextInput(%iNext : i64), ^slow

^results:
  %allocate = llvm.icmp "eq" %given, %null : !llvm.ptr
  llvm.cond_br %allocate, ^made, ^given
^made:
  %fresh = llvm.call @allocated(%plan, %pointers) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  llvm.br ^prepared(%fresh : !llvm.ptr)
^given:
  %outFits = llvm.call @out_fits(%plan, %given, %pointers) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i1
  llvm.cond_br %outFits, ^wrap, ^slow
^wrap:
  %wrapped = llvm.call @as_tuple(%process, %given) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  llvm.br ^prepared(%wrapped : !llvm.ptr)
^prepared(%answer: !llvm.ptr):
  %failed = llvm.icmp "eq" %answer, %null : !llvm.ptr  // no memory: the exception is set
  llvm.cond_br %failed, ^raise, ^run

^run:
  %releasep = llvm.getelementptr %plan[0, 5] : (!llvm.ptr) -> !llvm.ptr, !plan
  %release = llvm.load %releasep : !llvm.ptr -> i64
  %hold = llvm.icmp "eq" %release, %zero : i64
  llvm.cond_br %hold, ^runHolding, ^runReleased
^runHolding:
  %status0 = llvm.call %main(%pointers) : !llvm.ptr, (!llvm.ptr) -> i64
  llvm.br ^ran(%status0 : i64)
^runReleased:
  %savep = llvm.getelementptr %process[0, 13] : (!llvm.ptr) -> !llvm.ptr, !process
  %save = llvm.load %savep : !llvm.ptr -> !llvm.ptr
  %thread = llvm.call %save() : !llvm.ptr, () -> !llvm.ptr
  %status1 = llvm.call %main(%pointers) : !llvm.ptr, (!llvm.ptr) -> i64
  %restorep = llvm.getelementptr %process[0, 14] : (!llvm.ptr) -> !llvm.ptr, !process
  %restore = llvm.load %restorep : !llvm.ptr -> !llvm.ptr
  llvm.call %restore(%thread) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^ran(%status1 : i64)
^ran(%status: i64):
  %good = llvm.icmp "eq" %status, %zero : i64
  llvm.cond_br %good, ^answered, ^drop
^answered:
  llvm.return %answer : !llvm.ptr
^drop:  // the slow path runs it again, and explains
  %dropp = llvm.getelementptr %process[0, 6] : (!llvm.ptr) -> !llvm.ptr, !process
  %drop = llvm.load %dropp : !llvm.ptr -> !llvm.ptr
  llvm.call %drop(%answer) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^slow
^slow:
  %inPython = llvm.call @slow(%process, %self, %args, %nargs, %names)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.return %inPython : !llvm.ptr
^raise:
  llvm.return %null : !llvm.ptr
}

// Whether an object is an array of NumPy's own type, of the dtype, rank, extents and flags that are wanted.  If it is,
// the address of its data is stored at %place.
llvm.func internal @fits(%o: !llvm.ptr, %want: !llvm.ptr, %ndarray: !llvm.ptr, %place: !llvm.ptr) -> i1 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %typep = llvm.getelementptr %o[0, 1] : (!llvm.ptr) -> !llvm.ptr, !object
  %type = llvm.load %typep : !llvm.ptr -> !llvm.ptr
  %isArray = llvm.icmp "eq" %type, %ndarray : !llvm.ptr
  llvm.cond_br %isArray, ^array, ^no
^array:
  %dtypep = llvm.getelementptr %o[0, 7] : (!llvm.ptr) -> !llvm.ptr, !array
  %dtype = llvm.load %dtypep : !llvm.ptr -> !llvm.ptr
  %wantDtype = llvm.load %want : !llvm.ptr -> !llvm.ptr
  %sameDtype = llvm.icmp "eq" %dtype, %wantDtype : !llvm.ptr
  %rankp = llvm.getelementptr %o[0, 3] : (!llvm.ptr) -> !llvm.ptr, !array
  %rank32 = llvm.load %rankp : !llvm.ptr -> i32
  %rank = llvm.sext %rank32 : i32 to i64
  %wantRankp = llvm.getelementptr %want[0, 2] : (!llvm.ptr) -> !llvm.ptr, !want
  %wantRank = llvm.load %wantRankp : !llvm.ptr -> i64
  %sameRank = llvm.icmp "eq" %rank, %wantRank : i64
  %flagsp = llvm.getelementptr %o[0, 8] : (!llvm.ptr) -> !llvm.ptr, !array
  %flags32 = llvm.load %flagsp : !llvm.ptr -> i32
  %flags = llvm.sext %flags32 : i32 to i64
  %wantFlagsp = llvm.getelementptr %want[0, 3] : (!llvm.ptr) -> !llvm.ptr, !want
  %wantFlags = llvm.load %wantFlagsp : !llvm.ptr -> i64
  %common = llvm.and %flags, %wantFlags : i64
  %allFlags = llvm.icmp "eq" %common, %wantFlags : i64
  %0 = llvm.and %sameDtype, %sameRank : i1
  %1 = llvm.and %0, %allFlags : i1
  llvm.cond_br %1, ^shape, ^no
^shape:
  %extentsp = llvm.getelementptr %o[0, 4] : (!llvm.ptr) -> !llvm.ptr, !array
  %extents = llvm.load %extentsp : !llvm.ptr -> !llvm.ptr
  %wantExtentsp = llvm.getelementptr %want[0, 1] : (!llvm.ptr) -> !llvm.ptr, !want
  %wantExtents = llvm.load %wantExtentsp : !llvm.ptr -> !llvm.ptr
  llvm.br ^axis(%zero : i64)
^axis(%i: i64):
  %more = llvm.icmp "slt" %i, %rank : i64
  llvm.cond_br %more, ^extent, ^yes
^extent:
  %ep = llvm.getelementptr %extents[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %e = llvm.load %ep : !llvm.ptr -> i64
  %wp = llvm.getelementptr %wantExtents[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %w = llvm.load %wp : !llvm.ptr -> i64
  %sameExtent = llvm.icmp "eq" %e, %w : i64
  %next = llvm.add %i, %one : i64
  llvm.cond_br %sameExtent, ^axis(%next : i64), ^no
^yes:
  %datap = llvm.getelementptr %o[0, 2] : (!llvm.ptr) -> !llvm.ptr, !array
  %data = llvm.load %datap : !llvm.ptr -> !llvm.ptr
  llvm.store %data, %place : !llvm.ptr, !llvm.ptr
  llvm.return %true : i1
^no:
  llvm.return %false : i1
}

// A tuple of new arrays, the addresses of whose data are stored behind those of the inputs; null if memory is short.
llvm.func internal @allocated(%plan: !llvm.ptr, %pointers: !llvm.ptr) -> !llvm.ptr {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %noFlags = llvm.mlir.constant(0 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %process = llvm.load %plan : !llvm.ptr -> !llvm.ptr
  %ndarray = llvm.load %process : !llvm.ptr -> !llvm.ptr
  %wantsp = llvm.getelementptr %plan[0, 2] : (!llvm.ptr) -> !llvm.ptr, !plan
  %wants = llvm.load %wantsp : !llvm.ptr -> !llvm.ptr
  %inputsp = llvm.getelementptr %plan[0, 3] : (!llvm.ptr) -> !llvm.ptr, !plan
  %inputs = llvm.load %inputsp : !llvm.ptr -> i64
  %outputsp = llvm.getelementptr %plan[0, 4] : (!llvm.ptr) -> !llvm.ptr, !plan
  %outputs = llvm.load %outputsp : !llvm.ptr -> i64
  %newTuplep = llvm.getelementptr %process[0, 7] : (!llvm.ptr) -> !llvm.ptr, !process
  %newTuple = llvm.load %newTuplep : !llvm.ptr -> !llvm.ptr
  %tuple = llvm.call %newTuple(%outputs) : !llvm.ptr, (i64) -> !llvm.ptr
  %noTuple = llvm.icmp "eq" %tuple, %null : !llvm.ptr
  llvm.cond_br %noTuple, ^none, ^nextOutput(%zero : i64)

^nextOutput(%i: i64):
  %more = llvm.icmp "slt" %i, %outputs : i64
  llvm.cond_br %more, ^output, ^all
^output:
  %n = llvm.add %inputs, %i : i64
  %want = llvm.getelementptr %wants[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !want
  %makerp = llvm.getelementptr %want[0, 5] : (!llvm.ptr) -> !llvm.ptr, !want
  %maker = llvm.load %makerp : !llvm.ptr -> !llvm.ptr
  %usual = llvm.icmp "eq" %maker, %null : !llvm.ptr
  llvm.cond_br %usual, ^byNumPy, ^byMaker
^byNumPy:
  %dtype = llvm.load %want : !llvm.ptr -> !llvm.ptr
  %increfp = llvm.getelementptr %process[0, 5] : (!llvm.ptr) -> !llvm.ptr, !process
  %incref = llvm.load %increfp : !llvm.ptr -> !llvm.ptr
  llvm.call %incref(%dtype) : !llvm.ptr, (!llvm.ptr) -> ()  // the array takes this reference
  %rankp = llvm.getelementptr %want[0, 2] : (!llvm.ptr) -> !llvm.ptr, !want
  %rank64 = llvm.load %rankp : !llvm.ptr -> i64
  %rank = llvm.trunc %rank64 : i64 to i32
  %extentsp = llvm.getelementptr %want[0, 1] : (!llvm.ptr) -> !llvm.ptr, !want
  %extents = llvm.load %extentsp : !llvm.ptr -> !llvm.ptr
  %newArrayp = llvm.getelementptr %process[0, 4] : (!llvm.ptr) -> !llvm.ptr, !process
  %newArray = llvm.load %newArrayp : !llvm.ptr -> !llvm.ptr
  %fromNumPy = llvm.call %newArray(%ndarray, %dtype, %rank, %extents, %null, %null, %noFlags, %null)
      : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
  llvm.br ^place(%fromNumPy : !llvm.ptr)
^byMaker:
  %callp = llvm.getelementptr %process[0, 11] : (!llvm.ptr) -> !llvm.ptr, !process
  %call = llvm.load %callp : !llvm.ptr -> !llvm.ptr
  %fromMaker = llvm.call %call(%maker) : !llvm.ptr, (!llvm.ptr) -> !llvm.ptr
  llvm.br ^place(%fromMaker : !llvm.ptr)
^place(%array: !llvm.ptr):
  %noArray = llvm.icmp "eq" %array, %null : !llvm.ptr
  llvm.cond_br %noArray, ^giveUp, ^keep
^keep:
  %datap = llvm.getelementptr %array[0, 2] : (!llvm.ptr) -> !llvm.ptr, !array
  %data = llvm.load %datap : !llvm.ptr -> !llvm.ptr
  %place = llvm.getelementptr %pointers[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %data, %place : !llvm.ptr, !llvm.ptr
  %setp = llvm.getelementptr %process[0, 10] : (!llvm.ptr) -> !llvm.ptr, !process
  %set = llvm.load %setp : !llvm.ptr -> !llvm.ptr
  %ignored = llvm.call %set(%tuple, %i, %array) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr) -> i32
  %next = llvm.add %i, %one : i64
  llvm.br ^nextOutput(%next : i64)
^all:
  llvm.return %tuple : !llvm.ptr
^giveUp:
  %decrefp = llvm.getelementptr %process[0, 6] : (!llvm.ptr) -> !llvm.ptr, !process
  %decref = llvm.load %decrefp : !llvm.ptr -> !llvm.ptr
  llvm.call %decref(%tuple) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^none
^none:
  llvm.return %null : !llvm.ptr
}

// Whether out= is an array, or a tuple of arrays, that fit the outputs and lie apart.  The addresses of their data are
// stored behind those of the inputs.
llvm.func internal @out_fits(%plan: !llvm.ptr, %given: !llvm.ptr, %pointers: !llvm.ptr) -> i1 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %false = llvm.mlir.constant(false) : i1
  %process = llvm.load %plan : !llvm.ptr -> !llvm.ptr
  %ndarray = llvm.load %process : !llvm.ptr -> !llvm.ptr
  %wantsp = llvm.getelementptr %plan[0, 2] : (!llvm.ptr) -> !llvm.ptr, !plan
  %wants = llvm.load %wantsp : !llvm.ptr -> !llvm.ptr
  %inputsp = llvm.getelementptr %plan[0, 3] : (!llvm.ptr) -> !llvm.ptr, !plan
  %inputs = llvm.load %inputsp : !llvm.ptr -> i64
  %outputsp = llvm.getelementptr %plan[0, 4] : (!llvm.ptr) -> !llvm.ptr, !plan
  %outputs = llvm.load %outputsp : !llvm.ptr -> i64
  %herep = llvm.getelementptr %plan[0, 6] : (!llvm.ptr) -> !llvm.ptr, !plan
  %here = llvm.load %herep : !llvm.ptr -> i64
  %elsewhere = llvm.icmp "eq" %here, %zero : i64
  llvm.cond_br %elsewhere, ^no, ^kind
^kind:
  %typep = llvm.getelementptr %given[0, 1] : (!llvm.ptr) -> !llvm.ptr, !object
  %type = llvm.load %typep : !llvm.ptr -> !llvm.ptr
  %tuplep = llvm.getelementptr %process[0, 1] : (!llvm.ptr) -> !llvm.ptr, !process
  %tuple = llvm.load %tuplep : !llvm.ptr -> !llvm.ptr
  %isTuple = llvm.icmp "eq" %type, %tuple : !llvm.ptr
  llvm.cond_br %isTuple, ^several, ^single

^single:
  %isOne = llvm.icmp "eq" %outputs, %one : i64
  llvm.cond_br %isOne, ^array, ^no
^array:
  %want = llvm.getelementptr %wants[%inputs] : (!llvm.ptr, i64) -> !llvm.ptr, !want
  %place = llvm.getelementptr %pointers[%inputs] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %fits = llvm.call @fits(%given, %want, %ndarray, %place) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i1
  llvm.cond_br %fits, ^compare, ^no

^several:
  %sizep = llvm.getelementptr %process[0, 8] : (!llvm.ptr) -> !llvm.ptr, !process
  %size = llvm.load %sizep : !llvm.ptr -> !llvm.ptr
  %count = llvm.call %size(%given) : !llvm.ptr, (!llvm.ptr) -> i64
  %asMany = llvm.icmp "eq" %count, %outputs : i64
  llvm.cond_br %asMany, ^nextItem(%zero : i64), ^no
^nextItem(%i: i64):
  %more = llvm.icmp "slt" %i, %outputs : i64
  llvm.cond_br %more, ^item, ^compare
^item:
  %getp = llvm.getelementptr %process[0, 9] : (!llvm.ptr) -> !llvm.ptr, !process
  %get = llvm.load %getp : !llvm.ptr -> !llvm.ptr
  %itemArray = llvm.call %get(%given, %i) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %n = llvm.add %inputs, %i : i64
  %itemWant = llvm.getelementptr %wants[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !want
  %itemPlace = llvm.getelementptr %pointers[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %itemFits = llvm.call @fits(%itemArray, %itemWant, %ndarray, %itemPlace)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i1
  %next = llvm.add %i, %one : i64
  llvm.cond_br %itemFits, ^nextItem(%next : i64), ^no

^compare:
  %apart = llvm.call @apart(%wants, %inputs, %outputs, %pointers) : (!llvm.ptr, i64, i64, !llvm.ptr) -> i1
  llvm.return %apart : i1
^no:
  llvm.return %false : i1
}

// Whether every output shares no byte with an input or with an output before it.
llvm.func internal @apart(%wants: !llvm.ptr, %inputs: i64, %outputs: i64, %pointers: !llvm.ptr) -> i1 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %arrays = llvm.add %inputs, %outputs : i64
  llvm.br ^output(%inputs : i64)
^output(%o: i64):
  %more = llvm.icmp "slt" %o, %arrays : i64
  llvm.cond_br %more, ^range, ^yes
^range:
  %lowp = llvm.getelementptr %pointers[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %low = llvm.load %lowp : !llvm.ptr -> i64
  %bytesp = llvm.getelementptr %wants[%o, 4] : (!llvm.ptr, i64) -> !llvm.ptr, !want
  %bytes = llvm.load %bytesp : !llvm.ptr -> i64
  %high = llvm.add %low, %bytes : i64
  %nextOutput = llvm.add %o, %one : i64
  llvm.br ^other(%zero : i64)
^other(%i: i64):
  %before = llvm.icmp "slt" %i, %o : i64
  llvm.cond_br %before, ^compare, ^output(%nextOutput : i64)
^compare:
  %otherLowp = llvm.getelementptr %pointers[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %otherLow = llvm.load %otherLowp : !llvm.ptr -> i64
  %otherBytesp = llvm.getelementptr %wants[%i, 4] : (!llvm.ptr, i64) -> !llvm.ptr, !want
  %otherBytes = llvm.load %otherBytesp : !llvm.ptr -> i64
  %otherHigh = llvm.add %otherLow, %otherBytes : i64
  %0 = llvm.icmp "ult" %low, %otherHigh : i64
  %1 = llvm.icmp "ult" %otherLow, %high : i64
  %overlap = llvm.and %0, %1 : i1
  %next = llvm.add %i, %one : i64
  llvm.cond_br %overlap, ^no, ^other(%next : i64)
^yes:
  llvm.return %true : i1
^no:
  llvm.return %false : i1
}

// What out= was given, as a tuple: itself if it is one, else one around it; null if memory is short.
llvm.func internal @as_tuple(%process: !llvm.ptr, %given: !llvm.ptr) -> !llvm.ptr {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %typep = llvm.getelementptr %given[0, 1] : (!llvm.ptr) -> !llvm.ptr, !object
  %type = llvm.load %typep : !llvm.ptr -> !llvm.ptr
  %tuplep = llvm.getelementptr %process[0, 1] : (!llvm.ptr) -> !llvm.ptr, !process
  %tuple = llvm.load %tuplep : !llvm.ptr -> !llvm.ptr
  %increfp = llvm.getelementptr %process[0, 5] : (!llvm.ptr) -> !llvm.ptr, !process
  %incref = llvm.load %increfp : !llvm.ptr -> !llvm.ptr
  %isTuple = llvm.icmp "eq" %type, %tuple : !llvm.ptr
  llvm.cond_br %isTuple, ^itself, ^around
^itself:
  llvm.call %incref(%given) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return %given : !llvm.ptr
^around:
  %newTuplep = llvm.getelementptr %process[0, 7] : (!llvm.ptr) -> !llvm.ptr, !process
  %newTuple = llvm.load %newTuplep : !llvm.ptr -> !llvm.ptr
  %made = llvm.call %newTuple(%one) : !llvm.ptr, (i64) -> !llvm.ptr
  %none = llvm.icmp "eq" %made, %null : !llvm.ptr
  llvm.cond_br %none, ^short, ^fill
^fill:
  llvm.call %incref(%given) : !llvm.ptr, (!llvm.ptr) -> ()
  %setp = llvm.getelementptr %process[0, 10] : (!llvm.ptr) -> !llvm.ptr, !process
  %set = llvm.load %setp : !llvm.ptr -> !llvm.ptr
  %ignored = llvm.call %set(%made, %zero, %given) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr) -> i32
  llvm.return %made : !llvm.ptr
^short:
  llvm.return %null : !llvm.ptr
}

// The same call by the object's method __call__.
llvm.func internal @slow(
    %process: !llvm.ptr, %self: !llvm.ptr, %args: !llvm.ptr, %nargs: i64, %names: !llvm.ptr) -> !llvm.ptr {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %noNames = llvm.icmp "eq" %names, %null : !llvm.ptr
  llvm.cond_br %noNames, ^counted(%zero : i64), ^count
^count:
  %sizep = llvm.getelementptr %process[0, 8] : (!llvm.ptr) -> !llvm.ptr, !process
  %size = llvm.load %sizep : !llvm.ptr -> !llvm.ptr
  %some = llvm.call %size(%names) : !llvm.ptr, (!llvm.ptr) -> i64
  llvm.br ^counted(%some : i64)
^counted(%named: i64):  // a method takes self first: everything moves up by one
  %values = llvm.add %nargs, %named : i64
  %room = llvm.add %values, %one : i64
  %copy = llvm.alloca %room x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %self, %copy : !llvm.ptr, !llvm.ptr
  llvm.br ^next(%zero : i64)
^next(%i: i64):
  %more = llvm.icmp "slt" %i, %values : i64
  llvm.cond_br %more, ^move, ^call
^move:
  %fromp = llvm.getelementptr %args[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %value = llvm.load %fromp : !llvm.ptr -> !llvm.ptr
  %after = llvm.add %i, %one : i64
  %top = llvm.getelementptr %copy[%after] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  llvm.store %value, %top : !llvm.ptr, !llvm.ptr
  llvm.br ^next(%after : i64)
^call:
  %methodp = llvm.getelementptr %process[0, 3] : (!llvm.ptr) -> !llvm.ptr, !process
  %method = llvm.load %methodp : !llvm.ptr -> !llvm.ptr
  %callp = llvm.getelementptr %process[0, 12] : (!llvm.ptr) -> !llvm.ptr, !process
  %call = llvm.load %callp : !llvm.ptr -> !llvm.ptr
  %all = llvm.add %nargs, %one : i64
  %result = llvm.call %call(%method, %copy, %all, %names)
      : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.return %result : !llvm.ptr
}

// A `main` to try the shim with: it copies an i64 from the first array to the second, and fails if that is odd.
llvm.func @mind_trial(%pointers: !llvm.ptr) -> i64 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %source = llvm.load %pointers : !llvm.ptr -> !llvm.ptr
  %targetp = llvm.getelementptr %pointers[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %target = llvm.load %targetp : !llvm.ptr -> !llvm.ptr
  %number = llvm.load %source : !llvm.ptr -> i64
  llvm.store %number, %target : i64, !llvm.ptr
  %status = llvm.and %number, %one : i64
  llvm.return %status : i64
}

}
