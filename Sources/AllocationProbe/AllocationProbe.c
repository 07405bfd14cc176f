// Replaces the C library's allocator and mutex functions in the whole program and counts a thread's
// calls while its probe is started; otherwise a call only checks a flag. glibc only.
#define _GNU_SOURCE
#include "AllocationProbe.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PROBE_IS_OFF 1
#endif
#endif

static __thread int counting;
static __thread allocation_counts counts;

void allocation_probe_start(void) {
  counts = (allocation_counts){0};
  counting = 1;
}

long allocation_probe_stop(void) {
  counting = 0;
  return counts.allocations + counts.releases + counts.locks;
}

allocation_counts allocation_probe_counts(void) { return counts; }

#ifdef PROBE_IS_OFF

int allocation_probe_is_live(void) { return 0; }

#else

int allocation_probe_is_live(void) { return 1; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *allocated(void *made) {
  if (counting && made) {
    counts.allocations++;
    counts.held_bytes += (long)malloc_usable_size(made);
    if (counts.held_bytes > counts.peak_bytes) counts.peak_bytes = counts.held_bytes;
  }
  return made;
}

static void releases(void *old) {
  if (counting) {
    counts.releases++;
    if (old) counts.held_bytes -= (long)malloc_usable_size(old);
  }
}

void *malloc(size_t size) { return allocated(__libc_malloc(size)); }

void *calloc(size_t items, size_t size) { return allocated(__libc_calloc(items, size)); }

void *realloc(void *old, size_t size) {
  long before = counting && old ? (long)malloc_usable_size(old) : 0;
  void *made = __libc_realloc(old, size);
  if (counting && (made || size == 0)) counts.held_bytes -= before;
  return allocated(made);
}

void *memalign(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *out = made;
  return 0;
}

void free(void *old) {
  releases(old);
  __libc_free(old);
}

typedef int lock_function(pthread_mutex_t *);

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static lock_function *next;
  if (!next) next = (lock_function *)dlsym(RTLD_NEXT, "pthread_mutex_lock");
  if (counting) counts.locks++;
  return next(mutex);
}

#endif
