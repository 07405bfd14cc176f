// A gain with the functions of choir_subject.h.
#include "choir_subject.h"

#include <stdlib.h>
#include <string.h>

void *choir_subject_create(double sample_rate_hz, uint32_t most_frames) {
  (void)most_frames;
  if (sample_rate_hz < 16000) return NULL;
  return calloc(1, sizeof(float));
}

int choir_subject_set(void *subject, const char *name, double value) {
  if (strcmp(name, "gain")) return 1;
  *(float *)subject = (float)value;
  return 0;
}

uint32_t choir_subject_latency(void *subject) {
  (void)subject;
  return 7;
}

void choir_subject_process(void *subject, const float *input, float *output, uint32_t frames) {
  for (uint32_t i = 0; i < frames; i++) output[i] = *(float *)subject * input[i];
}

void choir_subject_destroy(void *subject) { free(subject); }
