/* Threads, each a fiber, which run one after the other until they wait or end.

   A launch runs cluster after cluster, most of which have one block. The caller chooses the order in which they and
   their threads run; a correct program gives the same bits in every order. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

enum { ASCENDING, DESCENDING, RANDOM };

char emu_shared[MOST_BLOCKS * SHARED_SIZE] __attribute__((aligned(SHARED_SIZE)));
char emu_results[1024] __attribute__((aligned(64)));
Thread *emu_threads, *emu_self;
uint32_t emu_count, emu_blocks, emu_epoch, emu_first_epoch, emu_warp_epoch[MOST_PLACES / WARP];
int emu_failed;

static uint32_t grid[3], block[3];
static void (*kernel)(void **);
static void **arguments;
static int order;
static uint64_t random_state;
static char *message;
static size_t message_size;
static const char *const *site_names;

/* Fibers */

#if defined(__x86_64__)
static void *scheduler;

void emu_switch(void **save, void *load);
__asm__(".text\n.globl emu_switch\n.hidden emu_switch\nemu_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n  ret\n");

static void to_scheduler(void) { emu_switch(&emu_self->stack_pointer, scheduler); }
static void to_thread(Thread *t) { emu_switch(&scheduler, t->stack_pointer); }

static void prepare(Thread *t, void (*start)(void)) {
  void **top = (void **)(t->stack + STACK_SIZE);
  *--top = NULL; /* where `start` would return to: it does not */
  *--top = (void *)start;
  for (int i = 0; i < 6; i++) *--top = NULL;
  t->stack_pointer = top;
}
#else
static ucontext_t scheduler, contexts[MOST_PLACES];

static void to_scheduler(void) { swapcontext(&contexts[emu_self->place], &scheduler); }
static void to_thread(Thread *t) { swapcontext(&scheduler, &contexts[t->place]); }

static void prepare(Thread *t, void (*start)(void)) {
  ucontext_t *c = &contexts[t->place];
  getcontext(c);
  c->uc_stack.ss_sp = t->stack;
  c->uc_stack.ss_size = STACK_SIZE;
  c->uc_link = NULL;
  makecontext(c, start, 0);
}
#endif

static void run_thread(void) {
  kernel(arguments);
  emu_settle_writes();
  emu_self->state = ENDED;
  to_scheduler();
  abort();
}

/* Waiting and failing */

void emu_wait(State state, uint32_t site) {
  emu_settle_writes();
  emu_self->state = state;
  emu_self->site = site;
  to_scheduler();
}

void emu_wait_warp(uint32_t mask, uint32_t site) {
  if (!(mask >> lane() & 1)) emu_fail(site, "waits for lanes %#x of its warp and is none of them", mask);
  emu_self->mask = mask;
  emu_wait(IN_WARP, site);
}

const char *emu_site(uint32_t site) { return site_names[site]; }

static void report(const Thread *t, uint32_t site, const char *format, va_list values) {
  if (emu_failed) return;
  emu_failed = 1;
  size_t n = 0;
  if (t)
    n = (size_t)snprintf(message, message_size, "block (%u, %u, %u), thread (%u, %u, %u) ", t->block_id[0],
                         t->block_id[1], t->block_id[2], t->x, t->y, t->z);
  else
    n = (size_t)snprintf(message, message_size, "block (%u, %u, %u): ", emu_threads[0].block_id[0],
                         emu_threads[0].block_id[1], emu_threads[0].block_id[2]);
  n += (size_t)vsnprintf(message + n, message_size - n, format, values);
  if (site && n < message_size) snprintf(message + n, message_size - n, ", at %s", emu_site(site));
}

void emu_report(const Thread *thread, uint32_t site, const char *format, ...) {
  va_list values;
  va_start(values, format);
  report(thread, site, format, values);
  va_end(values);
}

void emu_fail(uint32_t site, const char *format, ...) {
  va_list values;
  va_start(values, format);
  report(emu_self, site, format, values);
  va_end(values);
  to_scheduler();
  abort();
}

/* What threads ask */

