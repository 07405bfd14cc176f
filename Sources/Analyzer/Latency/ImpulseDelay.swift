import DSP
import Statistics

/// The delay of isolated impulses, for a system whose delay may sweep.
///
/// Each impulse's delay is the amplitude-weighted centre of what comes around the delay of all of them,
/// so a doubled impulse counts as one between its copies. A program that reads whole files may answer
/// before the impulse, and a slow one after the next; uneven gaps between the impulses tell which
/// answer belongs to which. For a two-tap delay line the mean over many impulses is the
/// mean of its delay over a sweep. Only what stands out of the noise between impulses counts: 208 ms
/// of dither at -96 dBFS weigh a sixth of an impulse, and would make it 14 ms late.
public struct ImpulseDelay: Equatable, Sendable {
  public var meanMs: Double
  /// The distribution of the single impulses' delays. Isolated impulses can't be confused, so the
  /// confidence is the share found.
  public var estimate: DelayEstimate

  /// - Parameters:
  ///   - input: silence with impulses of one sample, further apart than the delay varies.
  ///   - output: the output at the same rate, starting at the same instant.
  public init(of output: Signal, from input: Signal) throws(Unmeasurable) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let sound = output.samples.span
    let highest = input.samples.reduce(Float(0)) { $1.isFinite ? max($0, abs($1)) : $0 }
    let loud = input.samples.enumerated().filter { abs($1) > highest / 2 }.map(\.offset)
    guard highest > 0, loud.count <= max(1, input.count / 100) else {
      throw Unmeasurable(.noImpulses, "the input holds no impulses")
    }
    let perMs = input.sampleRateHz / 1000
    // A resampled impulse is a few samples wide, and lies at its highest.
    let starts = loud.reduce(into: [Int]()) { starts, n in
      guard let last = starts.last, Double(n - last) < perMs else { return starts.append(n) }
      if abs(input.samples[n]) > abs(input.samples[last]) { starts[starts.count - 1] = n }
    }
    let gap = zip(starts.dropFirst(), starts).map { $0 - $1 }.min() ?? 2 * output.count
    let common = Self.commonDelay(output, starts, gap: gap, perMs: perMs)
    var (delays, moment, weight, lost) = ([Double](), 0.0, 0.0, 0)
    for start in starts where start + common < output.count {
      let from = max(0, start + common - gap / 2)
      let window = from..<max(from, min(output.count, start + common + (gap + 1) / 2))
      var (ownMoment, ownWeight) = (0.0, 0.0)
      let floor = Self.noiseFloor(output.samples[window])
      for n in window where sound[n].isFinite {
        let above = Double(max(0, abs(sound[n]) - floor))
        ownWeight += above
        ownMoment += above * Double(n - start)
      }
      if ownWeight > 1e-3 * Double(highest) {
        delays.append(ownMoment / ownWeight / perMs)
      } else {
        lost += 1
      }
      moment += ownMoment
      weight += ownWeight
    }
    guard !delays.isEmpty else {
      throw Unmeasurable(.lostImpulses, "none of the impulses came out")
    }
    meanMs = moment / weight / perMs
    estimate = DelayEstimate(
      delaysMs: delays, lost: lost, confidence: Double(delays.count) / Double(delays.count + lost))!
  }

  /// Shortest and longest delay that is looked for.
  private static let rangeMs = -60...400
  private static let stepMs = 5

  /// Returns the delay in samples about which the answers to all impulses lie closest together. What no
  /// window of one gap about it covers counts as half a gap away.
  private static func commonDelay(
    _ output: Signal, _ starts: [Int], gap: Int, perMs: Double
  ) -> Int {
    // Bins of a millisecond are fine enough to tell one gap from the next.
    let bin = max(1, Int(perMs))
    let floor = noiseFloor(output.samples[...])
    var bins = [Double](repeating: 0, count: output.count / bin + 1)
    let sound = output.samples.span
    for place in bins.indices {
      var sum = 0.0
      for n in place * bin..<max(place * bin, min((place + 1) * bin, sound.count))
      where sound[n].isFinite {
        sum += Double(max(0, abs(sound[n]) - floor))
      }
      bins[place] = sum
    }
    let all = bins.reduce(0, +)
    let half = gap / bin / 2
    var best = (spread: Double.infinity, delay: 0)
    for ms in stride(from: rangeMs.lowerBound, through: rangeMs.upperBound, by: stepMs) {
      var (weight, first, second) = (0.0, 0.0, 0.0)
      for start in starts {
        let centre = (start + Int(Double(ms) * perMs)) / bin
        let (from, to) = (max(0, centre - half), min(bins.count, centre + half))
        for place in from..<max(from, to) where bins[place] > 0 {
          let lag = Double(place * bin - start)
          weight += bins[place]
          first += bins[place] * lag
          second += bins[place] * lag * lag
        }
      }
      guard weight > 0 else { continue }
      let variance = second / weight - (first / weight) * (first / weight)
      let away = Double(gap) * Double(gap) / 4
      let spread = (weight * variance + max(0, all - weight) * away) / all
      if spread < best.spread { best = (spread, Int((first / weight).rounded())) }
    }
    return best.delay
  }

  /// Returns the size that noise hardly ever exceeds: six medians, which are four standard deviations
  /// of normal noise. It is 0 if most of the samples are.
  private static func noiseFloor(_ samples: ArraySlice<Float>) -> Float {
    // Every eighth sample is enough for a median.
    var sizes = stride(from: samples.startIndex, to: samples.endIndex, by: 8)
      .map { abs(samples[$0]) }.filter(\.isFinite)
    return sizes.isEmpty ? 0 : 6 * Float(Statistics.median(sorting: &sizes))
  }
}

/// The distribution of the delays of single events: its median is the delay, its width the jitter.
public struct DelayEstimate: Codable, Equatable, Sendable {
  public var meanMs: Double
  public var medianMs: Double
  public var p5Ms: Double
  public var p95Ms: Double
  /// Number of events found in the output.
  public var events: Int
  /// Number of events not recognized in the output.
  public var lost: Int
  /// Confidence, 0 to 1: the median over events of the similarity to the input.
  public var confidence: Double

  /// Width of the middle 90 %.
  public var jitterMs: Double { p95Ms - p5Ms }

  /// - Returns: `nil` if there are no events.
  public init?(delaysMs: [Double], lost: Int, confidence: Double) {
    guard let mean = Statistics.mean(delaysMs) else { return nil }
    meanMs = mean
    medianMs = Statistics.quantile(delaysMs, 0.5)!
    p5Ms = Statistics.quantile(delaysMs, 0.05)!
    p95Ms = Statistics.quantile(delaysMs, 0.95)!
    events = delaysMs.count
    self.lost = lost
    self.confidence = confidence
  }
}
