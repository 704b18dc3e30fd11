/* A stand-in for libcuda: the host's memory as a device's, and streams that do nothing until someone waits for them.
 *
 * Every call is written to a log, may be told to fail, and fails by itself where a driver's would: without a current
 * context, outside of memory, after an error of a kernel.  Kernels are hooks.  Built with -DWITH_CUDA_H, the compiler
 * compares the functions with NVIDIA's header.
 */
#ifdef WITH_CUDA_CORE
#define _GNU_SOURCE /* dladdr */
#endif
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_CUDA_H
#include <cuda.h>
/* The numbers that the loader writes by itself. */
_Static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == 75, "");
_Static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == 76, "");
_Static_assert(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES == 8, "");
_Static_assert(CU_JIT_ERROR_LOG_BUFFER == 5 && CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES == 6, "");
_Static_assert(CU_STREAM_CAPTURE_MODE_RELAXED == 2 && CU_STREAM_NON_BLOCKING == 1 && CU_EVENT_DISABLE_TIMING == 2, "");
_Static_assert(CUDA_ERROR_OUT_OF_MEMORY == 2 && CUDA_ERROR_NOT_INITIALIZED == 3 && CUDA_ERROR_DEINITIALIZED == 4, "");
_Static_assert(CUDA_ERROR_STUB_LIBRARY == 34 && CUDA_ERROR_NO_DEVICE == 100 && CUDA_ERROR_INVALID_DEVICE == 101, "");
_Static_assert(CUDA_ERROR_INVALID_IMAGE == 200 && CUDA_ERROR_NO_BINARY_FOR_GPU == 209, "");
_Static_assert(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 == 11 && CU_TENSOR_MAP_SWIZZLE_32B == 1 && CU_TENSOR_MAP_SWIZZLE_128B == 3, "");
_Static_assert(CU_TENSOR_MAP_INTERLEAVE_NONE == 0 && CU_TENSOR_MAP_L2_PROMOTION_L2_128B == 2, "");
_Static_assert(CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE == 0 && sizeof(CUtensorMap) == 128, "");
_Static_assert(CUDA_ERROR_JIT_COMPILER_NOT_FOUND == 221 && CUDA_ERROR_UNSUPPORTED_PTX_VERSION == 222, "");
#else
#define CUDAAPI
typedef int CUresult, CUdevice, CUdevice_attribute, CUjit_option, CUfunction_attribute, CUstreamCaptureMode;
typedef int CUtensorMapDataType, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill;
typedef unsigned long long CUdeviceptr;
typedef uint64_t cuuint64_t;
typedef uint32_t cuuint32_t;
typedef struct { _Alignas(64) char opaque[128]; } CUtensorMap;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
#endif

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, NOT_FOUND = 500 };
enum { MOST = 64, MAP_SIZE = 128 };

