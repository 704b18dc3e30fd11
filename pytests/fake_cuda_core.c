/* What cuda.core calls of libcuda besides what the loader calls by itself; at the end of fake_cuda.c, -DWITH_CUDA_CORE.
 *
 * It asks for every function by cuGetProcAddress.  There is one device, and its number is its handle.
 */
#include <dlfcn.h>

/* cuDeviceGet gives 7 for device 0, so that nobody takes numbers for handles; cuda.core does, as the driver allows. */
CUresult cuDeviceGetName_of_number(char *name, int size, CUdevice device) { return cuDeviceGetName(name, size, device + 7); }

CUresult cuCtxGetCurrent(CUcontext *found) { *found = depth ? (CUcontext)0x1000 : NULL; return 0; }
CUresult cuCtxSetCurrent(CUcontext context) { depth = context != NULL; return 0; }
CUresult cuCtxGetDevice(CUdevice *found) { *found = 0; return depth ? 0 : INVALID_CONTEXT; }
CUresult cuCtxSynchronize(void) { return sticky; }

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) { *least = *greatest = 0; return 0; }
CUresult cuStreamCreateWithPriority(CUstream *found, unsigned flags, int priority) { (void)priority; return cuStreamCreate(found, flags); }
CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) { (void)stream; *flags = 1; return 0; }
CUresult cuStreamIsCapturing(CUstream stream, int *found) { *found = stream_of(stream)->capture != NULL; return 0; }

CUresult cuStreamGetCtx(CUstream stream, CUcontext *found)
{
    (void)stream;
    *found = (CUcontext)0x1000;
    return 0;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *is, cuuint64_t *id, CUgraph *graph, const void ***from, size_t *count)
{
    (void)from;
    *is = stream_of(stream)->capture != NULL;
    if (id) *id = 1;
    if (graph) *graph = stream_of(stream)->capture;
    if (count) *count = 0;
    return 0;
}

CUresult cuDeviceGetMemPool(void **found, CUdevice device) { (void)device; *found = (void *)0x77; return 0; }
CUresult cuMemPoolGetAttribute(void *pool, int what, void *value) { (void)pool, (void)what; *(cuuint64_t *)value = 0; return 0; }
CUresult cuMemPoolSetAttribute(void *pool, int what, void *value) { (void)pool, (void)what, (void)value; return 0; }

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *found, size_t size, void *pool, CUstream stream)
{
    (void)pool, (void)stream;
    return cuMemAlloc_v2(found, size);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) { (void)stream; return cuMemFree_v2(pointer); }

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
    if (find(to, size)) return cuMemcpyHtoDAsync_v2(to, (const void *)(uintptr_t)from, size, stream);
    return cuMemcpyDtoHAsync_v2((void *)(uintptr_t)to, from, size, stream);
}

CUresult cuLibraryLoadData(
    CUmodule *found, const void *image, CUjit_option *options, void **values, unsigned count, int *more, void **their, unsigned number)
{
    (void)more, (void)their, (void)number;
    return cuModuleLoadDataEx(found, image, count, options, values);
}

CUresult cuLibraryUnload(CUmodule library) { return cuModuleUnload(library); }
CUresult cuLibraryGetKernel(CUfunction *found, CUmodule library, const char *name) { return cuModuleGetFunction(found, library, name); }

CUresult cuKernelSetAttribute(CUfunction_attribute what, int value, CUfunction kernel, CUdevice device)
{
    return device ? INVALID_VALUE : cuFuncSetAttribute(kernel, what, value);
}

typedef struct { unsigned grid[3], block[3], shared; CUstream stream; void *attributes; unsigned count; } LaunchConfig;

CUresult cuLaunchKernelEx(const LaunchConfig *c, CUfunction f, void **parameters, void **extra)
{
    const unsigned *g = c->grid, *b = c->block;
    return cuLaunchKernel(f, g[0], g[1], g[2], b[0], b[1], b[2], c->shared, c->stream, parameters, extra);
}

typedef struct { cuuint64_t flags; CUstream upload; void *node; int result; } InstantiateParams;

CUresult cuGraphInstantiateWithParams(CUgraphExec *found, CUgraph graph, InstantiateParams *p)
{
    p->result = 0;
    return cuGraphInstantiateWithFlags(found, graph, p->flags);
}

/* What a graph keeps alive, is kept alive by the test. */
CUresult cuUserObjectCreate(void **found) { *found = (void *)0x99; return 0; }
CUresult cuGraphRetainUserObject(void) { return 0; }
CUresult cuGraphReleaseUserObject(void) { return 0; }

CUresult cuGetProcAddress_v2(const char *name, void **found, int newest, cuuint64_t flags, int *status)
{
    (void)newest, (void)flags;
    static const char *const endings[] = {"_of_number", "_v2", ""};
    char whole[128];
    Dl_info self;
    dladdr((void *)fake_reset, &self);
    void *library = dlopen(self.dli_fname, RTLD_NOW);
    *found = NULL;
    for (int n = 0; n < 3 && !*found; n++) {
        snprintf(whole, sizeof whole, "%s%s", name, endings[n]);
        *found = dlsym(library, whole);
    }
    if (status) *status = *found ? 0 : 1; /* CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND */
    return *found ? 0 : NOT_FOUND;
}
