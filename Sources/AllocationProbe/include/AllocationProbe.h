#ifndef ALLOCATION_PROBE_H
#define ALLOCATION_PROBE_H

/// What a thread did between a start and a stop.
typedef struct {
  long allocations;
  long releases;
  long locks;
  /// Allocated and not yet released again; below zero where what was older went.
  long held_bytes;
  /// The most that was held at once.
  long peak_bytes;
} allocation_counts;

/// Starts counting what the calling thread allocates, frees and locks.
void allocation_probe_start(void);

/// Stops counting; returns how many allocations, releases and lock acquisitions there were.
long allocation_probe_stop(void);

/// What was counted by the last start and stop of the calling thread.
allocation_counts allocation_probe_counts(void);

/// Whether the counters see this program's allocations (they are left out under sanitizers).
int allocation_probe_is_live(void);

#endif