typedef struct { char *start; size_t size; int is_ours; } Block;
struct CUfunc_st { int module, parameters; char name[128], is_map[MOST]; };
/* A value is a pointer, or the address of a copy of a tensor map. */
typedef struct { CUfunction function; unsigned sizes[7]; uint64_t values[MOST]; } Launch;
struct CUgraph_st { Launch *launches; int count; };
struct CUgraphExec_st { Launch *launches; int count; };
typedef struct Op { enum { LAUNCH, UPLOAD, DOWNLOAD, WAIT } kind; Launch launch; char *to, *from; size_t size; CUstream on; int upto; } Op;
struct CUstream_st { Op *ops; int count, done; CUgraph capture; };
struct CUevent_st { CUstream stream; int upto; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int depth; /* contexts that this thread has pushed */
static Block blocks[4096];
static int block_count, sticky, devices, major_version, minor_version, version, failure_code, failure_skip;
static char failure_name[64], written[1 << 20];
static size_t written_size, room;
static struct CUstream_st legacy;
static int (*load_hook)(const char *image);
static int (*parameters_hook)(int module, const char *kernel, char *is_map);
static int (*launch_hook)(int module, const char *kernel, const unsigned *sizes, const uint64_t *values, int count);

/* What tests use */

void fake_reset(void)
{
    block_count = sticky = failure_code = 0;
    devices = 1, major_version = 9, minor_version = 0, version = 12040;
    written_size = 0, written[0] = 0, room = 1 << 30;
    legacy.count = legacy.done = 0;
    load_hook = NULL, parameters_hook = NULL, launch_hook = NULL;
}

void fake_hooks(void *load, void *parameters, void *launch)
{
    load_hook = (int (*)(const char *))load;
    parameters_hook = (int (*)(int, const char *, char *))parameters;
    launch_hook = (int (*)(int, const char *, const unsigned *, const uint64_t *, int))launch;
}

void fake_set(int count, int major, int minor, int driver, size_t bytes)
{
    devices = count, major_version = major, minor_version = minor, version = driver, room = bytes;
}

/* The call after `skip` further ones of that name returns `code`. */
void fake_fail(const char *name, int code, int skip)
{
    snprintf(failure_name, sizeof failure_name, "%s", name);
    failure_code = code, failure_skip = skip;
}

const char *fake_log(void) { return written; }
void fake_forget(void) { written_size = 0, written[0] = 0; }

static Block *find(uint64_t p, size_t size)
{
    for (int n = 0; n < block_count; n++)
        if ((char *)p >= blocks[n].start && (char *)p + size <= blocks[n].start + blocks[n].size) return &blocks[n];
    return NULL;
}

int fake_find(uint64_t p, uint64_t *start, uint64_t *size)
{
    Block *b = find(p, 0);
    if (b) *start = (uint64_t)b->start, *size = b->size;
    return b != NULL;
}

/* Memory of the test as the device's. */
void fake_adopt(char *start, size_t size) { blocks[block_count++] = (Block){start, size, 0}; }

int fake_live(void)
{
    int n = 0;
    for (int i = 0; i < block_count; i++) n += blocks[i].is_ours;
    return n;
}

/* Every call */

static int begin(const char *name, int needs_context, const char *format, ...)
{
    pthread_mutex_lock(&lock);
    if (format && written_size + 400 < sizeof written) {
        written_size += sprintf(written + written_size, "%s", name);
        va_list arguments;
        va_start(arguments, format);
        written_size += vsnprintf(written + written_size, 300, format, arguments);
        va_end(arguments);
        written[written_size++] = '\n';
        written[written_size] = 0;
    }
    if (failure_code && !strcmp(name, failure_name) && failure_skip-- == 0) {
        int code = failure_code;
        failure_code = 0;
        return code;
    }
    if (sticky && strcmp(name, "cuCtxPopCurrent_v2")) return sticky;
    return needs_context && !depth ? INVALID_CONTEXT : 0;
}

static CUresult end(int code)
{
    pthread_mutex_unlock(&lock);
    return (CUresult)code;
}

#define BEGIN(name, ...) do { int code = begin(#name, 1, __VA_ARGS__); if (code) return end(code); } while (0)
#define BEGIN_ANYWHERE(name, ...) do { int code = begin(#name, 0, __VA_ARGS__); if (code) return end(code); } while (0)

static CUstream stream_of(CUstream s) { return (uintptr_t)s <= 2 ? &legacy : s; }

static int run(CUstream s, int upto)
{
    while (s->done < upto && !sticky) {
        Op *op = &s->ops[s->done++];
        if (op->kind == LAUNCH) {
            CUfunction f = op->launch.function;
            sticky = launch_hook ? launch_hook(f->module, f->name, op->launch.sizes, op->launch.values, f->parameters) : 0;
        } else if (op->kind == WAIT)
            run(op->on, op->upto);
        else
            memcpy(op->to, op->from, op->size);
        if (op->kind == UPLOAD) free(op->from);
    }
    return sticky;
}

static Op *append(CUstream s, int kind)
{
    s->ops = realloc(s->ops, (s->count + 1) * sizeof(Op));
    Op *op = &s->ops[s->count++];
    memset(op, 0, sizeof *op);
    op->kind = kind;
    return op;
}

/* The driver's functions */

CUresult CUDAAPI cuInit(unsigned flags)
{
    (void)flags;
    BEGIN_ANYWHERE(cuInit, "");
    return end(devices ? 0 : NO_DEVICE);
}

CUresult CUDAAPI cuDriverGetVersion(int *found) { BEGIN_ANYWHERE(cuDriverGetVersion, ""); *found = version; return end(0); }
CUresult CUDAAPI cuDeviceGetCount(int *found) { BEGIN_ANYWHERE(cuDeviceGetCount, ""); *found = devices; return end(0); }
CUresult CUDAAPI cuDeviceGet(CUdevice *found, int n) { BEGIN_ANYWHERE(cuDeviceGet, " %d", n); *found = n + 7; return end(0); }

CUresult CUDAAPI cuDeviceGetName(char *name, int size, CUdevice device)
{
    BEGIN_ANYWHERE(cuDeviceGetName, "");
    snprintf(name, size, "Fake %d", device - 7);
    return end(0);
}

CUresult CUDAAPI cuDeviceGetAttribute(int *found, CUdevice_attribute what, CUdevice device)
{
    (void)device;
    BEGIN_ANYWHERE(cuDeviceGetAttribute, " %d", (int)what);
    *found = (int)what == 75 ? major_version : (int)what == 76 ? minor_version : 0;
    return end(0);
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *found, CUdevice device)
{
    (void)device;
    BEGIN_ANYWHERE(cuDevicePrimaryCtxRetain, "");
    *found = (CUcontext)0x1000;
    return end(0);
}

CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext context)
{
    BEGIN_ANYWHERE(cuCtxPushCurrent_v2, NULL);
    if (context != (CUcontext)0x1000) return end(INVALID_CONTEXT);
    depth++;
    return end(0);
}

CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext *found)
{
    BEGIN(cuCtxPopCurrent_v2, NULL);
    *found = (CUcontext)0x1000;
    depth--;
    return end(0);
}

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *found, const void *image, unsigned count, CUjit_option *options, void **values)
{
    BEGIN(cuModuleLoadDataEx, " %.4s", memcmp(image, "\177ELF", 4) ? "ptx" : "ELF");
    int n = load_hook ? load_hook(image) : 1;
    for (unsigned i = 0; n < 0 && i < count; i++)
        if ((int)options[i] == 5) strcpy(values[i], "ptxas : one\nptxas : two\n");
    if (n < 0) return end(-n);
    *found = (CUmodule)(uintptr_t)n;
    return end(0);
}

CUresult CUDAAPI cuModuleUnload(CUmodule module) { (void)module; BEGIN(cuModuleUnload, ""); return end(0); }

CUresult CUDAAPI cuModuleGetFunction(CUfunction *found, CUmodule module, const char *name)
{
    BEGIN(cuModuleGetFunction, " %s", name);
    CUfunction f = calloc(1, sizeof *f);
    int count = parameters_hook ? parameters_hook((int)(uintptr_t)module, name, f->is_map) : 0;
    if (count < 0 || count > MOST) return end(NOT_FOUND);
    f->module = (int)(uintptr_t)module, f->parameters = count;
    snprintf(f->name, sizeof f->name, "%s", name);
    *found = f;
    return end(0);
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction f, CUfunction_attribute what, int value)
{
    BEGIN(cuFuncSetAttribute, " %s %d %d", f->name, (int)what, value);
    return end(value > 232448 ? INVALID_VALUE : 0);
}

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr *found, size_t size)
{
    BEGIN(cuMemAlloc_v2, " %zu", size);
    if (!size) return end(INVALID_VALUE);
    if (size > room) return end(OUT_OF_MEMORY);
    char *p = aligned_alloc(512, (size + 511) / 512 * 512);
    memset(p, 0xff, size);
    blocks[block_count++] = (Block){p, size, 1};
    *found = (CUdeviceptr)(uintptr_t)p;
    return end(0);
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr p)
{
    BEGIN(cuMemFree_v2, "");
    Block *b = find(p, 0);
    if (!b || !b->is_ours || b->start != (char *)(uintptr_t)p) return end(INVALID_VALUE);
    memset(b->start, 0xff, b->size);
    free(b->start);
    *b = blocks[--block_count];
    return end(0);
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
    BEGIN(cuMemcpyHtoDAsync_v2, " %zu", size);
    if (!find(to, size)) return end(INVALID_VALUE);
    Op *op = append(stream_of(stream), UPLOAD);
    op->to = (char *)(uintptr_t)to, op->size = size;
    op->from = memcpy(malloc(size), from, size);
    return end(0);
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, CUstream stream)
{
    BEGIN(cuMemcpyDtoHAsync_v2, " %zu", size);
    if (!find(from, size)) return end(INVALID_VALUE);
    Op *op = append(stream_of(stream), DOWNLOAD);
    op->to = to, op->from = (char *)(uintptr_t)from, op->size = size;
    return end(0);
}

