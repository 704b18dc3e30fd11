/* Declarations that the files of the emulator of a GPU share. There is one launch at a time, and one fiber for each
   thread of a block. */
#ifndef MIND_EMULATOR_H
#define MIND_EMULATOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WARP = 32, MOST_THREADS = 1024, MOST_BLOCKS = 8, MOST_PLACES = MOST_BLOCKS * MOST_THREADS };

/* Shared memory of the blocks of a cluster, one after the other. Each begins at a multiple of its size, so the low bits
   of a pointer are those on a device, which descriptors of matrices hold. */
enum { SHARED_SIZE = 1 << 18 };
extern char emu_shared[MOST_BLOCKS * SHARED_SIZE];

/* Results of instructions with several: read by the instruction after the call, before any other thread runs. */
extern char emu_results[1024];

/* Threads */

typedef enum { READY, AT_BARRIER, IN_WARP, AT_MBARRIER, AT_CLUSTER, ENDED } State;

typedef struct {
  void *stack_pointer;
  char *stack; /* of STACK_SIZE bytes */
  State state;
  uint32_t x, y, z;
  uint32_t number; /* in the block, x fastest */
  uint32_t rank;   /* of the block in its cluster */
  uint32_t place;  /* in the cluster, with room for MOST_THREADS of each block */
  uint32_t block_id[3];
  uint32_t mask;   /* IN_WARP: the lanes that wait for each other */
  uint32_t site;   /* of the instruction at which it waits */
  uint32_t barrier, count;  /* AT_BARRIER: which one, and for how many threads */
  void *mbarrier;           /* AT_MBARRIER */
  uint32_t parity;
  uint32_t arrivals;        /* at barriers of the cluster */
} Thread;

enum { STACK_SIZE = 128 << 10 };

extern Thread *emu_threads; /* of the cluster that runs, block after block */
extern uint32_t emu_count;  /* how many of a block */
extern uint32_t emu_blocks; /* of a cluster */
extern Thread *emu_self;    /* the one that runs */
extern uint32_t emu_warp_epoch[MOST_PLACES / WARP]; /* times that threads of a warp have waited for each other */
extern uint32_t emu_epoch, emu_first_epoch; /* times that threads have waited, and its value at the cluster's start */

static inline uint32_t lane(void) { return emu_self->number % WARP; }
static inline char *shared_of(uint32_t rank) { return emu_shared + (size_t)rank * SHARED_SIZE; }
/* Which block of the cluster an address in shared memory belongs to. */
static inline uint32_t rank_of(const void *shared) { return (uint32_t)(((const char *)shared - emu_shared) / SHARED_SIZE); }
/* True if no thread of a block of the cluster runs any more. */
int emu_has_ended(uint32_t rank);

/* Give way to others until the scheduler goes on with this thread. */
void emu_wait(State state, uint32_t site);
/* Wait for all lanes in the mask. */
void emu_wait_warp(uint32_t mask, uint32_t site);
/* End the launch with a message about the running thread, at the instruction `site` if that is not 0. No return. */
void emu_fail(uint32_t site, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
/* The same for the scheduler, which goes on to end the launch. */
void emu_report(const Thread *thread, uint32_t site, const char *format, ...) __attribute__((format(printf, 3, 4)));
extern int emu_failed;
const char *emu_site(uint32_t site);

/* Memory */

enum { WRITES = 1, ATOMIC = 2, IN_CLUSTER = 4 }; /* IN_CLUSTER: to shared memory of any block of the cluster */

typedef struct {
  uint32_t written_at, writer, read_at, reader;
} Shadow; /* of four bytes: the epochs and threads of the last accesses */

typedef struct {
  uintptr_t start, end;
  const char *name;
  uint32_t is_writable, is_shared;
  Shadow *shadow;
} Piece;

/* Fails unless the bytes are in one piece of memory that may be accessed in this way, and no other thread of the same
   launch accesses them without waiting. `what` names the access. */
void emu_check(uintptr_t start, uint32_t bytes, uint32_t alignment, uint32_t mode, uint32_t site, const char *what);
/* Fails if the last accesses were writes of other bits than those that another thread has written. */
void emu_settle_writes(void);
void emu_set_pieces(Piece *pieces, uint32_t count, int races);
void emu_drop_pieces(void);
void emu_poison(void *start, size_t bytes);
void emu_poison_shared(void);

/* Copies and products that others do */

/* Fails if a product that the threads of its warp have not waited for reads any of these bytes of shared memory. */
void emu_check_products(uintptr_t start, uint32_t bytes, uint32_t site, const char *what);

void emu_forget_copies(void);
/* Do what is to come at an mbarrier; true if its phase has gone on from that of the parity. */
int emu_mbarrier_is_over(void *mbarrier, uint32_t parity);

#endif
