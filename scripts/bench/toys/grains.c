/* A toy harmonizer for trials of the gate: overlap-add of grains two periods long, which keeps formants.
 *
 *   grains RATIO RECORDING [NAME=VALUE ...] < in.raw > out.raw
 *
 * Mono 32-bit floats at 48 kHz, read to the end before the first is written. Where a voice begins, the first mark
 * lies up to half a period later, by `phase`, and the others a period apart, so the phase moves every grain. What has no
 * pitch passes as it is.
 */
#include "changes.h"

enum { HOP = 480, SHORTEST = 40, LONGEST = 800, WINDOW = 1920 };

/* The period around `at` by normalized autocorrelation; 0 without a voice. */
static int period_at(const float *x, long count, long at) {
  static double score[LONGEST + 1];
  double best = 0;
  if (at < 0 || at + WINDOW + LONGEST >= count) return 0;
  const float *a = x + at;
  double power = 0;
  for (int i = 0; i < WINDOW; i += 4) power += a[i] * a[i];
  if (power < 1e-6) return 0;
  for (int lag = SHORTEST; lag <= LONGEST; lag++) {
    double product = 0, other = 1e-9;
    for (int i = 0; i < WINDOW; i += 4) {
      product += a[i] * a[i + lag];
      other += a[i + lag] * a[i + lag];
    }
    score[lag] = product / sqrt(power * other);
    if (score[lag] > best) best = score[lag];
  }
  if (best < 0.6) return 0;
  for (int lag = SHORTEST + 1; lag < LONGEST; lag++)
    if (score[lag] > 0.92 * best && score[lag] >= score[lag - 1] && score[lag] >= score[lag + 1]) return lag;
  return 0;
}

int main(int argc, char **argv) {
  struct changes c = read_changes(argc, argv);
  long count;
  float *x = read_all(&c, &count);
  const long hops = count / HOP + 1;
  int *periods = malloc(hops * sizeof *periods);
  for (long hop = 0; hop < hops; hop++) periods[hop] = period_at(x, count, hop * HOP);
  float *y = calloc(count + 4 * LONGEST, sizeof *y);
  double mark = 0;
  int was_voiced = 0;
  for (double to = 0; to < count;) {
    const int voiced = periods[(long)(to / HOP)], period = voiced ? voiced : HOP;
    if (!voiced) mark = to;
    if (voiced && !was_voiced) mark = to + fmod(c.phase, period / 2.0);
    while (mark + period / 2.0 < to) mark += period;
    was_voiced = voiced != 0;
    for (int i = -period; i <= period; i++) {
      const double from = mark + i * (voiced ? c.formants : 1);
      const long whole = (long)floor(from), place = (long)to + i;
      if (whole < 0 || whole + 1 >= count || place < 0) continue;
      const double part = from - whole, value = (1 - part) * x[whole] + part * x[whole + 1];
      y[place] += (float)(value * (0.5 + 0.5 * cos(M_PI * i / period)));
    }
    to += voiced ? period / ratio_at(&c, (long)to) : period;
  }
  for (long n = 0; n < count; n++) write_changed(&c, n, y[n]);
  return finish(&c);
}