CUresult CUDAAPI cuStreamCreate(CUstream *found, unsigned flags)
{
    BEGIN(cuStreamCreate, " %u", flags);
    *found = calloc(1, sizeof **found);
    return end(0);
}

CUresult CUDAAPI cuStreamDestroy_v2(CUstream stream) { (void)stream; BEGIN(cuStreamDestroy_v2, ""); return end(0); }

CUresult CUDAAPI cuStreamSynchronize(CUstream stream)
{
    BEGIN(cuStreamSynchronize, "");
    CUstream s = stream_of(stream);
    return end(run(s, s->count));
}

CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    BEGIN(cuStreamWaitEvent, " %u", flags);
    Op *op = append(stream_of(stream), WAIT);
    op->on = event->stream, op->upto = event->upto;
    return end(0);
}

CUresult CUDAAPI cuEventCreate(CUevent *found, unsigned flags)
{
    BEGIN(cuEventCreate, " %u", flags);
    *found = calloc(1, sizeof **found);
    return end(0);
}

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream)
{
    BEGIN(cuEventRecord, "");
    event->stream = stream_of(stream), event->upto = event->stream->count;
    return end(0);
}

CUresult CUDAAPI cuEventSynchronize(CUevent event)
{
    BEGIN(cuEventSynchronize, "");
    return end(run(event->stream, event->upto));
}

/* CUDA 12.8 has it once more, as _v2. */
#undef cuEventElapsedTime
CUresult CUDAAPI cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
    BEGIN(cuEventElapsedTime, "");
    if (from->stream != to->stream || to->stream->done < to->upto) return end(INVALID_VALUE);
    *milliseconds = (float)(to->upto - from->upto);
    return end(0);
}

CUresult CUDAAPI cuEventDestroy_v2(CUevent event) { (void)event; BEGIN(cuEventDestroy_v2, ""); return end(0); }

CUresult CUDAAPI cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                unsigned shared, CUstream stream, void **parameters, void **extra)
{
    CUstream s = stream_of(stream);
    BEGIN(cuLaunchKernel, " %s %u,%u,%u %u,%u,%u %u%s", f->name, gx, gy, gz, bx, by, bz, shared, s->capture ? " captured" : "");
    if (extra || !gx || !gy || !gz || !bx || bx * by * bz > 1024) return end(INVALID_VALUE);
    Launch launch = {f, {gx, gy, gz, bx, by, bz, shared}, {0}};
    for (int n = 0; n < f->parameters; n++)
        launch.values[n] = f->is_map[n] ? (uint64_t)memcpy(malloc(MAP_SIZE), parameters[n], MAP_SIZE) : *(uint64_t *)parameters[n];
    if (s->capture) {
        CUgraph g = s->capture;
        g->launches = realloc(g->launches, (g->count + 1) * sizeof launch);
        g->launches[g->count++] = launch;
    } else
        append(s, LAUNCH)->launch = launch;
    return end(0);
}

