/* What a GPU does beside its threads: cp.async, TMA, mbarriers, and products of warp groups.

   A copy is done as late as the program allows, when a thread waits for it; until then its target holds garbage. So
   a missing wait and a target that is still read are found. A product is done at once, and counts as reading its
   operands until it has been waited for. */
#include "emulator.h"

#include <stdlib.h>

/* cp.async: groups of copies by one thread */

typedef struct {
  char *to;
  const char *from;
  uint32_t bytes, given, group; /* `given` bytes are copied, the rest are zeros */
} Copy;

typedef struct {
  Copy *copies;
  uint32_t count, room, group;
} Queue;

static Queue queues[MOST_PLACES];

void emu_cp_async(char *to, const char *from, uint32_t bytes, uint32_t given, uint32_t site) {
  Queue *q = &queues[emu_self->place];
  if (bytes != 4 && bytes != 8 && bytes != 16) emu_fail(site, "copies %u bytes, not 4, 8 or 16", bytes);
  if (given > bytes) given = bytes;
  if (given) emu_check((uintptr_t)from, given, bytes, 0, site, "copies");
  emu_check((uintptr_t)to, bytes, bytes, WRITES, site, "copies to");
  emu_poison(to, bytes);
  if (q->count == q->room) {
    q->room = q->room ? 2 * q->room : 64;
    q->copies = realloc(q->copies, q->room * sizeof *q->copies);
    if (!q->copies) abort();
  }
  q->copies[q->count++] = (Copy){to, from, bytes, given, q->group};
}

void emu_cp_async_commit(void) { queues[emu_self->place].group++; }

/* Wait until at most `left` groups are under way. */
void emu_cp_async_wait(uint32_t left, uint32_t site) {
  Queue *q = &queues[emu_self->place];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < q->count; i++) {
    Copy *c = &q->copies[i];
    if (c->group + left >= q->group) {
      q->copies[kept++] = *c;
      continue;
    }
    emu_check((uintptr_t)c->to, c->bytes, c->bytes, WRITES, site, "copies to");
    memcpy(c->to, c->from, c->given);
    memset(c->to + c->given, 0, c->bytes - c->given);
  }
  q->count = kept;
}

void emu_cp_async_wait_all(uint32_t site) {
  emu_cp_async_commit();
  emu_cp_async_wait(0, site);
}

/* mbarriers: the object in shared memory stands for an entry of this table */

enum { MOST_MBARRIERS = 64 * MOST_BLOCKS, MOST_TILES = 4096 };

typedef struct {
  void *key;
  uint32_t count, pending, phase;
  int64_t bytes;
} Mbarrier;

static Mbarrier mbarriers[MOST_MBARRIERS];

/* What a tensor map holds here, in the 128 bytes of a CUtensorMap. Extents are in elements, innermost first. */
typedef struct {
  char *start;
  uint64_t strides[4]; /* bytes, of the dimensions but the innermost */
  uint32_t extents[5], box[5];
  uint32_t rank, width, swizzle; /* 0, or 1 to 3 for 32, 64, 128 bytes */
  uint32_t rounds;               /* 1 if f32 is rounded to TF32 on the way */
} TensorMap;

_Static_assert(sizeof(TensorMap) <= 128, "as large as a CUtensorMap");

typedef struct {
  char *to;
  const TensorMap *map;
  int32_t at[5];
  Mbarrier *mbarrier;
} Tile;

static Tile tiles[MOST_TILES];
static uint32_t tile_count;

static void forget_products(void);

void emu_forget_copies(void) {
  for (uint32_t i = 0; i < emu_blocks * MOST_THREADS; i++) queues[i].count = queues[i].group = 0;
  memset(mbarriers, 0, sizeof mbarriers);
  forget_products();
  tile_count = 0;
}

