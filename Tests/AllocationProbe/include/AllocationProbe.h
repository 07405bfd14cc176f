#ifndef ALLOCATION_PROBE_H
#define ALLOCATION_PROBE_H

/// Starts counting what the calling thread allocates, frees and locks.
void allocation_probe_start(void);

/// Stops counting; returns how many allocations, releases and lock acquisitions there were.
long allocation_probe_stop(void);

/// Whether the counters see this program's allocations (they are left out under sanitizers).
int allocation_probe_is_live(void);

#endif
