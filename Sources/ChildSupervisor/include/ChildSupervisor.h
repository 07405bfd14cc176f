#ifndef CHILD_SUPERVISOR_H
#define CHILD_SUPERVISOR_H

#include <sys/types.h>

/// What a program is started with.
typedef struct {
  /// The program's file, then what `argv` begins with; both end with NULL where they are lists.
  const char *program;
  char *const *arguments;
  char *const *environment;
  const char *folder;
  int input, output, errors;
  /// Of address space; 0 is no bound.
  unsigned long long memory_bytes;
  /// Of each file that it writes; 0 is no bound.
  unsigned long long file_bytes;
} child_start;

/// How a program ended, when nothing of what it started runs any more.
typedef struct {
  /// As `waitpid` gives it; meaningless where `start_error` is set.
  int status;
  /// Why it could not be started, an `errno`; else 0.
  int start_error;
  /// On all cores, of the program and of all that it started.
  long long cpu_microseconds;
  long peak_kilobytes;
} child_end;

/// Starts a program under a supervisor, a process that ends when the program does and takes all with it
/// that the program started, in whatever session or process group.
///
/// - lifeline: the supervisor kills everything when this end of a pipe is closed, which happens by
///   itself when this process dies.
/// - outcome: a pipe from which one `child_end` can be read at the end.
///
/// Returns the supervisor's process id, or -1 with `errno`. It has to be waited for.
pid_t child_supervise(const child_start *start, int *lifeline, int *outcome);

/// A pipe that no other program inherits; returns 0, or -1 with `errno`.
int child_pipe(int *ends);

#endif
