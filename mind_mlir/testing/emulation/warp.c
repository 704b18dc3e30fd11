/* Instructions that the lanes of a warp run together: shuffles, votes, and products of small matrices.

   Lanes show each other their operands, wait, read, and wait again before any of them shows something else. PTX ISA,
   "Warp Level Matrix Multiply-Accumulate Instructions", has the layout of elements in fragments. */
#include "emulator.h"

#include <math.h>

static uint32_t shown[MOST_PLACES / WARP][WARP][16]; /* words */

enum { ALL = 0xFFFFFFFF };

static void show(const void *data, size_t bytes, uint32_t mask, uint32_t site) {
  memcpy(shown[emu_self->place / WARP][lane()], data, bytes);
  emu_wait_warp(mask, site);
}

static const void *peer(uint32_t number, uint32_t word) { return &shown[emu_self->place / WARP][number][word]; }

static float float_of(uint32_t number, uint32_t word) {
  float f;
  memcpy(&f, peer(number, word), 4);
  return f;
}

static double double_of(uint32_t number, uint32_t index) {
  double d;
  memcpy(&d, peer(number, 2 * index), 8);
  return d;
}

enum { UP, DOWN, BFLY, IDX };

uint32_t emu_shfl(uint32_t mode, uint32_t mask, uint32_t value, uint32_t operand, uint32_t clamp, uint32_t site) {
  int32_t me = (int32_t)lane(), by = (int32_t)operand & 31, limit = (int32_t)clamp & 31;
  int32_t segment = (int32_t)(clamp >> 8) & 31, least = me & segment, most = least | (limit & ~segment);
  int32_t from = mode == UP ? me - by : mode == DOWN ? me + by : mode == BFLY ? me ^ by : least | (by & ~segment);
  int valid = mode == UP ? from >= most : from <= most;
  show(&value, 4, mask, site);
  if (!valid)
    from = me;
  else if (!(mask >> from & 1))
    emu_fail(site, "takes a value from lane %d, which is not among the lanes %#x that take part", from, mask);
  uint32_t found;
  memcpy(&found, peer((uint32_t)from, 0), 4);
  emu_wait_warp(mask, site);
  memcpy(emu_results, &found, 4);
  emu_results[4] = (char)valid;
  return found;
}

enum { VOTE_ALL, VOTE_ANY, VOTE_BALLOT, VOTE_UNI };

uint32_t emu_vote(uint32_t kind, uint32_t mask, uint32_t predicate, uint32_t site) {
  show(&predicate, 4, mask, site);
  uint32_t bits = 0;
  for (uint32_t k = 0; k < WARP; k++)
    if (mask >> k & 1) bits |= (*(const uint32_t *)peer(k, 0) & 1) << k;
  emu_wait_warp(mask, site);
  switch (kind) {
    case VOTE_ALL: return bits == mask;
    case VOTE_ANY: return bits != 0;
    case VOTE_UNI: return bits == mask || bits == 0;
  }
  return bits;
}

/* True for one lane of the mask. */
uint32_t emu_elect(uint32_t mask, uint32_t site) {
  emu_wait_warp(mask, site);
  return lane() == (uint32_t)__builtin_ctz(mask);
}

/* What the tensor cores read of an f32: the low 13 bits do not count. */
float emu_tf32(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  bits &= 0xFFFFE000u;
  memcpy(&f, &bits, 4);
  return f;
}

/* The nearest of those, ties away from zero: cvt.rna.tf32.f32. */
uint32_t emu_cvt_tf32(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return f - f == 0 ? (bits + 0x1000u) & 0xFFFFE000u : bits; /* infinities and NaNs stay */
}

/* D = A·B + C. Words of a lane with g = lane / 4 and t = lane % 4: A (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4);
   B (t, g), (t + 4, g); C (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1). */
