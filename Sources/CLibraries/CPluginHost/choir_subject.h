// A processor in C as a subject of choir-eval: build these functions as a shared library, and name it
// in a file of kind `library` (docs/reference/subjects.md). All calls come from one thread.
#ifndef CHOIR_SUBJECT_H
#define CHOIR_SUBJECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a processor of one channel, or returns NULL for a sample rate that it can't have.
///
/// - most_frames: the largest block that it will get.
void *choir_subject_create(double sample_rate_hz, uint32_t most_frames);

/// Processes a block. `input` and `output` don't overlap. Never allocates or locks.
void choir_subject_process(void *subject, const float *input, float *output, uint32_t frames);

/// Frees a processor.
void choir_subject_destroy(void *subject);

/// Sets a value, before the first block or between two; returns 0, or anything else for a name or value
/// that it can't have. Needed if the file has `ports` or `automation`.
int choir_subject_set(void *subject, const char *name, double value);

/// Returns the delay from input to output in samples. Optional: without it, no latency is stated.
uint32_t choir_subject_latency(void *subject);

/// Forgets the past, as if just made and set. Optional: without it, choir-eval makes another one.
void choir_subject_reset(void *subject);

// The types of these functions, for those who load them.
typedef void *(*choir_subject_create_function)(double, uint32_t);
typedef void (*choir_subject_process_function)(void *, const float *, float *, uint32_t);
typedef void (*choir_subject_destroy_function)(void *);
typedef int (*choir_subject_set_function)(void *, const char *, double);
typedef uint32_t (*choir_subject_latency_function)(void *);
typedef void (*choir_subject_reset_function)(void *);

#ifdef __cplusplus
}
#endif

#endif
