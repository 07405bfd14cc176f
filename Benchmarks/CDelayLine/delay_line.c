#include "delay_line.h"

#include <math.h>
#include <string.h>

void delay_line_reset(delay_line *line) { memset(line, 0, sizeof *line); }

/// The input `delay` samples ago, interpolated linearly.
static float tap(const delay_line *line, float delay) {
  const int whole = (int)delay;
  const float part = delay - (float)whole;
  const int newer = (line->now - whole) & (DELAY_LINE_SAMPLES - 1);
  const int older = (line->now - whole - 1) & (DELAY_LINE_SAMPLES - 1);
  return (1 - part) * line->past[newer] + part * line->past[older];
}

void delay_line_process(
    delay_line *line, const float *input, float *output, int count, float semitones, float window,
    float crossfade) {
  const float ratio = powf(2, semitones / 12);
  for (int n = 0; n < count; n++) {
    line->past[line->now & (DELAY_LINE_SAMPLES - 1)] = input[n];
    line->delay = fmodf(line->delay + window + 1 - ratio, window);
    const float share = fminf(line->delay / crossfade, 1);
    output[n] = share * tap(line, line->delay) + (1 - share) * tap(line, line->delay + window);
    line->now++;
  }
}