uint32_t emu_tid(uint32_t dimension) {
  return dimension == 0 ? emu_self->x : dimension == 1 ? emu_self->y : emu_self->z;
}
uint32_t emu_ctaid(uint32_t dimension) { return emu_self->block_id[dimension]; }
uint32_t emu_ntid(uint32_t dimension) { return block[dimension]; }
uint32_t emu_nctaid(uint32_t dimension) { return grid[dimension]; }
uint32_t emu_laneid(void) { return lane(); }
uint32_t emu_cluster_ctarank(void) { return emu_self->rank; }
uint32_t emu_cluster_nctarank(void) { return emu_blocks; }
char *emu_shared_start(void) { return shared_of(emu_self->rank); }

/* The same offset in the shared memory of a block of the cluster. */
char *emu_mapa(char *shared, uint32_t rank, uint32_t site) {
  if (rank >= emu_blocks) emu_fail(site, "looks at block %u of a cluster of %u", rank, emu_blocks);
  return shared_of(rank) + (shared - shared_of(emu_self->rank));
}

uint32_t emu_warpid(void) { return emu_self->number / WARP; }

/* `count` threads of the block, all of them if it is 0, wait at barrier number `id`. */
void emu_barrier(uint32_t id, uint32_t count, uint32_t site) {
  if (id >= 16) emu_fail(site, "waits at barrier %u, and there are 16", id);
  if (count % WARP) emu_fail(site, "waits at a barrier for %u threads, which is no multiple of a warp", count);
  emu_self->barrier = id;
  emu_self->count = count;
  emu_wait(AT_BARRIER, site);
}

void emu_cluster_arrive(void) { emu_self->arrivals++; }
void emu_cluster_wait(uint32_t site) { emu_wait(AT_CLUSTER, site); }

void emu_barrier0(uint32_t site) { emu_barrier(0, 0, site); }

void emu_syncwarp(uint32_t mask, uint32_t site) { emu_wait_warp(mask, site); }

/* The scheduler */

static uint32_t drawn(uint32_t below) { /* xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t)(((random_state * 0x2545F4914F6CDD1Dull >> 32) * below) >> 32);
}

/* The numbers below `count` in the order of this launch. */
static void arrange(uint32_t *places, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) places[i] = order == DESCENDING ? count - 1 - i : i;
  if (order == RANDOM)
    for (uint32_t i = count; i > 1; i--) {
      uint32_t j = drawn(i), kept = places[i - 1];
      places[i - 1] = places[j];
      places[j] = kept;
    }
}

/* Let the lanes of a warp, of so many threads, go on that all wait for each other at one instruction. */
static int release_warp(Thread *warp, uint32_t lanes) {
  int released = 0;
  for (uint32_t l = 0; l < lanes; l++) {
    Thread *t = &warp[l];
    if (t->state != IN_WARP) continue;
    uint32_t mask = t->mask, site = t->site;
    int complete = 1;
    for (uint32_t k = 0; k < WARP && complete; k++) {
      if (!(mask >> k & 1)) continue;
      Thread *other = &warp[k];
      if (k >= lanes || other->state == ENDED) {
        emu_report(t, site, "waits for lane %u of its warp, which %s", k, k >= lanes ? "does not exist" : "has ended");
        return 0;
      }
      complete = other->state == IN_WARP && other->mask == mask && other->site == site;
    }
    if (!complete) continue;
    for (uint32_t k = 0; k < lanes; k++)
      if (mask >> k & 1) warp[k].state = READY;
    emu_warp_epoch[t->place / WARP]++;
    released = 1;
  }
  return released;
}

static int release_warps(Thread *threads) {
  int released = 0;
  for (uint32_t w = 0; w < emu_count && !emu_failed; w += WARP)
    released |= release_warp(threads + w, emu_count - w < WARP ? emu_count - w : WARP);
  return released;
}

static int release_mbarriers(Thread *threads) {
  int released = 0;
  for (uint32_t i = 0; i < emu_count && !emu_failed; i++) {
    Thread *t = &threads[i];
    if (t->state == AT_MBARRIER) {
      emu_self = t; /* a copy that is due counts as its own */
      if (emu_mbarrier_is_over(t->mbarrier, t->parity)) {
        t->state = READY;
        emu_epoch++;
        released = 1;
      }
    }
  }
  return released;
}

