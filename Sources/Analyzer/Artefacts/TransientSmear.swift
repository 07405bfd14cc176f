import DSP
import Foundation
import Statistics

/// The smearing of clicks, bursts and plosives relative to a reference, and their pre-echoes.
///
/// Onsets are found in the reference: 5 ms that are 20 dB louder than the 30 ms before. Around
/// each, the spread of the energy about its own centre is compared. Squared widths add under
/// convolution, so the width of the smear is the root of the difference of the squares.
///
/// A pre-echo is energy before an onset that no earlier sound explains. Earlier sound may ring on
/// there, as in a room; `CausalResponse` accounts for it.
///
/// - Domain: onsets out of quiet, of any pitch. The delay must be known within 10 ms and may vary
///   by 10 ms between onsets. Infrasound is removed.
/// - Cost: about 0.02 of real time. Allocates.
public struct TransientSmear: Codable, Equatable, Sendable {
  public struct Onset: Codable, Equatable, Sendable {
    /// Time in the reference.
    public var timeSeconds: Double
    /// Delay of the onset in the output, beyond the stated delay.
    public var lateMs: Double
    /// Standard deviation in time of the smear, which is half the time constant of an exponential
    /// decay of the amplitude. 0 if the onset is no longer than in the reference.
    public var smearMs: Double
    /// Energy in the 30 ms before the onset over that of the 60 ms after it, less the same ratio in
    /// the reference and less the tail of earlier sound. `nil` below -60 dB, below the reference's
    /// ratio, and below four times the tail.
    public var preEchoDb: Double?
  }

  public var onsets: [Onset]
  public var medianSmearMs: Double
  /// Share of onsets with a pre-echo.
  public var preEchoShare: Double

  /// - Parameters:
  ///   - delaySeconds: delay of the output.
  ///   - findsPreEchoes: if `false`, none is looked for, which is faster, and their share is 0.
  public init(
    of output: Signal, against reference: Signal, delaySeconds: Double = 0,
    findsPreEchoes: Bool = true
  ) throws(Unmeasurable) {
    try output.checkedForArtefacts(against: reference)
    let (x, y) = (Self.powers(of: reference), Self.powers(of: output))
    let shift = Int((delaySeconds * 1000 / Self.stepMs).rounded())
    let places = Self.onsets(in: x).filter {
      $0 + shift >= Self.before + Self.reach && $0 + shift + Self.after + Self.reach <= y.count
    }
    guard !places.isEmpty else { throw Self.noOnset }
    let response =
      findsPreEchoes
      ? CausalResponse(
        of: y, from: x, delay: shift,
        leavingOut: places.map { $0 + shift - Self.before - Self.reach..<$0 + shift }) : nil
    onsets = places.compactMap { Self.compare($0, shift, x, y, response) }
    guard let median = Statistics.median(onsets.map(\.smearMs)) else {
      throw Self.noOnset
    }
    medianSmearMs = median
    preEchoShare = Double(onsets.count { $0.preEchoDb != nil }) / Double(onsets.count)
  }

  private static let noOnset = Unmeasurable(
    .noOnset, "the reference has no onset that rises by 20 dB out of quiet")
  private static let stepMs = 0.5
  private static let before = 60  // steps, 30 ms
  private static let after = 120  // steps, 60 ms
  /// Steps before an onset that the smoothing of the power reaches.
  private static let guardSteps = 3
  /// Maximum distance of an onset from its expected place: steps, 10 ms.
  private static let reach = 20
  /// Length of the onset that is matched: steps, 40 ms. A copy at -15 dB that comes 10 ms early
  /// then matches no better than the onset itself.
  private static let shapeSteps = 80
  /// Minimum energy of a pre-echo relative to the tail of earlier sound. A tail's power fluctuates:
  /// of 476 onsets of singing and speech in four rooms, one exceeded this.
  private static let minOverTail = 4.0

  /// Computes the power after a causal filter, which adds nothing before an onset.
  private static func powers(of signal: Signal) -> [Double] {
    PowerCurve(of: signal.withoutInfrasound(.causal), stepMs: stepMs).powers
  }