/* The map is what the emulator takes for one, copies.c. */
CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *start,
                                        const cuuint64_t *extents, const cuuint64_t *strides, const cuuint32_t *box,
                                        const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                        CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    BEGIN(cuTensorMapEncodeTiled, " %d rank %u, %llu x %llu, box %u x %u, swizzle %d", (int)type, rank,
          (unsigned long long)extents[0], rank > 1 ? (unsigned long long)extents[1] : 1, box[0], rank > 1 ? box[1] : 1, (int)swizzle);
    struct {
        char *start;
        uint64_t strides[4];
        uint32_t extents[5], box[5], rank, width, swizzle, rounds;
    } made = {start, {0}, {0}, {0}, rank, 4, (uint32_t)swizzle, 1};
    int is_wrong = (uintptr_t)map % 64 || (int)type != 11 || rank < 1 || rank > 5 || (uintptr_t)start % 16;
    if (is_wrong || (int)interleave || (int)swizzle > 3 || (int)promotion > 3 || (int)fill) return end(INVALID_VALUE);
    uint64_t last = 4;
    for (uint32_t d = 0; d < rank; d++) {
        uint64_t stride = d ? strides[d - 1] : 4;
        is_wrong |= extents[d] < 1 || extents[d] > 1ull << 32 || box[d] < 1 || box[d] > 256 || steps[d] < 1 || steps[d] > 8;
        is_wrong |= d && (stride % 16 || stride >= 1ull << 40);
        made.extents[d] = (uint32_t)extents[d], made.box[d] = box[d];
        if (d) made.strides[d - 1] = stride;
        last += (extents[d] - 1) * stride;
    }
    is_wrong |= box[0] * 4 % 16 || ((int)swizzle && box[0] * 4 > 16u << (int)swizzle);
    if (is_wrong || !find((uint64_t)start, last)) return end(INVALID_VALUE);
    memset(map, 0, sizeof *map);
    memcpy(map, &made, sizeof made);
    return end(0);
}

CUresult CUDAAPI cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    BEGIN(cuStreamBeginCapture_v2, " %d", (int)mode);
    stream->capture = calloc(1, sizeof *stream->capture);
    return end(0);
}

CUresult CUDAAPI cuStreamEndCapture(CUstream stream, CUgraph *found)
{
    BEGIN(cuStreamEndCapture, "");
    *found = stream->capture;
    stream->capture = NULL;
    return end(0);
}

CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec *found, CUgraph graph, unsigned long long flags)
{
    BEGIN(cuGraphInstantiateWithFlags, " %d of %d", (int)flags, graph->count);
    *found = calloc(1, sizeof **found);
    (*found)->count = graph->count;
    (*found)->launches = memcpy(malloc(graph->count * sizeof(Launch) + 1), graph->launches, graph->count * sizeof(Launch));
    return end(0);
}

CUresult CUDAAPI cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
    BEGIN(cuGraphLaunch, "");
    for (int n = 0; n < graph->count; n++) append(stream_of(stream), LAUNCH)->launch = graph->launches[n];
    return end(0);
}

CUresult CUDAAPI cuGraphDestroy(CUgraph graph) { (void)graph; BEGIN(cuGraphDestroy, ""); return end(0); }
CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec graph) { (void)graph; BEGIN(cuGraphExecDestroy, ""); return end(0); }

CUresult CUDAAPI cuGetErrorName(CUresult code, const char **found)
{
    static const struct { int code; const char *name; } names[] = {
        {1, "CUDA_ERROR_INVALID_VALUE"}, {2, "CUDA_ERROR_OUT_OF_MEMORY"}, {3, "CUDA_ERROR_NOT_INITIALIZED"},
        {34, "CUDA_ERROR_STUB_LIBRARY"}, {100, "CUDA_ERROR_NO_DEVICE"}, {101, "CUDA_ERROR_INVALID_DEVICE"},
        {200, "CUDA_ERROR_INVALID_IMAGE"}, {201, "CUDA_ERROR_INVALID_CONTEXT"}, {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
        {218, "CUDA_ERROR_INVALID_PTX"}, {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"}, {500, "CUDA_ERROR_NOT_FOUND"},
        {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {719, "CUDA_ERROR_LAUNCH_FAILED"},
    };
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (names[n].code == (int)code) return *found = names[n].name, (CUresult)0;
    return (CUresult)INVALID_VALUE;
}

CUresult CUDAAPI cuGetErrorString(CUresult code, const char **found)
{
    *found = (int)code == 719 ? "unspecified launch failure" : "what the driver says about it";
    return (CUresult)0;
}

#ifdef WITH_CUDA_CORE
#include "fake_cuda_core.c"
#endif
