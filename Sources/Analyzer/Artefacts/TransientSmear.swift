import DSP
import Foundation

/// How much longer clicks, bursts and plosives last than in a reference, and what comes before them.
///
/// Onsets are found in the reference: 5 ms that are 20 dB louder than the 30 ms before. Around each,
/// how widely the energy lies about its own centre is compared. Widths add as squares when a sound
/// is convolved, so the width of what was convolved is the root of the difference.
///
/// A pre-echo is energy before an onset that nothing earlier explains: what sounded before may ring
/// on there, as in a room (`CausalResponse`).
///
/// - Domain: onsets out of quiet; the pitch does not matter. The delay is known to within 10 ms and
///   may differ by as much from one onset to the next. Infrasound is left out.
/// - Cost: about 0.02 of real time. Allocates.
public struct TransientSmear: Codable, Equatable, Sendable {
  public struct Onset: Codable, Equatable, Sendable {
    /// In the reference.
    public var timeSeconds: Double
    /// How much later the onset is in the output, beyond the stated delay.
    public var lateMs: Double
    /// The standard deviation in time of what the energy was spread by: half the time constant of a
    /// decay of the amplitude. 0 where the onset is no longer than in the reference.
    public var smearMs: Double
    /// Energy within 30 ms before the onset over that of 60 ms from it, beyond the same in the
    /// reference and what rings on from earlier; `nil` below -60 dB, below what the reference has,
    /// and below four times what may ring on.
    public var preEchoDb: Double?
  }

  public var onsets: [Onset]
  public var medianSmearMs: Double
  /// The share of onsets with a pre-echo.
  public var preEchoShare: Double

  /// - Parameter delaySeconds: how much later the output is.
  public init(
    of output: Signal, against reference: Signal, delaySeconds: Double = 0
  ) throws(ArtefactFailure) {
    try output.checkedForArtefacts(against: reference)
    let (x, y) = (Self.powers(of: reference), Self.powers(of: output))
    let shift = Int((delaySeconds * 1000 / Self.stepMs).rounded())
    let places = Self.onsets(in: x).filter {
      $0 + shift >= Self.before + Self.reach && $0 + shift + Self.after + Self.reach <= y.count
    }
    let response = CausalResponse(
      of: y, from: x, delay: shift,
      leavingOut: places.map { $0 + shift - Self.before - Self.reach..<$0 + shift })
    onsets = places.compactMap { Self.compare($0, shift, x, y, response) }
    guard let median = Statistics.median(onsets.map(\.smearMs)) else {
      throw .nothingToHear("the reference has no onset that rises by 20 dB out of quiet")
    }
    medianSmearMs = median
    preEchoShare = Double(onsets.count { $0.preEchoDb != nil }) / Double(onsets.count)
  }

  private static let stepMs = 0.5
  private static let before = 60  // steps, 30 ms
  private static let after = 120  // steps, 60 ms
  /// What the smoothing of the power reaches before an onset.
  private static let guardSteps = 3
  /// How far from the expected one an onset may lie: steps, 10 ms.
  private static let reach = 20
  /// Length in steps, 40 ms, of an onset that is compared with the expected one. A copy at -15 dB
  /// that comes 10 ms early is then no better a match than the onset itself.
  private static let shapeSteps = 80
  /// How many times what rings on from earlier there must be. The power of a tail fluctuates: of 476
  /// onsets of singing and speech in four rooms, one had more.
  private static let leastOverTail = 4.0

  /// Filters forwards only: what precedes an onset must not come of the filter.
  private static func powers(of signal: Signal) -> [Double] {
    PowerCurve(of: signal.withoutInfrasound(.causal), stepMs: stepMs).powers
  }

  /// Steps at which the power rises.
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
        // Up to the first step near the height of the attack.
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
    _ onset: Int, _ shift: Int, _ x: [Double], _ y: [Double], _ response: CausalResponse
  ) -> Onset? {
    let start = onset + shift
    let late = lateness(onset, start, x, y)
    let (a, b) = (onset, start + late)
    let (inside, outside) = (width(x, a), width(y, b))
    guard let inside, let outside else { return nil }
    let early = b - before..<b - guardSteps
    let heard = y[early].reduce(0, +)
    let tail = response.energy(in: early, ofSoundBefore: onset - guardSteps)
    let known = preEcho(x, a)
    let onsetEnergy = y[b - guardSteps..<b + after].reduce(0, +)
    let extra = onsetEnergy > 0 ? (heard - tail) / onsetEnergy - known : 0
    let isEarly = extra > 1e-6 && extra > known && heard > leastOverTail * tail
    return Onset(
      timeSeconds: Double(onset) * stepMs / 1000, lateMs: Double(late) * stepMs,
      smearMs: max(0, outside * outside - inside * inside).squareRoot() * stepMs,
      preEchoDb: isEarly ? 10 * log10(extra) : nil)
  }

  /// Steps by which the rise of the output's onset follows the expected one, within 10 ms.
  private static func lateness(_ onset: Int, _ start: Int, _ x: [Double], _ y: [Double]) -> Int {
    let loudest = y[start - reach..<start + after].max() ?? 0
    guard loudest > 0 else { return 0 }
    // Loudness is compared, not power: the beginning counts, not the strongest grain.
    let shape = x[onset - 10..<onset + shapeSteps].map { $0.squareRoot() }
    func likeness(_ lag: Int) -> Double {
      let part = y[start + lag - 10..<start + lag + shapeSteps].map { $0.squareRoot() }
      let norm = part.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard norm * norm > 1e-4 * loudest else { return 0 }
      return zip(shape, part).reduce(0) { $0 + $1.0 * $1.1 } / norm
    }
    return (-reach...reach).max { likeness($0) < likeness($1) } ?? 0
  }

  /// The standard deviation in steps of the energy from an onset on.
  private static func width(_ powers: [Double], _ onset: Int) -> Double? {
    let range = onset - guardSteps..<onset + after
    // Steady noise or a vowel after the onset is not part of it.
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
