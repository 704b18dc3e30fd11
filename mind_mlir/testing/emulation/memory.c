/* Memory. Every access must be in one piece that the launch was given, and threads that share a word must wait in
   between. */
#include "emulator.h"

#include <stdlib.h>

static Piece *pieces, *last;
static uint32_t piece_count;
static Shadow shared_shadow[MOST_BLOCKS * SHARED_SIZE / 4];

/* A word of garbage: a NaN in f32, a NaN in f64 if there are two, and an unlikely integer. */
static const uint32_t POISON = 0x7FF8DEAD;

void emu_poison(void *start, size_t bytes) {
  char *at = start;
  for (size_t i = 0; i < bytes; i += 4) memcpy(at + i, &POISON, bytes - i < 4 ? bytes - i : 4);
}

void emu_poison_shared(void) {
  for (uint32_t i = 0; i < piece_count; i++)
    if (pieces[i].is_shared) emu_poison((void *)pieces[i].start, pieces[i].end - pieces[i].start);
}

/* Words that the running thread is about to write, with their contents: several threads may write the same to a word
   without an order, and whether it is the same is seen at the next call. */
static struct {
  uint32_t *at, value, other, site;
} rewritten[64];
static uint32_t rewritten_count;

void emu_set_pieces(Piece *given, uint32_t count, int races) {
  pieces = given;
  piece_count = count;
  rewritten_count = 0;
  last = NULL;
  for (uint32_t i = 0; i < count; i++) {
    Piece *p = &pieces[i];
    p->shadow = NULL;
    if (races && p->is_shared) p->shadow = shared_shadow + (p->start - (uintptr_t)emu_shared) / 4;
    if (races && p->is_writable && !p->is_shared) p->shadow = calloc((p->end - p->start) / 4 + 1, sizeof(Shadow));
  }
}

void emu_drop_pieces(void) {
  for (uint32_t i = 0; i < piece_count; i++)
    if (!pieces[i].is_shared) free(pieces[i].shadow);
  piece_count = 0;
}

static Piece *find(uintptr_t start, uint32_t bytes) {
  for (uint32_t i = 0; i < piece_count; i++)
    if (start >= pieces[i].start && start + bytes <= pieces[i].end) return last = &pieces[i];
  return NULL;
}

static void fail_out_of_bounds(uintptr_t start, uint32_t bytes, uint32_t site, const char *what) {
  uintptr_t least = UINTPTR_MAX;
  Piece *near = NULL;
  for (uint32_t i = 0; i < piece_count; i++) {
    Piece *p = &pieces[i];
    uintptr_t off = start < p->start ? p->start - start : start + bytes - p->end;
    if (off < least) {
      least = off;
      near = p;
    }
  }
  if (!near || least > 1u << 24) emu_fail(site, "%s %u bytes outside of all memory of the launch", what, bytes);
  emu_fail(site, "%s %u bytes out of bounds, %lu bytes %s %s of %lu bytes", what, bytes, (unsigned long)least,
           start < near->start ? "before" : "beyond", near->name, (unsigned long)(near->end - near->start));
}

/* A thread's number in its cluster and its warp's epoch in 32 bits, with what else is known of an access. */
enum { PLACE = MOST_PLACES - 1, NUMBER = MOST_THREADS - 1, IN_ANOTHER_BLOCK = 1 << 13 };
enum { SEVERAL = 1 << 13, SEVERAL_WARPS = 1 << 14, IS_ATOMIC = 1 << 15, EPOCH_SHIFT = 16 };

/* True if an access at an epoch by `who` and one by the thread that runs now have no order. */
static int is_unordered(const Piece *p, uint32_t at, uint32_t who, uint32_t me) {
  if (at == 0) return 0;
  if (at < emu_first_epoch) return !p->is_shared; /* of another block */
  if (at != emu_epoch) return 0;
  if (who & SEVERAL_WARPS) return 1;
  if ((who & PLACE) / WARP != (me & PLACE) / WARP) return 1;
  if (who >> EPOCH_SHIFT != me >> EPOCH_SHIFT) return 0;
  return (who & SEVERAL) || (who & PLACE) != (me & PLACE);
}

/* True if an access was one of another block than the one that runs now. */
static int is_elsewhere(uint32_t at, uint32_t who) {
  return at < emu_first_epoch || (who & PLACE) / MOST_THREADS != emu_self->rank;
}

