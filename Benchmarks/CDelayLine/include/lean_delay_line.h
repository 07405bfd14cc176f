#ifndef LEAN_DELAY_LINE_H
#define LEAN_DELAY_LINE_H

/// The same transposer as `delay_line`, written to be cheap: the sweep wraps by a comparison instead of
/// `fmodf`, state stays in registers, the past is no longer than it has to be. The yardstick of what the
/// method must cost, where `delay_line` is what apps usually pay.

enum { LEAN_DELAY_LINE_SAMPLES = 4096 };

typedef struct {
  float past[LEAN_DELAY_LINE_SAMPLES];
  int now;
  float delay;
} lean_delay_line;

/// Forgets all sound.
void lean_delay_line_reset(lean_delay_line *line);

/// Transposes `count` samples; window, a whole number below 2047, and crossfade are in samples.
void lean_delay_line_process(
    lean_delay_line *line, const float *input, float *output, int count, float semitones,
    float window, float crossfade);

#endif