static Mbarrier *found(void *key, uint32_t site) {
  for (uint32_t i = 0; i < MOST_MBARRIERS && mbarriers[i].key; i++)
    if (mbarriers[i].key == key) return &mbarriers[i];
  emu_fail(site, "uses an mbarrier that nobody has set up");
}

static void settle(Mbarrier *m) {
  if (m->pending == 0 && m->bytes == 0) {
    m->phase ^= 1;
    m->pending = m->count;
  }
}

void emu_mbarrier_init(void *key, uint32_t count, uint32_t site) {
  emu_check((uintptr_t)key, 8, 8, WRITES, site, "sets up an mbarrier of");
  for (uint32_t i = 0; i < MOST_MBARRIERS; i++)
    if (!mbarriers[i].key || mbarriers[i].key == key) {
      mbarriers[i] = (Mbarrier){key, count, count, 0, 0};
      return;
    }
  emu_fail(site, "sets up more than %d mbarriers", MOST_MBARRIERS);
}

static uint64_t arrived(Mbarrier *m, int64_t bytes, uint32_t site) {
  uint64_t token = m->phase;
  if (m->pending == 0) emu_fail(site, "arrives at an mbarrier where all %u have arrived", m->count);
  m->bytes += bytes;
  m->pending--;
  settle(m);
  return token;
}

/* An mbarrier of any block of the cluster that still runs. */
static Mbarrier *found_in_cluster(void *key, uint32_t site) {
  if (emu_has_ended(rank_of(key))) emu_fail(site, "reaches for block %u of its cluster, which has ended", rank_of(key));
  return found(key, site);
}

uint64_t emu_mbarrier_arrive(void *key, uint32_t site) { return arrived(found_in_cluster(key, site), 0, site); }

uint64_t emu_mbarrier_arrive_expect(void *key, uint32_t bytes, uint32_t site) {
  return arrived(found(key, site), bytes, site);
}

static uintptr_t swizzled(uintptr_t at, uint32_t swizzle) {
  return at ^ (at >> 7 & ((1u << swizzle) - 1)) << 4;
}

/* The address of an element of a tile in memory, NULL if it is outside of the tensor. */
static char *element(const Tile *t, const uint32_t *in_box) {
  char *from = t->map->start;
  for (uint32_t d = 0; d < t->map->rank; d++) {
    int64_t i = (int64_t)t->at[d] + in_box[d];
    if (i < 0 || i >= t->map->extents[d]) return NULL;
    from += (uint64_t)i * (d ? t->map->strides[d - 1] : t->map->width);
  }
  return from;
}

/* Call `action` on every element of a tile: where it goes, and where it comes from. */
static void visit(const Tile *t, void (*action)(const TensorMap *, char *, char *, uint32_t), uint32_t site) {
  const TensorMap *m = t->map;
  uint32_t in_box[5] = {0}, count = 1;
  for (uint32_t d = 0; d < m->rank; d++) count *= m->box[d];
  for (uint32_t n = 0; n < count; n++) {
    action(m, (char *)swizzled((uintptr_t)t->to + (uintptr_t)n * m->width, m->swizzle), element(t, in_box), site);
    for (uint32_t d = 0; d < m->rank && ++in_box[d] == m->box[d]; d++) in_box[d] = 0;
  }
}

static void check_element(const TensorMap *m, char *to, char *from, uint32_t site) {
  emu_check((uintptr_t)to, m->width, m->width, WRITES | IN_CLUSTER, site, "copies a tile to");
  if (from) emu_check((uintptr_t)from, m->width, m->width, 0, site, "copies a tile of");
  emu_poison(to, m->width);
}

uint32_t emu_cvt_tf32(float f);

static void copy_element(const TensorMap *m, char *to, char *from, uint32_t site) {
  (void)site;
  if (!from) {
    memset(to, 0, m->width);
  } else if (m->rounds) {
    float f;
    memcpy(&f, from, 4);
    uint32_t bits = emu_cvt_tf32(f);
    memcpy(to, &bits, 4);
  } else
    memcpy(to, from, m->width);
}

