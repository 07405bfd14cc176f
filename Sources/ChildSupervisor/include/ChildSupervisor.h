#ifndef CHILD_SUPERVISOR_H
#define CHILD_SUPERVISOR_H

#include <sys/types.h>

/// A program to start, with its arguments, environment, streams and limits.
typedef struct {
  /// The path of the executable; `arguments` (with `argv[0]`) and `environment` end with NULL.
  const char *program;
  char *const *arguments;
  char *const *environment;
  const char *folder;
  int input, output, errors;
  /// The limit of address space; 0 is none.
  unsigned long long memory_bytes;
  /// The limit of the size of each file written; 0 is none.
  unsigned long long file_bytes;
} child_start;

/// The end of a program, after all processes that it started have ended.
typedef struct {
  /// The status from `waitpid`; undefined if `start_error` is set.
  int status;
  /// The `errno` of a failed start; else 0.
  int start_error;
  /// Processor time on all cores, of the program and all processes that it started.
  long long cpu_microseconds;
  long peak_kilobytes;
} child_end;

/// Starts a program under a supervisor, a process that ends with the program and kills all
/// processes that the program started, in any session or process group.
///
/// - lifeline: the end of a pipe; when it is closed, also by the death of this process, the
///   supervisor kills everything.
/// - outcome: a pipe from which one `child_end` is read at the end.
///
/// Returns the supervisor's process id, which the caller must wait for, or -1 with `errno`.
pid_t child_supervise(const child_start *start, int *lifeline, int *outcome);

/// Makes a pipe that child processes don't inherit; returns 0, or -1 with `errno`.
int child_pipe(int *ends);

#endif
