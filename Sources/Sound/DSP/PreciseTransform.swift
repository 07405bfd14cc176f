/// The power spectrum of real frames of one length in double precision, over FFTW.
///
/// `FourierTransform` has single precision: its rounding lies 140 dB below the loudest partial, but
/// a correlation weights the faintest band as much as the loudest. Zeros give exact zeros.
///
/// - Allocates: one array per call.
package struct PreciseTransform: ~Copyable {
  private let plan: FourierPlan
  private var time: RealtimeArray<Double>
  private let frequency: RealtimeArray<Complex>

  package init(count: Int) {
    plan = .shared(.preciseForward, count: count)
    time = RealtimeArray(count: count)
    frequency = RealtimeArray(repeating: Complex(), count: count / 2 + 1)
  }

  /// Returns the squared magnitudes of `frame`, padded with zeros, from 0 to half the sample rate.
  package mutating func power(of frame: [Double]) -> [Double] {
    for i in 0..<time.count { time[i] = i < frame.count ? frame[i] : 0 }
    plan.forward(time, frequency)
    return (0..<frequency.count).map { frequency[$0].power }
  }
}
