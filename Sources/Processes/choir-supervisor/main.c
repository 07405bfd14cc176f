// Runs a program, and kills all processes that it started when it ends or when the caller does.
//
//     choir-supervisor FOLDER MEMORY_BYTES FILE_BYTES PROGRAM ARGUMENTS…
//
// MEMORY_BYTES limits the address space, FILE_BYTES each file that is written; 0 is no limit. The
// first of ARGUMENTS is the program's name. Each variable of the program's environment has a '+'
// before its name, so that none of them acts on the supervisor.
//
// Descriptors 0, 1 and 2 are the program's. 3 is the lifeline: when its other end closes, also by
// the death of the caller, the supervisor kills everything. To 4 it writes one `report` at the end.
//
// A program of its own, because Linux counts the memory of the process that executes a program
// into the program's peak: that of this process is small.
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { lifeline = 3, outcome = 4, first_unused = 5 };

/// The end of a program, after all processes that it started have ended. `Supervised` reads it.
typedef struct {
  /// The status from `waitpid`; undefined if `start_error` is set.
  int64_t status;
  /// The `errno` of a failed start; else 0.
  int64_t start_error;
  /// Processor time on all cores, of the program and all processes that it started.
  int64_t cpu_microseconds;
  int64_t peak_kilobytes;
} report;

static volatile sig_atomic_t asked_to_end;

static void note_end(int signal) {
  if (signal != SIGCHLD) asked_to_end = 1;
}

static void close_from(int first) {
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
  for (int descriptor = first; descriptor < 1024; descriptor++) close(descriptor);
}

static void bound(int resource, const char *bytes) {
  unsigned long long count = strtoull(bytes, NULL, 10);
  if (count == 0) return;
  struct rlimit limit = {count, count};
  setrlimit(resource, &limit);
}

/// Executes the program; writes the `errno` of a failure to `failure`.
static void become(char **arguments, char **environment, pid_t supervisor, int failure) {
  setpgid(0, 0);
  // The program must end even if the supervisor is killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(126);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  bound(RLIMIT_AS, arguments[2]);
  bound(RLIMIT_FSIZE, arguments[3]);
  for (char **variable = environment; *variable != NULL; variable++) (*variable)++;
  if (chdir(arguments[1]) == 0) execve(arguments[4], arguments + 5, environment);
  int why = errno;
  while (write(failure, &why, sizeof why) < 0 && errno == EINTR) {}
  _exit(126);
}

/// Kills the children of this process; their orphans become its next children.
static void kill_children(void) {
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
///
/// - program: not waited for yet, so that its number is that of no other process or group.
/// - Returns the program's status.
static int end_all(pid_t program) {
  int status = 0, has_ended = 0;
  for (int turn = 0; turn < 5000; turn++) {
    if (!has_ended) kill(-program, SIGKILL);
    kill_children();
    int found;
    pid_t pid;
    while ((pid = waitpid(-1, &found, WNOHANG)) > 0) {
      if (pid == program) (status = found, has_ended = 1);
    }
    if (pid < 0 && errno == ECHILD) break;
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
  }
  return status;
}

/// Waits until the program has ended or must end; it stays a zombie.
static void await_end(pid_t program, const sigset_t *awaited) {
  while (!asked_to_end) {
    siginfo_t ended = {0};
    int found = waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
    if (found == 0 && ended.si_pid == program) return;
    if (found == 0 && ended.si_pid > 0) {
      waitpid(ended.si_pid, NULL, 0);
      continue;
    }
    // The only event on the lifeline is its end.
    struct pollfd line = {lifeline, POLLIN, 0};
    if (ppoll(&line, 1, NULL, awaited) > 0) return;
  }
}

static int64_t microseconds(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

int main(int count, char **arguments, char **environment) {
  if (count < 6 || fcntl(lifeline, F_GETFD) < 0 || fcntl(outcome, F_GETFD) < 0) {
    static const char text[] =
        "choir-supervisor is a part of choir-eval that runs programs; use choir-eval\n";
    return write(2, text, sizeof text - 1) < 0 ? 64 : 64;
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Only needed descriptors stay open: another program's pipe held here would never end.
  close_from(first_unused);
  fcntl(lifeline, F_SETFD, FD_CLOEXEC);
  fcntl(outcome, F_SETFD, FD_CLOEXEC);

  sigset_t all, awaited;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_end;
  sigaction(SIGCHLD, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigfillset(&awaited);
  sigdelset(&awaited, SIGCHLD);
  sigdelset(&awaited, SIGTERM);

  report end = {0};
  int failure[2];
  pid_t self = getpid(), program = pipe2(failure, O_CLOEXEC) == 0 ? fork() : -1;
  int why = errno;
  if (program == 0) become(arguments, environment, self, failure[1]);
  // The program's pipes end when the last process that holds them ends.
  for (int stream = 0; stream < 3; stream++) close(stream);
  if (program < 0) {
    end.start_error = why;
  } else {
    close(failure[1]);
    await_end(program, &awaited);
    end.status = end_all(program);
    int refusal;
    if (read(failure[0], &refusal, sizeof refusal) == sizeof refusal) end.start_error = refusal;
  }
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  end.cpu_microseconds = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  end.peak_kilobytes = usage.ru_maxrss;
  while (write(outcome, &end, sizeof end) < 0 && errno == EINTR) {}
  return 0;
}
