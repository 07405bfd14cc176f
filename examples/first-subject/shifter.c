/* A pitch shifter to try the toolkit on: two taps sweep along a delay line and crossfade.
 *
 * Reads 32-bit floats from standard input, one channel, and writes as many to standard output.
 *
 *   clang -O2 -o shifter shifter.c -lm
 *   shifter RATIO RATE WINDOW_MS < in.raw > out.raw
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
  const double ratio = argc > 1 ? atof(argv[1]) : 0;
  const double rate = argc > 2 ? atof(argv[2]) : 0;
  const double window = (argc > 3 ? atof(argv[3]) : 0) / 1000 * rate; /* samples */
  if (ratio <= 0 || window < 16 || window > PAST / 2) {
    fprintf(stderr, "usage: %s RATIO RATE WINDOW_MS\n", argv[0]);
    return 64;
  }
  const double crossfade = window / 4;
  double delay = (window + crossfade) / 2; /* of the newer tap, in samples: 0 to window */
  float sample;
  while (fread(&sample, sizeof sample, 1, stdin) == 1) {
    past[++now % PAST] = sample;
    const double lead = fmin(delay / crossfade, 1);
    const float shifted = (float)(lead * tap(delay) + (1 - lead) * tap(delay + window));
    delay = fmod(delay + 1 - ratio + window, window);
    if (fwrite(&shifted, sizeof shifted, 1, stdout) != 1) return 1;
  }
  return 0;
}