void emu_mma_m16n8k8_tf32(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1, float c0,
                          float c1, float c2, float c3, uint32_t site) {
  uint32_t words[6] = {a0, a1, a2, a3, b0, b1}, g = lane() / 4, t = lane() % 4;
  float c[4] = {c0, c1, c2, c3};
  show(words, sizeof words, ALL, site);
  for (uint32_t e = 0; e < 4; e++) {
    uint32_t row = g + (e >= 2 ? 8 : 0), column = 2 * t + (e & 1);
    double sum = c[e];
    for (uint32_t k = 0; k < 8; k++) {
      float a = float_of((row & 7) * 4 + (k & 3), (row >= 8) + (k >= 4 ? 2 : 0));
      float b = float_of(column * 4 + (k & 3), 4 + (k >= 4));
      sum += (double)emu_tf32(a) * emu_tf32(b);
    }
    c[e] = (float)sum;
  }
  emu_wait_warp(ALL, site);
  memcpy(emu_results, c, sizeof c);
}

/* Words of a lane: A (g, t), B (t, g), C (g, 2t), (g, 2t + 1). */
void emu_mma_m8n8k4_f64(double a, double b, double c0, double c1, uint32_t site) {
  double values[2] = {a, b}, c[2] = {c0, c1};
  uint32_t g = lane() / 4, t = lane() % 4;
  show(values, sizeof values, ALL, site);
  for (uint32_t e = 0; e < 2; e++)
    for (uint32_t k = 0; k < 4; k++) c[e] = fma(double_of(g * 4 + k, 0), double_of((2 * t + e) * 4 + k, 1), c[e]);
  emu_wait_warp(ALL, site);
  memcpy(emu_results, c, sizeof c);
}

/* `count` matrices of 8 rows of 16 bytes: lane 8i + r says where row r of matrix i is, and gets word lane % 4 of row
   lane / 4 of each; if transposed, the halves of words (2 (lane % 4), lane / 4) and the one below. */
void emu_ldmatrix(void *row, uint32_t count, uint32_t transposed, uint32_t site) {
  if (lane() < 8 * count) emu_check((uintptr_t)row, 16, 16, 0, site, "loads a row of a matrix of");
  show(&row, sizeof row, ALL, site);
  uint32_t words[4] = {0}, g = lane() / 4, t = lane() % 4;
  for (uint32_t i = 0; i < count; i++) {
    const char *start;
    if (!transposed) {
      memcpy(&start, peer(8 * i + g, 0), sizeof start);
      memcpy(&words[i], start + 4 * t, 4);
      continue;
    }
    for (uint32_t h = 0; h < 2; h++) {
      memcpy(&start, peer(8 * i + 2 * t + h, 0), sizeof start);
      memcpy((char *)&words[i] + 2 * h, start + 2 * g, 2);
    }
  }
  emu_wait_warp(ALL, site);
  memcpy(emu_results, words, sizeof words);
}

/* Approximations are off by as much as PTX allows, up or down as the argument's last bit says. */
static float off_by(double exact, double error, float argument) {
  uint32_t bits;
  memcpy(&bits, &argument, sizeof bits);
  return (float)(exact + (bits & 1 ? error : -error));
}

#define APPROXIMATE (0x1p-22 - 0x1p-24) /* what follows is rounded to f32 */

float emu_ex2_approx(float x) {
  double exact = exp2(x);
  if (x == 0 || !isfinite(exact)) return (float)exact;
  return off_by(exact, exact * APPROXIMATE, x);
}

float emu_lg2_approx(float x) {
  double exact = log2(x);
  if (!isfinite(exact)) return (float)exact;
  return off_by(exact, x > 0.5f && x < 2 ? APPROXIMATE : exact * APPROXIMATE, x);
}

/* Functions of libdevice come from the C library. */
#define FORWARD1(name)                                    \
  float __nv_##name##f(float x) { return name##f(x); }    \
  double __nv_##name(double x) { return name(x); }
FORWARD1(exp)
FORWARD1(log)
FORWARD1(sqrt)
FORWARD1(tanh)
FORWARD1(sin)
FORWARD1(cos)
FORWARD1(erf)
FORWARD1(fabs)
FORWARD1(floor)
FORWARD1(ceil)
float __nv_fmaf(float x, float y, float z) { return fmaf(x, y, z); }
double __nv_fma(double x, double y, double z) { return fma(x, y, z); }
float __nv_powf(float x, float y) { return powf(x, y); }
double __nv_pow(double x, double y) { return pow(x, y); }
