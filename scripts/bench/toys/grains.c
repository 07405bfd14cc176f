/* A toy harmonizer for trials of the gate: overlap-add of grains two periods long, which keeps formants.
 *
 *   grains RATIO RECORDING [NAME=VALUE ...] < in.raw > out.raw
 *
 * Mono 32-bit floats at 48 kHz, read to the end before the first is written. Marks are a period apart
 * from `phase` on and lie anywhere in the period, so the phase moves every grain.
 */
#include "changes.h"

enum { HOP = 480, SHORTEST = 40, LONGEST = 800, WINDOW = 1920 };

/* The period around `at` by normalized autocorrelation; 0 without a voice. */
static int period_at(const float *x, long count, long at) {
  static double score[LONGEST + 1];
  double best = 0;
  if (at < 0 || at + WINDOW + LONGEST >= count) return 0;
  const float *a = x + at;
  for (int lag = SHORTEST; lag <= LONGEST; lag++) {
    double product = 0, one = 1e-9, other = 1e-9;
    for (int i = 0; i < WINDOW; i += 2) {
      product += a[i] * a[i + lag];
      one += a[i] * a[i];
      other += a[i + lag] * a[i + lag];
    }
    score[lag] = product / sqrt(one * other);
    if (score[lag] > best) best = score[lag];
  }
  if (best < 0.6) return 0;
  for (int lag = SHORTEST + 1; lag < LONGEST; lag++)
    if (score[lag] > 0.92 * best && score[lag] >= score[lag - 1] && score[lag] >= score[lag + 1]) return lag;
  return 0;
}

int main(int argc, char **argv) {
  struct changes c = read_changes(argc, argv);
  long count = 0, room = 1 << 16;
  float *x = malloc(room * sizeof *x);
  while (fread(x + count, sizeof *x, 1, stdin) == 1)
    if (++count == room) x = realloc(x, (room *= 2) * sizeof *x);
  const long hops = count / HOP + 1;
  int *periods = malloc(hops * sizeof *periods);
  for (long hop = 0; hop < hops; hop++) periods[hop] = period_at(x, count, hop * HOP);
  float *y = calloc(count + 4 * LONGEST, sizeof *y);
  double mark = c.phase;
  for (double to = 0; to < count;) {
    const long hop = (long)(to / HOP);
    const int period = periods[hop] ? periods[hop] : HOP;
    while (mark + period / 2.0 < to) mark += periods[(long)(mark / HOP) < hops ? (long)(mark / HOP) : hops - 1]
                                             ? periods[(long)(mark / HOP)]
                                             : HOP;
    for (int i = -period; i <= period; i++) {
      const double from = mark + i * c.formants;
      const long whole = (long)floor(from), place = (long)to + i;
      if (whole < 0 || whole + 1 >= count || place < 0) continue;
      const double part = from - whole, value = (1 - part) * x[whole] + part * x[whole + 1];
      y[place] += (float)(value * (0.5 + 0.5 * cos(M_PI * i / period)));
    }
    to += periods[hop] ? period / ratio_at(&c, (long)to) : period;
  }
  for (long n = 0; n < count; n++) write_changed(&c, n, y[n]);
  return finish(&c);
}
