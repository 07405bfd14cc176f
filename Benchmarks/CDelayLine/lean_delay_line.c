#include "lean_delay_line.h"

#include <math.h>
#include <string.h>

void lean_delay_line_reset(lean_delay_line *line) { memset(line, 0, sizeof *line); }

void lean_delay_line_process(
    lean_delay_line *line, const float *input, float *output, int count, float semitones,
    float window, float crossfade) {
  const float step = 1 - powf(2, semitones / 12), perFade = 1 / crossfade;
  float delay = line->delay;
  int now = line->now;
  for (int n = 0; n < count; n++) {
    line->past[now] = input[n];
    delay += step;
    if (delay < 0) delay += window;
    if (delay >= window) delay -= window;
    float share = delay * perFade;
    if (share > 1) share = 1;
    const int whole = (int)delay;
    const float part = delay - (float)whole;
    // The window is a whole number of samples, so both taps lie alike between theirs.
    const int near = now - whole, far = near - (int)window;
    const float young = line->past[near & (LEAN_DELAY_LINE_SAMPLES - 1)];
    const float old = line->past[far & (LEAN_DELAY_LINE_SAMPLES - 1)];
    const float beforeYoung = line->past[(near - 1) & (LEAN_DELAY_LINE_SAMPLES - 1)];
    const float beforeOld = line->past[(far - 1) & (LEAN_DELAY_LINE_SAMPLES - 1)];
    const float first = young + part * (beforeYoung - young);
    const float second = old + part * (beforeOld - old);
    output[n] = second + share * (first - second);
    now = (now + 1) & (LEAN_DELAY_LINE_SAMPLES - 1);
  }
  line->delay = delay;
  line->now = now;
}
