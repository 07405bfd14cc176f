import Analyzer
import Foundation
import Metrics
import Statistics

/// Delay as a function of note, shift and block:
///
///     fixed + perShift · (1 − Tout / Tin) + a · Tin + b · Tout + c · block
///
/// where Tin and Tout are the periods of input and output. A delay line has only the first term; a
/// program that stretches and resamples is late or early by a share of its window that depends on
/// the shift; a pitch-synchronous engine is late by periods; a host that collects blocks by blocks.
///
/// - Source: ordinary least squares; the terms are those of the engines' own laws
///   (docs/reference/engines.md).
public struct DelayLaw: Codable, Equatable, Sendable {
  public var fixedMs: Double
  /// Further delay of a shift up without end; half of it is that of an octave up.
  public var perShiftMs: Double
  /// Periods of the input by which the output is late.
  public var inputPeriods: Double
  /// Periods of the output by which the output is late.
  public var outputPeriods: Double
  /// Blocks by which the output is late; `nil` for subjects without blocks.
  public var blocks: Double?
  /// Largest distance of a trial from the law.
  public var largestResidualMs: Double
  public var trials: Int

  private static let rateHz = 48_000.0

  /// Fits the law to trials at the subject's own settings.
  ///
  /// - Throws: `Undefined` if fewer than four tones have a delay.
  init(_ trials: [ToneTrial]) throws(Undefined) {
    let known = trials.compactMap { trial in trial.delayMs.value.map { (trial, $0) } }
    guard known.count >= 4 || known.count >= 3 && Set(known.map(\.0.semitones)).count == 1 else {
      throw trials.compactMap(\.delayMs.reason).first
        ?? Undefined(.tooLittleSound, "only \(known.count) tones have a delay; 4 are needed")
    }
    let points = known.map { (Point($0.0), $0.1) }
    let slope = Self.blockSlope(points)
    let variesShift = Set(points.map(\.0.shift)).count > 1
    var terms: [(Point) -> Double] = [{ _ in 1 }, \.periodMs]
    if variesShift { terms += [\.shift, \.outputPeriodMs] }
    var factors: [Double]?
    // Few tones may not tell all terms; the last are left out first.
    while factors == nil, !terms.isEmpty {
      var problem = LeastSquares(target: points.map { $0.1 - (slope ?? 0) * $0.0.block })
      for term in terms { problem.add(column: points.map { term($0.0) }) }
      factors = problem.solved()
      if factors == nil { terms.removeLast() }
    }
    guard let factors else {
      throw Undefined(.unresolved, "the tones don't tell the terms of the law apart")
    }
    fixedMs = factors[0]
    inputPeriods = factors.count > 1 ? factors[1] : 0
    perShiftMs = factors.count > 2 ? factors[2] : 0
    outputPeriods = factors.count > 3 ? factors[3] : 0
    blocks = slope
    self.trials = known.count
    largestResidualMs = 0
    largestResidualMs =
      known.map { abs($0.1 - delayMs(at: Point($0.0))) }.max() ?? 0
  }

  /// Returns the blocks of delay for each block, from tones that differ in the block alone, so that
  /// what the other terms miss does not pass for it.
  private static func blockSlope(_ points: [(Point, Double)]) -> Double? {
    var (product, square) = (0.0, 0.0)
    for group in Dictionary(grouping: points, by: { $0.0.withoutBlock }).values {
      let mean = Statistics.mean(group.map(\.0.block))!
      let middle = Statistics.mean(group.map(\.1))!
      for (point, delay) in group {
        product += (point.block - mean) * (delay - middle)
        square += (point.block - mean) * (point.block - mean)
      }
    }
    return square > 0 ? product / square : nil
  }

  /// Returns the delay for a note of the input, a shift and a block size.
  public func delayMs(noteHz: Double, semitones: Double, blockSize: Int) -> Double {
    delayMs(at: Point(noteHz: noteHz, semitones: semitones, blockSize: blockSize))
  }

  private func delayMs(at point: Point) -> Double {
    fixedMs + perShiftMs * point.shift + inputPeriods * point.periodMs + outputPeriods
      * point.outputPeriodMs
      + (blocks ?? 0) * point.block
  }

  /// The variables of the law, in milliseconds but for the shift.
  private struct Point: Hashable {
    /// 1 − Tout / Tin.
    var shift: Double
    var periodMs: Double
    var outputPeriodMs: Double
    var block: Double

    init(noteHz: Double, semitones: Double, blockSize: Int) {
      shift = 1 - exp2(-semitones / 12)
      periodMs = 1000 / noteHz
      outputPeriodMs = periodMs * exp2(-semitones / 12)
      block = 1000 * Double(blockSize) / DelayLaw.rateHz
    }

    var withoutBlock: Point {
      var point = self
      point.block = 0
      return point
    }

    init(_ trial: ToneTrial) {
      self.init(
        noteHz: trial.noteHz, semitones: trial.semitones, blockSize: trial.blockSize ?? 128)
    }
  }
}
