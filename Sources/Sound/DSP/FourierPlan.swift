import CFFTW
import Synchronization

/// A plan of FFTW for one kind and length of transform, which lives as long as the program.
///
/// A plan is executed on other memory than it was made with, which must have the same alignment.
/// All of it comes from `malloc`, which aligns to 16 bytes, the most that FFTW needs (`ALGN` in its
/// `kernel/align.c`). `fftwf_malloc` uses `memalign`, whose blocks glibc before 2.38 doesn't reuse:
/// a program that makes many transforms would grow without bound (glibc's bug 14581).
struct FourierPlan: @unchecked Sendable {
  enum Kind {
    case realForward, realInverse, complexForward, complexInverse
    /// Transform of real numbers in double precision.
    case preciseForward
  }

  private struct Key: Hashable {
    let kind: Kind
    let count: Int
  }

  /// All plans. They are made under one lock, because FFTW's planner serves one thread at a time.
  private static let known = Mutex<[Key: FourierPlan]>([:])

  private let plan: OpaquePointer

  /// Returns the plan for a kind and length; makes it the first time.
  static func shared(_ kind: Kind, count: Int) -> FourierPlan {
    known.withLock { known in
      let key = Key(kind: kind, count: count)
      if let plan = known[key] { return plan }
      let plan = FourierPlan(kind, count: count)
      known[key] = plan
      return plan
    }
  }

  /// Makes a plan. `FFTW_ESTIMATE` gives the same plan, and so the same last bits, on every run.
  private init(_ kind: Kind, count: Int) {
    // Room for any kind: as many complex numbers in double precision.
    let input = RealtimeArray<Double>(count: 2 * count + 2)
    let output = RealtimeArray<Double>(count: 2 * count + 2)
    let (from, to) = (UnsafeMutableRawPointer(input.start), UnsafeMutableRawPointer(output.start))
    func numbers(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<fftwf_complex> {
      memory.assumingMemoryBound(to: fftwf_complex.self)
    }
    let (n, flags) = (Int32(count), FFTW_ESTIMATE)
    plan =
      switch kind {
      case .realForward:
        fftwf_plan_dft_r2c_1d(n, from.assumingMemoryBound(to: Float.self), numbers(to), flags)
      case .realInverse:
        fftwf_plan_dft_c2r_1d(n, numbers(from), to.assumingMemoryBound(to: Float.self), flags)
      case .complexForward:
        fftwf_plan_dft_1d(n, numbers(from), numbers(to), FFTW_FORWARD, flags)
      case .complexInverse:
        fftwf_plan_dft_1d(n, numbers(from), numbers(to), FFTW_BACKWARD, flags)
      case .preciseForward:
        fftw_plan_dft_r2c_1d(n, input.start, to.assumingMemoryBound(to: fftw_complex.self), flags)
      }
  }

  func forward(
    _ time: borrowing RealtimeArray<Float>, _ frequency: borrowing RealtimeArray<ComplexFloat>
  ) {
    fftwf_execute_dft_r2c(plan, time.start, frequency.fftw)
  }

  func inverse(
    _ frequency: borrowing RealtimeArray<ComplexFloat>, _ time: borrowing RealtimeArray<Float>
  ) {
    fftwf_execute_dft_c2r(plan, frequency.fftw, time.start)
  }

  func transform(
    _ input: borrowing RealtimeArray<ComplexFloat>,
    _ output: borrowing RealtimeArray<ComplexFloat>
  ) {
    fftwf_execute_dft(plan, input.fftw, output.fftw)
  }

  func forward(
    _ time: borrowing RealtimeArray<Double>, _ frequency: borrowing RealtimeArray<Complex>
  ) {
    fftw_execute_dft_r2c(
      plan, time.start,
      UnsafeMutableRawPointer(frequency.start).assumingMemoryBound(to: fftw_complex.self))
  }
}

extension RealtimeArray<ComplexFloat> {
  fileprivate var fftw: UnsafeMutablePointer<fftwf_complex> {
    UnsafeMutableRawPointer(start).assumingMemoryBound(to: fftwf_complex.self)
  }
}
