import Foundation

/// Processor time of the calling thread, from an arbitrary start. A reading costs 0.5 µs, so time
/// whole runs rather than blocks.
public enum ThreadClock {
  public static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// Elapsed time, the same for all threads, from an arbitrary start.
package enum WallClock {
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  package static func sleep(until due: Double) {
    let left = due - seconds
    guard left > 0 else { return }
    usleep(UInt32(clamping: Int((min(left, 4000) * 1e6).rounded())))
  }
}