static int release_barriers(Thread *threads) {
  uint32_t waiting[16] = {0}, expected[16] = {0}, ended = 0, released = 0;
  for (uint32_t i = 0; i < emu_count; i++) {
    Thread *t = &threads[i];
    ended += t->state == ENDED;
    if (t->state != AT_BARRIER) continue;
    uint32_t count = t->count ? t->count : emu_count;
    if (waiting[t->barrier]++ && expected[t->barrier] != count) {
      emu_report(t, t->site, "waits at barrier %u for %u threads, another one for %u", t->barrier, count,
                 expected[t->barrier]);
      return 0;
    }
    expected[t->barrier] = count;
  }
  for (uint32_t id = 0; id < 16; id++) {
    if (!waiting[id] || waiting[id] < expected[id]) continue;
    for (uint32_t i = 0; i < emu_count; i++) {
      Thread *t = &threads[i], *first = &threads[i / WARP * WARP];
      if (t->state != AT_BARRIER || t->barrier != id) continue;
      if (first->state != AT_BARRIER && i % WARP) continue;
      if (first->site != t->site) {
        emu_report(t, t->site, "waits at another barrier than the first thread of its warp, which is at %s",
                   emu_site(first->site));
        return 0;
      }
    }
    for (uint32_t i = 0; i < emu_count; i++)
      if (threads[i].state == AT_BARRIER && threads[i].barrier == id) threads[i].state = READY;
    emu_epoch++;
    released = 1;
  }
  if (!released && ended)
    for (uint32_t id = 0; id < 16; id++)
      if (waiting[id]) {
        Thread *t = threads;
        while (t->state != AT_BARRIER || t->barrier != id) t++;
        emu_report(t, t->site, "and %u more wait at a barrier for %u threads, and %u have ended", waiting[id] - 1,
                   expected[id], ended);
        break;
      }
  return released;
}

/* Let those go on that wait for the threads of the cluster, if all have arrived as often, or ended. */
static int release_clusters(void) {
  int released = 0;
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < emu_blocks * emu_count; i++)
    if (emu_threads[i].state != ENDED && emu_threads[i].arrivals < least) least = emu_threads[i].arrivals;
  for (uint32_t i = 0; i < emu_blocks * emu_count; i++)
    if (emu_threads[i].state == AT_CLUSTER && emu_threads[i].arrivals <= least) {
      emu_threads[i].state = READY;
      released = 1;
    }
  emu_epoch += (uint32_t)released;
  return released;
}

int emu_has_ended(uint32_t rank) {
  for (uint32_t i = 0; i < emu_count; i++)
    if (emu_threads[rank * emu_count + i].state != ENDED) return 0;
  return 1;
}

static void report_deadlock(void) {
  static const char *const names[] = {"ready", "at a barrier", "for lanes of their warp", "at an mbarrier",
                                      "for their cluster", "ended"};
  char text[600];
  size_t n = 0;
  for (uint32_t i = 0; i < emu_blocks * emu_count && n < sizeof text; i++) {
    Thread *t = &emu_threads[i];
    uint32_t alike = 0, seen = 0;
    for (uint32_t k = 0; k < emu_blocks * emu_count; k++)
      if (emu_threads[k].state == t->state && (t->state == ENDED || emu_threads[k].site == t->site)) {
        alike++;
        seen |= k < i;
      }
    if (seen) continue;
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%u %s", n ? "; " : "", alike, names[t->state]);
    if (t->state != ENDED && n < sizeof text) n += (size_t)snprintf(text + n, sizeof text - n, " at %s", emu_site(t->site));
  }
  emu_report(NULL, 0, "deadlock: threads wait for each other: %s", text);
}

/* A thread of a block, at its start. */
static void set_up(Thread *t, uint32_t rank, uint32_t number, uint32_t block_number) {
  t->rank = rank;
  t->number = number;
  t->place = rank * MOST_THREADS + number;
  t->x = number % block[0];
  t->y = number / block[0] % block[1];
  t->z = number / block[0] / block[1];
  t->block_id[0] = block_number % grid[0];
  t->block_id[1] = block_number / grid[0] % grid[1];
  t->block_id[2] = block_number / grid[0] / grid[1];
  t->arrivals = 0;
  t->state = READY;
  prepare(t, run_thread);
}