  /// The steps at which the power rises.
  private static func onsets(in powers: [Double]) -> [Int] {
    guard powers.count > before + after else { return [] }
    let sums = powers.reduce(into: [0.0]) { $0.append($0.last! + $1) }
    func mean(_ from: Int, _ to: Int) -> Double { (sums[to] - sums[from]) / Double(to - from) }
    let loudest = powers.max() ?? 0
    var (found, i): ([Int], Int) = ([], before)
    while i < powers.count - after {
      let level = mean(i, i + 10)
      if level > 1e-4 * loudest, level > 100 * mean(i - before, i),
        powers[i] > 100 * mean(i - before, i) / 4
      {
        // Move to the first step near the height of the attack.
        let top = powers[i..<i + 10].max()!
        found.append((i..<i + 10).first { powers[$0] >= top / 20 }!)
        i += after
      } else {
        i += 1
      }
    }
    return found.filter { $0 >= before && $0 + after <= powers.count }
  }

  private static func compare(
    _ onset: Int, _ shift: Int, _ x: [Double], _ y: [Double], _ response: CausalResponse?
  ) -> Onset? {
    let start = onset + shift
    let late = lateness(onset, start, x, y)
    let (a, b) = (onset, start + late)
    let (inside, outside) = (width(x, a), width(y, b))
    guard let inside, let outside else { return nil }
    return Onset(
      timeSeconds: Double(onset) * stepMs / 1000, lateMs: Double(late) * stepMs,
      smearMs: max(0, outside * outside - inside * inside).squareRoot() * stepMs,
      preEchoDb: response.flatMap { preEchoDb(onset, a, b, x, y, $0) })
  }

  /// - Parameters:
  ///   - onset: expected place of the onset in the reference.
  ///   - a, b: its places in reference and output.
  private static func preEchoDb(
    _ onset: Int, _ a: Int, _ b: Int, _ x: [Double], _ y: [Double], _ response: CausalResponse
  ) -> Double? {
    let early = b - before..<b - guardSteps
    let heard = y[early].reduce(0, +)
    let tail = response.energy(in: early, ofSoundBefore: onset - guardSteps)
    let known = preEcho(x, a)
    let onsetEnergy = y[b - guardSteps..<b + after].reduce(0, +)
    let extra = onsetEnergy > 0 ? (heard - tail) / onsetEnergy - known : 0
    let isEarly = extra > 1e-6 && extra > known && heard > minOverTail * tail
    return isEarly ? 10 * log10(extra) : nil
  }

  /// The delay in steps of the output's onset relative to the expected one, within 10 ms.
  private static func lateness(_ onset: Int, _ start: Int, _ x: [Double], _ y: [Double]) -> Int {
    let loudest = y[start - reach..<start + after].max() ?? 0
    guard loudest > 0 else { return 0 }
    // Amplitudes are compared, not powers, so that the beginning counts and not the strongest
    // grain.
    let shape = x[onset - 10..<onset + shapeSteps].map { $0.squareRoot() }
    let roots = y[start - reach - 10..<start + reach + shapeSteps].map { $0.squareRoot() }
    let similarity = (0...2 * reach).map { late -> Double in
      let part = roots[late..<late + 10 + shapeSteps]
      let norm = part.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard norm * norm > 1e-4 * loudest else { return 0 }
      return zip(shape, part).reduce(0) { $0 + $1.0 * $1.1 } / norm
    }
    let best = similarity.indices.max { similarity[$0] < similarity[$1] }
    return (best ?? reach) - reach
  }

  /// The standard deviation in steps of the energy after an onset.
  private static func width(_ powers: [Double], _ onset: Int) -> Double? {
    let range = onset - guardSteps..<onset + after
    // Steady noise or a vowel after the onset is not part of it, so its floor is subtracted.
    let floor = powers[onset - before..<onset - guardSteps].min() ?? 0
    var (sum, first, second) = (0.0, 0.0, 0.0)
    for i in range {
      let power = max(0, powers[i] - floor)
      let place = Double(i - onset)
      sum += power
      first += power * place
      second += power * place * place
    }
    guard sum > 0 else { return nil }
    return max(0, second / sum - (first / sum) * (first / sum)).squareRoot()
  }

  private static func preEcho(_ powers: [Double], _ onset: Int) -> Double {
    let early = powers[onset - before..<onset - guardSteps].reduce(0, +)
    let late = powers[onset - guardSteps..<onset + after].reduce(0, +)
    return late > 0 ? early / late : 0
  }
}
