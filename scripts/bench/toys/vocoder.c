/* A toy harmonizer for trials of the gate: a phase vocoder whose bins move with the pitch, formants and all.
 *
 *   vocoder RATIO RECORDING [NAME=VALUE ...] < in.raw > out.raw
 *
 * Mono 32-bit floats at 48 kHz, read to the end before the first is written. `phase` moves the grid of frames.
 */
#include <complex.h>

#include "changes.h"

enum { FRAME = 2048, HOP = 256, BINS = FRAME / 2 + 1 };

static double window_at(int i) { return 0.5 - 0.5 * cos(2 * M_PI * i / FRAME); }

static double complex root[FRAME]; /* the roots of unity */

/* The discrete Fourier transform in place, by halves; `sign` is -1 there and 1 back, without a factor. */
static void transform(double complex *x, int count, int stride, double complex *room, int sign) {
  if (count == 1) return;
  const int half = count / 2;
  transform(x, half, 2 * stride, room, sign);
  transform(x + stride, half, 2 * stride, room, sign);
  for (int k = 0; k < half; k++) {
    const double complex even = x[2 * k * stride];
    const double complex odd = root[sign * k * stride & (FRAME - 1)] * x[(2 * k + 1) * stride];
    room[k] = even + odd;
    room[k + half] = even - odd;
  }
  for (int k = 0; k < count; k++) x[k * stride] = room[k];
}

int main(int argc, char **argv) {
  struct changes c = read_changes(argc, argv);
  long count;
  float *x = read_all(&c, &count);
  float *y = calloc(count, sizeof *y);
  static double complex frame[FRAME], moved[FRAME], room[FRAME];
  static double size[BINS], before[BINS], turned[BINS];
  for (int k = 0; k < FRAME; k++) root[k] = cexp(2 * M_PI * I * k / FRAME);
  const double step = 2 * M_PI * HOP / FRAME;
  for (long start = (long)c.phase % HOP - FRAME; start < count; start += HOP) {
    for (int i = 0; i < FRAME; i++) {
      const long n = start + i;
      frame[i] = n >= 0 && n < count ? window_at(i) * x[n] : 0;
    }
    transform(frame, FRAME, 1, room, -1);
    for (int k = 0; k < BINS; k++) size[k] = cabs(frame[k]);
    memset(moved, 0, sizeof moved);
    const double ratio = ratio_at(&c, start + FRAME / 2);
    /* Each peak moves with the bins up to the least one before the next peak. */
    for (int low = 0, peak = 0, high; low < BINS; low = high) {
      for (peak = low; peak + 1 < BINS && size[peak + 1] >= size[peak]; peak++) {}
      for (high = peak + 1; high < BINS && size[high] <= size[high - 1]; high++) {}
      const double advance = carg(frame[peak]) - before[peak] - peak * step;
      const double frequency = peak * step + advance - 2 * M_PI * round(advance / (2 * M_PI));
      const double turn = turned[peak] + (ratio - 1) * frequency;
      const int bins = (int)floor((ratio - 1) * frequency / step + 0.5);
      for (int k = low; k < high; k++) {
        turned[k] = turn;
        if (k + bins >= 0 && k + bins < BINS) moved[k + bins] += frame[k] * cexp(I * turn);
      }
    }
    for (int k = 0; k < BINS; k++) before[k] = carg(frame[k]);
    transform(moved, FRAME, 1, room, 1);
    for (int i = 0; i < FRAME; i++) {
      const long n = start + i;
      /* Twice the half that is kept, over the sum of the squared windows that overlap. */
      if (n >= 0 && n < count) y[n] += (float)(2 * creal(moved[i]) * window_at(i) / FRAME * HOP / (0.375 * FRAME));
    }
  }
  for (long n = 0; n < count; n++) write_changed(&c, n, y[n]);
  return finish(&c);
}
