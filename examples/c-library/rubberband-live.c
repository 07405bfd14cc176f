/* A library in C as a subject: what an audio callback would do, on a pipe.
 *
 * Floats come on standard input and leave on standard output, as many, block by block, one channel.
 * What the library holds back is silence first, as in a callback: the delay is heard, and measured.
 * Replace what stands between the two rules by calls of your own library.
 *
 *   cc -O2 -o rubberband-live rubberband-live.c -lrubberband     (Debian: librubberband-dev)
 *   rubberband-live RATIO RATE BLOCK [short] < in.raw > out.raw
 */
#include <rubberband/rubberband-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_BLOCK = 65536 };

/* ------------------------------------------------------------------------------------------------ */

static RubberBandState shifter;

/* Rubber Band's newer engine in real time, formants kept. */
static void begin(double ratio, unsigned rate, int block, int short_window) {
  const RubberBandOptions options =
      RubberBandOptionProcessRealTime | RubberBandOptionEngineFiner |
      RubberBandOptionFormantPreserved | RubberBandOptionPitchHighConsistency |
      (short_window ? RubberBandOptionWindowShort : RubberBandOptionWindowStandard);
  shifter = rubberband_new(rate, 1, options, 1.0, ratio);
  rubberband_set_max_process_size(shifter, (unsigned)block);
}

/* Takes `count` samples and gives as many. It has fewer ready while it fills up; what is missing is
 * silence in front, so that nothing is ever missing later. */
static void process(const float *in, float *out, int count) {
  rubberband_process(shifter, &in, (unsigned)count, 0);
  const int ready = rubberband_available(shifter);
  const int given = ready < count ? ready : count;
  float *end = out + (count - given);
  memset(out, 0, sizeof *out * (size_t)(count - given));
  rubberband_retrieve(shifter, &end, (unsigned)given);
}

static void finish(void) { rubberband_delete(shifter); }

/* ------------------------------------------------------------------------------------------------ */

int main(int argc, char **argv) {
  const double ratio = argc > 1 ? atof(argv[1]) : 0;
  const int rate = argc > 2 ? atoi(argv[2]) : 0;
  const int block = argc > 3 ? atoi(argv[3]) : 0;
  const int short_window = argc > 4 && strcmp(argv[4], "short") == 0;
  if (ratio <= 0 || rate <= 0 || block <= 0 || block > LARGEST_BLOCK) {
    fprintf(stderr, "usage: %s RATIO RATE BLOCK [short], blocks of 1 to %d\n", argv[0], LARGEST_BLOCK);
    return 64;
  }
  static float in[LARGEST_BLOCK], out[LARGEST_BLOCK];
  begin(ratio, (unsigned)rate, block, short_window);
  size_t count;
  while ((count = fread(in, sizeof *in, (size_t)block, stdin)) > 0) {
    process(in, out, (int)count);
    if (fwrite(out, sizeof *out, count, stdout) != count) {
      perror("standard output");
      return 1;
    }
  }
  finish();
  return 0;
}