/* Copy a tile to this block's shared memory, or to the same offset in that of each block with a bit in `mask`. */
void emu_tile_load(char *to, const void *map, char *mbarrier, uint32_t mask, uint32_t rank, int32_t x, int32_t y, int32_t z,
                   int32_t v, int32_t w, uint32_t site) {
  const TensorMap *m = map;
  if (m->rank != rank) emu_fail(site, "copies a tile of rank %u by a tensor map of rank %u", rank, m->rank);
  if ((uintptr_t)to % 128) emu_fail(site, "copies a tile to an address that is no multiple of 128");
  if (!mask) mask = 1u << emu_self->rank;
  if (mask >> emu_blocks) emu_fail(site, "copies a tile to blocks %#x of a cluster of %u", mask, emu_blocks);
  for (uint32_t b = 0; b < emu_blocks; b++) {
    if (!(mask >> b & 1)) continue;
    ptrdiff_t off = shared_of(b) - shared_of(emu_self->rank);
    Tile t = {to + off, m, {x, y, z, v, w}, found_in_cluster(mbarrier + off, site)};
    if (tile_count == MOST_TILES) emu_fail(site, "copies more than %d tiles that nobody waits for", MOST_TILES);
    visit(&t, check_element, site);
    tiles[tile_count++] = t;
  }
}

int emu_mbarrier_is_over(void *key, uint32_t parity) {
  Mbarrier *m = found(key, 0);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < tile_count; i++) {
    Tile t = tiles[i];
    if (t.mbarrier != m) {
      tiles[kept++] = t;
      continue;
    }
    visit(&t, copy_element, 0);
    int64_t bytes = t.map->width;
    for (uint32_t d = 0; d < t.map->rank; d++) bytes *= t.map->box[d];
    m->bytes -= bytes;
  }
  if (kept < tile_count) settle(m);
  tile_count = kept;
  return (m->phase & 1) != (parity & 1);
}

/* Wait until the phase of this parity is over. */
void emu_mbarrier_wait(void *key, uint32_t parity, uint32_t site) {
  if ((found(key, site)->phase & 1) != (parity & 1)) {
    emu_epoch++;
    return;
  }
  emu_self->mbarrier = key;
  emu_self->parity = parity;
  emu_wait(AT_MBARRIER, site);
}

/* wgmma: D += A·B of 64 x 8 and 8 x n elements of tf32 in shared memory, by 128 threads */

float emu_tf32(float f);

/* The byte of shared memory of row r, column k of an operand whose rows hold neighbours: PTX ISA, "Matrix descriptor". */
static uint32_t place(uint64_t descriptor, uint32_t row, uint32_t k) {
  uint32_t start = (uint32_t)(descriptor & 0x3FFF) << 4, leading = (uint32_t)(descriptor >> 16 & 0x3FFF) << 4;
  uint32_t stride = (uint32_t)(descriptor >> 32 & 0x3FFF) << 4, layout = (uint32_t)(descriptor >> 62);
  uint32_t swizzle = layout ? 4 - layout : 0, width = 16u << swizzle; /* 1, 2, 3 stand for 128, 64, 32 bytes */
  uint32_t at = start + row / 8 * stride + row % 8 * width;
  at += swizzle ? 4 * k : k / 4 * leading + k % 4 * 4;
  return (uint32_t)swizzled(at, swizzle) % SHARED_SIZE;
}

static float operand(uint64_t descriptor, uint32_t row, uint32_t k) {
  float f;
  memcpy(&f, shared_of(emu_self->rank) + place(descriptor, row, k), 4);
  return emu_tf32(f);
}

/* What a group of products reads: all bytes of shared memory from one address to another. */
typedef struct {
  uintptr_t start, end;
  uint32_t group;
} Reading;

enum { MOST_READINGS = 1024 };

static struct {
  Reading readings[MOST_READINGS];
  uint32_t count;
} products[MOST_PLACES / WARP]; /* of a warp that nobody has waited for */
static uint32_t groups[MOST_PLACES]; /* that a thread has committed */

