import Glibc

enum Clock {
  /// Returns the time of a clock of the system, such as `CLOCK_MONOTONIC`.
  static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
