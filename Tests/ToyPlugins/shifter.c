// A pitch shifter with the functions of choir_subject.h: two taps that sweep through 20 ms and fade into
// each other. With -DFAULT_IGNORES_AUTOMATION it takes its interval from the first block for good,
// with -DFAULT_GOES_FLAT it sinks by 10 cents an hour, with -DFAULT_GOES_SHARP it rises.
#include "choir_subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 4096, SWEEP = 960 };

typedef struct {
  float line[LENGTH];
  uint32_t place;
  double semitones, phase;
  int has_begun;
  double hours;
} Shifter;

void *choir_subject_create(double sample_rate_hz, uint32_t most_frames) {
  (void)sample_rate_hz;
  (void)most_frames;
  return calloc(1, sizeof(Shifter));
}

int choir_subject_set(void *subject, const char *name, double value) {
  Shifter *shifter = subject;
  if (strcmp(name, "semitones")) return 1;
#ifdef FAULT_IGNORES_AUTOMATION
  if (shifter->has_begun) return 0;
#endif
  shifter->semitones = value;
  return 0;
}

void choir_subject_process(void *subject, const float *input, float *output, uint32_t frames) {
  Shifter *shifter = subject;
  shifter->has_begun = 1;
  double semitones = shifter->semitones;
  shifter->hours += frames / 48000. / 3600;
#ifdef FAULT_GOES_FLAT
  semitones -= 0.1 * shifter->hours;
#elif defined FAULT_GOES_SHARP
  semitones += 0.1 * shifter->hours;
#endif
  double step = (1 - exp2(semitones / 12)) / SWEEP;
  for (uint32_t i = 0; i < frames; i++) {
    shifter->line[++shifter->place % LENGTH] = input[i];
    shifter->phase += step - floor(shifter->phase + step);
    output[i] = 0;
    for (int tap = 0; tap < 2; tap++) {
      double phase = fmod(shifter->phase + 0.5 * tap, 1), delay = phase * SWEEP;
      uint32_t whole = (uint32_t)delay;
      float part = (float)(delay - whole);
      float one = shifter->line[(shifter->place - whole) % LENGTH];
      float other = shifter->line[(shifter->place - whole - 1) % LENGTH];
      float weight = (float)(1 - fabs(2 * phase - 1));
      output[i] += weight * (one + part * (other - one));
    }
  }
}

void choir_subject_destroy(void *subject) { free(subject); }
