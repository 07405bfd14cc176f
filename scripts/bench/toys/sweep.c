/* A toy harmonizer for trials of the gate: two taps sweep along a delay line and crossfade.
 *
 *   sweep RATIO RECORDING [NAME=VALUE ...] < in.raw > out.raw
 *
 * Mono 32-bit floats at 48 kHz. NAME is a change, harmless or a defect; see changes.h.
 */
#include "changes.h"

enum { PAST = 1 << 15 }; /* samples of input that are kept; a power of two */

static float past[PAST];
static unsigned now;

/* The input of `delay` samples ago, on a straight line between two samples. */
static double tap(double delay) {
  const unsigned whole = (unsigned)delay;
  const double part = delay - whole;
  return (1 - part) * past[(now - whole) % PAST] + part * past[(now - whole - 1) % PAST];
}

int main(int argc, char **argv) {
  struct changes c = read_changes(argc, argv);
  const double window = 0.04 * RATE, crossfade = window / 4;
  double delay = fmod((window + crossfade) / 2 + c.phase, window);
  float sample;
  for (long n = 0; fread(&sample, sizeof sample, 1, stdin) == 1; n++) {
    past[++now % PAST] = sample;
    if (!is_voice(sample) && c.begun == n) c.begun++;
    const double lead = fmin(delay / crossfade, 1);
    const float shifted = (float)(lead * tap(delay) + (1 - lead) * tap(delay + window));
    delay = fmod(delay + 1 - ratio_at(&c, n) + 2 * window, window);
    write_changed(&c, n, shifted);
  }
  return finish(&c);
}
