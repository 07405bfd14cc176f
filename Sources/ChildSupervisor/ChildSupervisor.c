#define _GNU_SOURCE
#include "ChildSupervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The code below runs between fork and exec in a process with threads: system calls only.

static volatile sig_atomic_t asked_to_end;

static void note_end(int signal) {
  if (signal != SIGCHLD) asked_to_end = 1;
}

static void close_from(int first) {
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
  for (int descriptor = first; descriptor < 1024; descriptor++) close(descriptor);
}

static void default_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void bound(int resource, unsigned long long bytes) {
  if (bytes == 0) return;
  struct rlimit limit = {bytes, bytes};
  setrlimit(resource, &limit);
}

/// Executes the program; writes the `errno` of a failure to `failure`.
static void become(const child_start *start, int failure) {
  pid_t supervisor = getppid();
  setpgid(0, 0);
  // The program must end even if the supervisor is killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(126);
  default_signals();
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  bound(RLIMIT_AS, start->memory_bytes);
  bound(RLIMIT_FSIZE, start->file_bytes);
  if (chdir(start->folder) == 0) {
    execve(start->program, start->arguments, start->environment);
  }
  int why = errno;
  while (write(failure, &why, sizeof why) < 0 && errno == EINTR) {}
  _exit(126);
}

/// Kills the children of this process; their orphans become its next children.
static void kill_children(pid_t program) {
  kill(-program, SIGKILL);
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[4096];
  pid_t number = 0;
  ssize_t count;
  while ((count = read(file, text, sizeof text)) > 0) {
    for (ssize_t i = 0; i < count; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        number = number * 10 + (text[i] - '0');
      } else {
        if (number > 1) kill(number, SIGKILL);
        number = 0;
      }
    }
  }
  close(file);
}

/// Kills until no child is left; gives up after 10 s on processes that wait for a disk.
static void end_all(pid_t program, int *status, int *has_ended) {
  for (int turn = 0; turn < 5000; turn++) {
    kill_children(program);
    int found;
    pid_t pid;
    while ((pid = waitpid(-1, &found, WNOHANG)) > 0) {
      if (pid == program) (*status = found, *has_ended = 1);
    }
    if (pid < 0 && errno == ECHILD) return;
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
  }
}

static long long microseconds(struct timeval time) {
  return (long long)time.tv_sec * 1000000 + time.tv_usec;
}

static void supervise(const child_start *start, int lifeline, int outcome) {
  // Leaves the terminal's process group, as Ctrl-C lets running cells finish.
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  // Only needed descriptors stay open: another program's pipe held here would never end.
  int failure[2];
  int first = fcntl(lifeline, F_DUPFD, 100), second = fcntl(outcome, F_DUPFD, 100);
  int input = fcntl(start->input, F_DUPFD, 100), output = fcntl(start->output, F_DUPFD, 100);
  int errors = fcntl(start->errors, F_DUPFD, 100);
  dup2(input, 0);
  dup2(output, 1);
  dup2(errors, 2);
  dup2(first, 3);
  dup2(second, 4);
  close_from(5);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  fcntl(4, F_SETFD, FD_CLOEXEC);
  if (pipe2(failure, O_CLOEXEC) != 0) _exit(1);

  sigset_t all, awaited;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &awaited);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_end;
  sigaction(SIGCHLD, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigfillset(&awaited);
  sigdelset(&awaited, SIGCHLD);
  sigdelset(&awaited, SIGTERM);

  child_end end;
  memset(&end, 0, sizeof end);
  pid_t program = fork();
  if (program == 0) become(start, failure[1]);
  close(failure[1]);
  // The program's pipes end when the last process that holds them ends.
  close(0);
  close(1);
  close(2);
  if (program < 0) {
    end.start_error = errno;
  } else {
    int has_ended = 0;
    while (!has_ended && !asked_to_end) {
      pid_t pid;
      int status;
      while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == program) (end.status = status, has_ended = 1);
      }
      if (has_ended) break;
      // The only event on the lifeline is its end.
      struct pollfd line = {3, POLLIN, 0};
      if (ppoll(&line, 1, NULL, &awaited) > 0) break;
    }
    if (read(failure[0], &end.start_error, sizeof end.start_error) <= 0) end.start_error = 0;
    end_all(program, &end.status, &has_ended);
  }
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  end.cpu_microseconds = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  end.peak_kilobytes = usage.ru_maxrss;
  while (write(4, &end, sizeof end) < 0 && errno == EINTR) {}
  _exit(0);
}

int child_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

pid_t child_supervise(const child_start *start, int *lifeline, int *outcome) {
  int line[2], end[2];
  if (pipe2(line, O_CLOEXEC) != 0) return -1;
  if (pipe2(end, O_CLOEXEC) != 0) {
    close(line[0]);
    close(line[1]);
    return -1;
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = fork();
  if (pid == 0) supervise(start, line[0], end[1]);
  int why = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(line[0]);
  close(end[1]);
  if (pid < 0) {
    close(line[1]);
    close(end[0]);
    errno = why;
    return -1;
  }
  *lifeline = line[1];
  *outcome = end[0];
  return pid;
}
