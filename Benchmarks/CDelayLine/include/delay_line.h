#ifndef DELAY_LINE_H
#define DELAY_LINE_H

#include "lean_delay_line.h"

/// The plain two-tap transposer of many apps, in C: AudioKit's and Soundpipe's `pshift`, which is
/// Faust's `ef.transpose`. A reference for cost, and no part of the toolkit.
///
/// - Source: Faust libraries, `misceffects.lib`, `transpose(w, x, s, sig)`.

enum { DELAY_LINE_SAMPLES = 65536 };

typedef struct {
  float past[DELAY_LINE_SAMPLES];
  int now;
  float delay;
} delay_line;

/// Clears the past sound.
void delay_line_reset(delay_line *line);

/// Transposes `count` samples; window and crossfade are in samples.
void delay_line_process(
    delay_line *line, const float *input, float *output, int count, float semitones, float window,
    float crossfade);

#endif
