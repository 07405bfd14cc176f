import CFFTW
import Synchronization

/// The plans of a real transform, one for each direction, which live as long as the program.
///
/// A plan is executed on other memory than it was made with, which must have the same alignment.
/// All of it comes from `malloc`, which aligns to 16 bytes, the most that FFTW needs (`ALGN` in its
/// `kernel/align.c`). `fftwf_malloc` uses `memalign`, whose blocks glibc before 2.38 doesn't reuse:
/// a program that makes many transforms would grow without bound (glibc's bug 14581).
struct RealPlans: @unchecked Sendable {
  private let forwardPlan: fftwf_plan
  private let inversePlan: fftwf_plan

  /// Returns the plans for a length; makes them the first time.
  static func shared(count: Int) -> RealPlans {
    FourierPlans.known.withLock { known in
      if let plans = known.real[count] { return plans }
      let plans = RealPlans(count: count)
      known.real[count] = plans
      return plans
    }
  }

  /// Makes the plans. `FFTW_ESTIMATE` gives the same plan, and so the same last bits, on every run.
  private init(count: Int) {
    let time = RealtimeArray<Float>(count: count)
    let frequency = RealtimeArray(repeating: ComplexFloat(0, 0), count: count / 2 + 1)
    forwardPlan = fftwf_plan_dft_r2c_1d(
      Int32(count), time.start, frequency.fftw, FFTW_ESTIMATE)
    inversePlan = fftwf_plan_dft_c2r_1d(
      Int32(count), frequency.fftw, time.start, FFTW_ESTIMATE)
  }

  func forward(
    _ time: borrowing RealtimeArray<Float>, _ frequency: borrowing RealtimeArray<ComplexFloat>
  ) {
    fftwf_execute_dft_r2c(forwardPlan, time.start, frequency.fftw)
  }

  func inverse(
    _ frequency: borrowing RealtimeArray<ComplexFloat>, _ time: borrowing RealtimeArray<Float>
  ) {
    fftwf_execute_dft_c2r(inversePlan, frequency.fftw, time.start)
  }
}

/// The plan of a complex transform, which lives as long as the program and keeps its input.
struct ComplexPlan: @unchecked Sendable {
  private let plan: fftwf_plan

  /// Returns the plan for a length and a direction; makes it the first time.
  static func shared(count: Int, isInverse: Bool) -> ComplexPlan {
    // One dictionary serves both: a negative length stands for the inverse.
    let key = isInverse ? -count : count
    return FourierPlans.known.withLock { known in
      if let plan = known.complex[key] { return plan }
      let plan = ComplexPlan(count: count, isInverse: isInverse)
      known.complex[key] = plan
      return plan
    }
  }

  private init(count: Int, isInverse: Bool) {
    let input = RealtimeArray(repeating: ComplexFloat(0, 0), count: count)
    let output = RealtimeArray(repeating: ComplexFloat(0, 0), count: count)
    let sign: Int32 = isInverse ? 1 : -1  // FFTW_BACKWARD, FFTW_FORWARD
    plan = fftwf_plan_dft_1d(Int32(count), input.fftw, output.fftw, sign, FFTW_ESTIMATE)
  }

  func execute(
    _ input: borrowing RealtimeArray<ComplexFloat>,
    _ output: borrowing RealtimeArray<ComplexFloat>
  ) {
    fftwf_execute_dft(plan, input.fftw, output.fftw)
  }
}

/// All plans. They are made under one lock, because FFTW's planner serves one thread at a time.
private enum FourierPlans {
  struct Known: Sendable {
    var real: [Int: RealPlans] = [:]
    var complex: [Int: ComplexPlan] = [:]
  }

  static let known = Mutex(Known())
}

extension RealtimeArray<ComplexFloat> {
  fileprivate var fftw: UnsafeMutablePointer<fftwf_complex> {
    UnsafeMutableRawPointer(start).assumingMemoryBound(to: fftwf_complex.self)
  }
}
