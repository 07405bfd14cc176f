#ifndef LEAN_DELAY_LINE_H
#define LEAN_DELAY_LINE_H

/// The same transposer as `delay_line`, optimized: the sweep wraps by a comparison instead of
/// `fmodf`, state stays in registers, and the buffer is as short as possible. It is a reference for
/// the least cost of the method, `delay_line` for that in typical apps.

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
