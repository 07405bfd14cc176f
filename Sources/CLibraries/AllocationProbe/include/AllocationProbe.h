#ifndef ALLOCATION_PROBE_H
#define ALLOCATION_PROBE_H

/// The counts of a thread between a start and a stop.
typedef struct {
  long allocations;
  long releases;
  /// Calls of pthread mutexes, read-write locks, spin locks and semaphores, and of the kernel's futexes,
  /// such as by a Swift `Mutex` that another thread holds. One that is free is not seen.
  long locks;
  /// Bytes allocated and not yet released; negative if older allocations were released.
  long held_bytes;
  /// The largest value of `held_bytes`.
  long peak_bytes;
} allocation_counts;

/// Starts counting allocations, releases and lock acquisitions of the calling thread.
void allocation_probe_start(void);

/// Stops counting; returns the sum of allocations, releases and lock acquisitions.
long allocation_probe_stop(void);

/// Returns the counts between the calling thread's last start and stop.
allocation_counts allocation_probe_counts(void);

/// Returns the memory that this process has allocated and not freed.
long allocation_probe_heap_bytes(void);

/// Returns 1 if allocations are counted, 0 under sanitizers, where they are not.
int allocation_probe_is_live(void);

#endif
