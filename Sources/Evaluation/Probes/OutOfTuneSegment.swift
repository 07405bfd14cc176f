import Analyzer
import Foundation
import Metrics
import Statistics
import Sweep

/// A stretch of one voice that is out of tune or missing.
public struct OutOfTuneSegment: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// Median deviation over the stretch in cents; positive is sharp.
    case offCents(Double)
    /// Without a pitch although its target sings.
    case missing
  }

  public var kind: Kind
  public var voice: Int
  public var startSeconds: Double
  public var durationSeconds: Double
  /// Severity: the distance in cents, at most `maxCents`, integrated over seconds. A missing voice
  /// counts as `maxCents` off.
  public var centSeconds: Double

  public var middleSeconds: Double { startSeconds + durationSeconds / 2 }

  /// The limit at which listeners call a note out of tune.
  static let toleranceCents = 25.0
  /// Distance beyond which a voice sings another note, and more distance is no worse.
  static let maxCents = 300.0
  /// Longest stretch; a longer error is split.
  static let longestSeconds = 0.4

  /// Returns all stretches of a voice, the worst first.
  ///
  /// A frame that is in tune, lies on the other side of the target, or has no target ends a stretch.
  public static func all(in trace: VoiceTrace) -> [OutOfTuneSegment] {
    var found: [OutOfTuneSegment] = []
    var frames: [Double?] = []  // errors of the stretch so far; nil where the voice is missing
    func end(before frame: Int) {
      guard !frames.isEmpty else { return }
      found.append(OutOfTuneSegment(frames, until: frame, in: trace))
      frames = []
    }
    let longest = max(1, Int((longestSeconds / trace.hopSeconds).rounded()))
    for (frame, pair) in zip(trace.targetHz, trace.measuredHz).enumerated() {
      let (target, measured) = (Double(pair.0), Double(pair.1))
      guard target > 0 else {
        end(before: frame)
        continue
      }
      let error = measured > 0 ? cents(measured, over: target) : nil
      guard error.map({ abs($0) > toleranceCents }) ?? true else {
        end(before: frame)
        continue
      }
      if let first = frames.first,
        first.map({ $0 > 0 }) != error.map({ $0 > 0 }) || frames.count == longest
      {
        end(before: frame)
      }
      frames.append(error)
    }
    end(before: min(trace.targetHz.count, trace.measuredHz.count))
    return found.sorted { $0.centSeconds > $1.centSeconds }
  }

  /// Returns the stretches of a voice. Only what `voice.missing` counts is missing.
  static func all(in trace: VoiceTrace, of voice: VoiceObservation) -> [OutOfTuneSegment] {
    all(in: trace).filter { stretch in
      guard case .missing = stretch.kind else { return true }
      let middle = Int((stretch.middleSeconds / trace.hopSeconds).rounded())
      return voice.presence.gaps.contains { $0.contains(middle) }
    }
  }

  private init(_ errors: [Double?], until end: Int, in trace: VoiceTrace) {
    let known = errors.compactMap(\.self)
    kind = Statistics.median(known).map { .offCents($0) } ?? .missing
    voice = trace.voice
    startSeconds = Double(end - errors.count) * trace.hopSeconds
    durationSeconds = Double(errors.count) * trace.hopSeconds
    centSeconds =
      errors.reduce(0) { $0 + min(abs($1 ?? Self.maxCents), Self.maxCents) } * trace.hopSeconds
  }
}