void emu_settle_writes(void) {
  uint32_t count = rewritten_count;
  rewritten_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (*rewritten[i].at != rewritten[i].value)
      emu_fail(rewritten[i].site, "writes other bits to a word of memory than thread %u of %s, without a barrier in between",
               rewritten[i].other & NUMBER, rewritten[i].other & IN_ANOTHER_BLOCK ? "another block" : "its block");
}

static void note(Piece *p, Shadow *s, uint32_t mode, uint32_t site, const char *what) {
  uint32_t me = emu_self->place | emu_warp_epoch[emu_self->place / WARP] << EPOCH_SHIFT;
  if (mode & ATOMIC) me |= IS_ATOMIC;
  int is_disputed = is_unordered(p, s->written_at, s->writer, me) && !(mode & ATOMIC && s->writer & IS_ATOMIC);
  if (is_disputed && mode == WRITES && rewritten_count < 64) {
    uint32_t *at = (uint32_t *)(p->start + (uintptr_t)(s - p->shadow) * 4);
    uint32_t other = (s->writer & NUMBER) | (is_elsewhere(s->written_at, s->writer) ? IN_ANOTHER_BLOCK : 0);
    rewritten[rewritten_count].at = at;
    rewritten[rewritten_count].value = *at;
    rewritten[rewritten_count].other = other;
    rewritten[rewritten_count++].site = site;
  } else if (is_disputed)
    emu_fail(site, "%s byte %lu of %s, which thread %u of %s block has written, without a barrier in between", what,
             (unsigned long)((s - p->shadow) * 4), p->name, s->writer & NUMBER,
             is_elsewhere(s->written_at, s->writer) ? "another" : "its");
  if (!(mode & WRITES)) {
    uint32_t kept = s->reader;
    if (s->read_at != emu_epoch)
      kept = me;
    else if ((kept & PLACE) / WARP != (me & PLACE) / WARP)
      kept |= SEVERAL_WARPS;
    else if ((kept & PLACE) != (me & PLACE))
      kept = me | (kept & SEVERAL_WARPS) | SEVERAL;
    else
      kept = me | (kept & (SEVERAL | SEVERAL_WARPS));
    if (s->read_at && s->read_at < emu_first_epoch && !p->is_shared) kept |= SEVERAL_WARPS;
    s->reader = kept;
    s->read_at = emu_epoch;
    return;
  }
  if (is_unordered(p, s->read_at, s->reader, me))
    emu_fail(site, "%s byte %lu of %s, which thread %u of %s block has read, without a barrier in between", what,
             (unsigned long)((s - p->shadow) * 4), p->name, s->reader & NUMBER,
             is_elsewhere(s->read_at, s->reader) ? "another" : "its");
  s->writer = me;
  s->written_at = emu_epoch;
}

void emu_check(uintptr_t start, uint32_t bytes, uint32_t alignment, uint32_t mode, uint32_t site, const char *what) {
  if (rewritten_count) emu_settle_writes();
  Piece *p = last && start >= last->start && start + bytes <= last->end ? last : find(start, bytes);
  if (!p) {
    uintptr_t stack = (uintptr_t)emu_self->stack; /* the thread's own */
    if (start >= stack && start + bytes <= stack + STACK_SIZE) return;
    fail_out_of_bounds(start, bytes, site, what);
  }
  if (start & (alignment - 1))
    emu_fail(site, "%s %u bytes at byte %lu of %s, which is no multiple of %u", what, bytes,
             (unsigned long)(start - p->start), p->name, alignment);
  if (mode & WRITES && !p->is_writable) emu_fail(site, "%s %u bytes of %s, which is not to be written", what, bytes, p->name);
  if (p->is_shared && !(mode & IN_CLUSTER) && rank_of((void *)start) != emu_self->rank)
    emu_fail(site, "%s %u bytes of %s of block %u of its cluster, as if it were its own", what, bytes, p->name,
             rank_of((void *)start));
  if (p->is_shared && mode & WRITES) emu_check_products(start, bytes, site, what);
  if (!p->shadow || bytes < 4) return;
  Shadow *s = p->shadow + (start - p->start) / 4;
  for (uint32_t i = 0; i < bytes; i += 4) note(p, s++, mode & (WRITES | ATOMIC), site, what);
}

/* A load, store or atomic: bytes in bits 0-15, alignment in 16-23 as a power of two, mode in 24-31, site in 32-63. */
void emu_access(uintptr_t start, uint64_t about) {
  uint32_t mode = about >> 24 & 255;
  emu_check(start, about & 0xFFFF, 1u << (about >> 16 & 255), mode, (uint32_t)(about >> 32),
            mode & ATOMIC ? "updates" : mode & WRITES ? "writes" : "reads");
}
