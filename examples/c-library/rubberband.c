// Rubber Band's library as a subject of kind `library`, with options that its program hides.
//
//   cc -O2 -shared -fPIC -I../../Sources/CLibraries/CPluginHost -o librubberband-subject.so rubberband.c -lrubberband
//
// What the library holds back is silence first, as in an audio callback: its delay is heard, and measured.
#include "choir_subject.h"

#include <math.h>
#include <rubberband/rubberband-c.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  RubberBandState shifter;
  RubberBandOptions options;
  double rate, ratio;
  uint32_t most_frames;
} Subject;

static void begin(Subject *subject) {
  if (subject->shifter) rubberband_delete(subject->shifter);
  subject->shifter = rubberband_new((unsigned)subject->rate, 1, subject->options, 1, subject->ratio);
  rubberband_set_max_process_size(subject->shifter, subject->most_frames);
}

void *choir_subject_create(double sample_rate_hz, uint32_t most_frames) {
  Subject *subject = calloc(1, sizeof *subject);
  *subject = (Subject){.rate = sample_rate_hz, .ratio = 1, .most_frames = most_frames};
  subject->options = RubberBandOptionProcessRealTime | RubberBandOptionPitchHighConsistency;
  begin(subject);
  return subject;
}

int choir_subject_set(void *handle, const char *name, double value) {
  Subject *subject = handle;
  RubberBandOptions option;
  if (!strcmp(name, "semitones")) {
    subject->ratio = exp2(value / 12);
    rubberband_set_pitch_scale(subject->shifter, subject->ratio);
    return 0;
  }
  if (!strcmp(name, "r3")) option = RubberBandOptionEngineFiner;
  else if (!strcmp(name, "shortWindow")) option = RubberBandOptionWindowShort;
  else if (!strcmp(name, "formants")) option = RubberBandOptionFormantPreserved;
  else return 1;
  subject->options = value ? subject->options | option : subject->options & ~option;
  begin(subject);
  return 0;
}

void choir_subject_process(void *handle, const float *input, float *output, uint32_t frames) {
  Subject *subject = handle;
  rubberband_process(subject->shifter, &input, frames, 0);
  int ready = rubberband_available(subject->shifter);
  uint32_t count = ready < 0 ? 0 : (uint32_t)ready < frames ? (uint32_t)ready : frames;
  memset(output, 0, sizeof *output * (frames - count));
  output += frames - count;
  rubberband_retrieve(subject->shifter, &output, count);
}

uint32_t choir_subject_latency(void *handle) {
  return rubberband_get_latency(((Subject *)handle)->shifter);
}

void choir_subject_destroy(void *handle) {
  rubberband_delete(((Subject *)handle)->shifter);
  free(handle);
}
