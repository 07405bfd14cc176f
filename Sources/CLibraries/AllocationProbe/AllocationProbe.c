// Replaces the C library's allocator, locks and `syscall` in the whole program and counts a thread's
// calls while its probe is started; otherwise a call only checks a flag. glibc only.
#define _GNU_SOURCE
#include "AllocationProbe.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PROBE_IS_OFF 1
#endif
#endif

static __thread int counting;
static __thread allocation_counts counts;

long allocation_probe_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

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
  if (counting && old) {
    counts.releases++;
    counts.held_bytes -= (long)malloc_usable_size(old);
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

// Defines a function that counts as a lock and calls the C library's own.
#define COUNTED_LOCK(name, parameters, arguments)                                   \
  int name parameters {                                                             \
    static int(*next) parameters;                                                   \
    if (!next) next = (int(*) parameters)dlsym(RTLD_NEXT, #name);                    \
    if (counting) counts.locks++;                                                   \
    return next arguments;                                                          \
  }

COUNTED_LOCK(pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
COUNTED_LOCK(pthread_mutex_timedlock, (pthread_mutex_t * lock, const struct timespec *until), (lock, until))
COUNTED_LOCK(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
COUNTED_LOCK(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
COUNTED_LOCK(pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
COUNTED_LOCK(sem_wait, (sem_t * semaphore), (semaphore))
COUNTED_LOCK(sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until))

// Swift's Mutex calls the kernel by `syscall` where another thread holds it; where none does, it is a
// single instruction that nothing can count.
long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  if (counting && number == SYS_futex) counts.locks++;
  va_list list;
  va_start(list, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#endif
