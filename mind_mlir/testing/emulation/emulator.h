/* A GPU on a CPU: what the files of the emulator share.  One launch at a time, one fiber for each thread of a block. */
#ifndef MIND_EMULATOR_H
#define MIND_EMULATOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WARP = 32, MOST_THREADS = 1024, MOST_WARPS = MOST_THREADS / WARP };

/* Shared memory of one block.  Its address is a multiple of its size: the low bits of a pointer are those of the device,
   which descriptors of matrices hold. */
enum { SHARED_SIZE = 1 << 18 };
extern char emu_shared[SHARED_SIZE];

/* Results of instructions with several: read by the instruction after the call, before any other thread runs. */
extern char emu_results[1024];

/* Threads */

typedef enum { READY, AT_BARRIER, IN_WARP, AT_MBARRIER, ENDED } State;

typedef struct {
  void *stack_pointer;
  char *stack; /* of STACK_SIZE bytes */
  State state;
  uint32_t x, y, z;
  uint32_t number; /* in the block, x fastest */
  uint32_t mask;   /* IN_WARP: the lanes that wait for each other */
  uint32_t site;   /* of the instruction at which it waits */
  uint32_t barrier, count;  /* AT_BARRIER: which one, and for how many threads */
  void *mbarrier;           /* AT_MBARRIER */
  uint32_t parity;
} Thread;

enum { STACK_SIZE = 128 << 10 };

extern Thread *emu_threads; /* of the block that runs */
extern uint32_t emu_count;  /* how many */
extern Thread *emu_self;    /* the one that runs */
extern uint32_t emu_warp_epoch[MOST_WARPS]; /* times that threads of a warp have waited for each other */
extern uint32_t emu_epoch, emu_first_epoch; /* times that threads have waited, and its value at the block's start */

static inline uint32_t lane(void) { return emu_self->number % WARP; }

/* Give way to others until the scheduler goes on with this thread. */
void emu_wait(State state, uint32_t site);
/* Wait for all lanes in the mask. */
void emu_wait_warp(uint32_t mask, uint32_t site);
/* End the launch with a message about the thread that runs; does not return.  Its place is that of `site`, if not 0. */
void emu_fail(uint32_t site, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
/* The same for the scheduler, which goes on to end the launch. */
void emu_report(const Thread *thread, uint32_t site, const char *format, ...) __attribute__((format(printf, 3, 4)));
extern int emu_failed;
const char *emu_site(uint32_t site);

/* Memory */

enum { WRITES = 1, ATOMIC = 2 };

typedef struct {
  uint32_t written_at, writer, read_at, reader;
} Shadow; /* of four bytes: the epochs and threads of the last accesses */

typedef struct {
  uintptr_t start, end;
  const char *name;
  uint32_t is_writable, is_shared;
  Shadow *shadow;
} Piece;

/* Fails unless the bytes lie in one piece of memory that may be accessed in this way, and no other thread of the same
   launch accesses them without waiting.  `what` names the access. */
void emu_check(uintptr_t start, uint32_t bytes, uint32_t alignment, uint32_t mode, uint32_t site, const char *what);
/* Fails if the last accesses were writes of other bits than those that another thread has written. */
void emu_settle_writes(void);
void emu_set_pieces(Piece *pieces, uint32_t count, int races);
void emu_drop_pieces(void);
void emu_poison(void *start, size_t bytes);
void emu_poison_shared(void);

/* Copies that others do */

void emu_forget_copies(void);
/* Do what is to come at an mbarrier; true if its phase has gone on from that of the parity. */
int emu_mbarrier_is_over(void *mbarrier, uint32_t parity);

#endif