/* Run the threads of a block until all of them wait for another block, or have ended. True if any of them ran. */
static int run_block(Thread *threads, uint32_t *places) {
  int has_run = 0;
  do {
    arrange(places, emu_count);
    for (uint32_t i = 0; i < emu_count && !emu_failed; i++) {
      Thread *t = &threads[places[i]];
      if (t->state != READY) continue;
      emu_self = t;
      to_thread(t);
      has_run = 1;
    }
  } while (!emu_failed && (release_warps(threads) || (!emu_failed && release_mbarriers(threads)) ||
                           (!emu_failed && release_barriers(threads))));
  return has_run;
}

/* Run the blocks from one on that are a cluster: each as far as it comes, so that they are as far apart as can be. */
static void run_cluster(uint32_t first, uint32_t *places) {
  uint32_t count = emu_blocks * emu_count, block_places[MOST_BLOCKS];
  for (uint32_t i = 0; i < count; i++) set_up(&emu_threads[i], i / emu_count, i % emu_count, first + i / emu_count);
  emu_first_epoch = ++emu_epoch;
  emu_poison_shared();
  emu_forget_copies();
  for (uint32_t ended = 0; ended < emu_blocks && !emu_failed;) {
    int has_run = 0;
    arrange(block_places, emu_blocks);
    for (uint32_t b = 0; b < emu_blocks && !emu_failed; b++)
      has_run |= run_block(emu_threads + block_places[b] * emu_count, places);
    ended = 0;
    for (uint32_t b = 0; b < emu_blocks; b++) ended += (uint32_t)emu_has_ended(b);
    if (!has_run && ended < emu_blocks && !emu_failed && !release_clusters()) report_deadlock();
  }
}

/* Threads for `count` blocks, with their stacks. */
static int make_threads(uint32_t count) {
  static uint32_t room;
  if (count <= room) return 1;
  if (room) munmap(emu_threads[0].stack, (size_t)room * MOST_THREADS * STACK_SIZE);
  free(emu_threads);
  emu_threads = NULL;
  room = 0;
  size_t size = (size_t)count * MOST_THREADS * STACK_SIZE;
  char *stacks = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED) return 0;
  emu_threads = calloc((size_t)count * MOST_THREADS, sizeof *emu_threads);
  if (!emu_threads) return 0;
  for (uint32_t i = 0; i < count * MOST_THREADS; i++) emu_threads[i].stack = stacks + (size_t)i * STACK_SIZE;
  room = count;
  return 1;
}

/* Run a kernel. `sizes` are those of the grid and of a block, x first, and the blocks of a cluster. Returns 0, or 1 with
   a message in `text`. */
int emu_launch(void (*function)(void **), void **values, const uint32_t *sizes, Piece *pieces, uint32_t piece_count,
               int thread_order, uint64_t seed, int races, const char *const *sites, char *text, size_t text_size) {
  kernel = function;
  arguments = values;
  memcpy(grid, sizes, sizeof grid);
  memcpy(block, sizes + 3, sizeof block);
  order = thread_order;
  random_state = seed * 2654435761u + 88172645463325252ull;
  message = text;
  message_size = text_size;
  site_names = sites;
  emu_failed = 0;
  emu_count = block[0] * block[1] * block[2];
  emu_blocks = sizes[6];
  size_t clusters = (size_t)grid[0] * grid[1] * grid[2] / emu_blocks;
  uint32_t *places = malloc(sizeof *places * MOST_PLACES), *cluster_places = malloc(sizeof *places * clusters);
  if (!places || !cluster_places || !make_threads(emu_blocks)) {
    snprintf(text, text_size, "no memory for the threads");
    free(places);
    free(cluster_places);
    return 1;
  }
  emu_set_pieces(pieces, piece_count, races);
  arrange(cluster_places, (uint32_t)clusters);
  for (size_t i = 0; i < clusters && !emu_failed; i++) run_cluster(cluster_places[i] * emu_blocks, places);
  emu_drop_pieces();
  free(places);
  free(cluster_places);
  return emu_failed;
}