static void forget_products(void) {
  for (uint32_t w = 0; w < MOST_PLACES / WARP; w++) products[w].count = 0;
  memset(groups, 0, sizeof groups);
}

void emu_check_products(uintptr_t start, uint32_t bytes, uint32_t site, const char *what) {
  uint32_t first = rank_of((void *)start) * MOST_THREADS / WARP;
  for (uint32_t w = first; w < first + (emu_count + WARP - 1) / WARP; w++)
    for (uint32_t i = 0; i < products[w].count; i++)
      if (start < products[w].readings[i].end && products[w].readings[i].start < start + bytes)
        emu_fail(site, "%s %u bytes that a product of warp %u reads, which has not been waited for", what, bytes, w - first);
}

/* Rows of an operand are read: two times 16 bytes each. */
static void read_rows(uint64_t descriptor, uint32_t first, uint32_t count, uint32_t site) {
  Reading r = {UINTPTR_MAX, 0, groups[emu_self->place]};
  for (uint32_t row = first; row < first + count; row++)
    for (uint32_t k = 0; k < 8; k += 4) {
      uintptr_t at = (uintptr_t)shared_of(emu_self->rank) + place(descriptor, row, k);
      emu_check(at, 16, 16, 0, site, "multiplies");
      if (at < r.start) r.start = at;
      if (at + 16 > r.end) r.end = at + 16;
    }
  uint32_t w = emu_self->place / WARP;
  if (products[w].count == MOST_READINGS) emu_fail(site, "begins more than %d products that nobody waits for", MOST_READINGS / 2);
  products[w].readings[products[w].count++] = r;
}

void emu_wgmma_commit(void) { groups[emu_self->place]++; }

/* The warp waits until at most `left` groups are under way. */
void emu_wgmma_wait(uint32_t left, uint32_t site) {
  emu_wait_warp(0xFFFFFFFF, site);
  uint32_t w = emu_self->place / WARP, kept = 0;
  for (uint32_t i = 0; i < products[w].count; i++)
    if (products[w].readings[i].group + left >= groups[emu_self->place]) products[w].readings[kept++] = products[w].readings[i];
  products[w].count = kept;
}

/* The sums are in emu_results, n / 2 of each thread: number 4j + 2h + e is row 16·warp + 8h + lane / 4, column
   8j + 2 (lane % 4) + e. */
void emu_wgmma_tf32(uint64_t a, uint64_t b, uint32_t n, uint32_t adds, int32_t sign_a, int32_t sign_b, uint32_t site) {
  float *d = (float *)emu_results;
  uint32_t warp = emu_self->number / WARP % 4, g = lane() / 4, t = lane() % 4;
  if (emu_self->number / 128 * 128 + 128 > emu_count)
    emu_fail(site, "takes part in a warp group, and the block has %u threads", emu_count);
  if (lane() == 0) { /* one for its warp */
    read_rows(a, 16 * warp, 16, site);
    read_rows(b, 0, n, site);
  }
  double row[2][8]; /* of A, read once for all columns, as a column is for both of them */
  for (uint32_t h = 0; h < 2; h++)
    for (uint32_t k = 0; k < 8; k++) row[h][k] = (double)(sign_a * sign_b) * operand(a, 16 * warp + 8 * h + g, k);
  for (uint32_t i = 0; i < n / 4; i++) {
    uint32_t j = i / 2, e = i % 2;
    double column[8];
    for (uint32_t k = 0; k < 8; k++) column[k] = operand(b, 8 * j + 2 * t + e, k);
    for (uint32_t h = 0; h < 2; h++) {
      float *at = &d[4 * j + 2 * h + e];
      double sum = adds ? *at : 0;
      for (uint32_t k = 0; k < 8; k++) sum += row[h][k] * column[k];
      *at = (float)sum;
    }
  }
}
