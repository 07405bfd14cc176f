import Platform
import Statistics

/// The pitch of a voice at one instant.
public struct PitchPoint: Equatable, Sendable {
  public var timeSeconds: Double
  /// 0 for unvoiced.
  public var f0Hz: Double
  /// Largest expected distance from the truth, if known.
  public var uncertaintyCents: Double?

  public init(timeSeconds: Double, f0Hz: Double, uncertaintyCents: Double? = nil) {
    (self.timeSeconds, self.f0Hz, self.uncertaintyCents) = (timeSeconds, f0Hz, uncertaintyCents)
  }
}

/// A sung or written note.
public struct SungNote: Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  public var f0Hz: Double
  /// Distance between the annotators, if there are several.
  public var uncertaintyCents: Double?

  public init(
    onsetSeconds: Double, offsetSeconds: Double, f0Hz: Double, uncertaintyCents: Double? = nil
  ) {
    (self.onsetSeconds, self.offsetSeconds) = (onsetSeconds, offsetSeconds)
    (self.f0Hz, self.uncertaintyCents) = (f0Hz, uncertaintyCents)
  }
}

/// A phone or a word with its times.
public struct LabelledSpan: Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  public var label: String

  public init(onsetSeconds: Double, offsetSeconds: Double, label: String) {
    (self.onsetSeconds, self.offsetSeconds, self.label) = (onsetSeconds, offsetSeconds, label)
  }
}

/// The annotations of a recording. `nil` means unknown; an empty list means known to be empty.
public struct Annotations: Equatable, Sendable {
  public var pitch: [PitchPoint]?
  public var notes: [SungNote]?
  public var phones: [LabelledSpan]?
  public var words: [LabelledSpan]?
  public var lyrics: String?

  public init() {}

  /// The reason why the annotations of one kind can't belong to a sound of this length, with a
  /// remedy; `nil` if they can, or if none are known.
  ///
  /// - Parameter mayBeEmpty: allows a list without entries, which says that nothing could be known.
  func problem(of kind: AnnotationKind, durationSeconds: Double, mayBeEmpty: Bool) -> String? {
    let ends: [Double]? =
      switch kind {
      case .f0: pitch?.map(\.timeSeconds)
      case .notes: notes?.map(\.offsetSeconds)
      case .phones: phones?.map(\.offsetSeconds)
      case .words: words?.map(\.offsetSeconds)
      case .lyrics: nil
      }
    guard let ends else { return nil }
    let voiced = kind == .f0 ? pitch?.map(\.f0Hz).filter { $0 > 0 } : nil
    if let median = Statistics.median(voiced ?? []), !Self.pitchHz.contains(median) {
      return
        "its median pitch is \(fixed(median, 1)) Hz, which no voice sings; write the pitch in Hz"
    }
    guard let last = ends.max() else {
      return mayBeEmpty ? nil : "has no rows; leave the file out"
    }
    let limit = durationSeconds + Self.overhangSeconds
    guard last > limit else { return nil }
    return "its last time is \(last) s, but the sound lasts \(durationSeconds) s; "
      + (last <= 1000 * limit && last >= 100 * durationSeconds
        ? "it seems to be in milliseconds: divide its times by 1000"
        : "check that they belong together")
  }

  /// Range of the median pitch of any voice; cents lie above it, kHz below.
  ///
  /// - Source: the limits beyond which mir_eval warns (melody and multipitch).
  private static let pitchHz = 20.0...5000

  /// Longest time that annotations may go on after the sound: two frames of the longest hop in use,
  /// 50 ms, because frames reach beyond the sound's end.
  private static let overhangSeconds = 0.1

  /// The known kinds, in the order of their names.
  public var kinds: [AnnotationKind] { AnnotationKind.allCases.filter { text(of: $0) != nil } }
}

/// A kind of annotation, each in a file of its own beside the sound.
public enum AnnotationKind: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case f0, lyrics, notes, phones, words

  /// The suffix that replaces the sound file's extension.
  public var suffix: String { self == .lyrics ? ".lyrics.txt" : ".\(rawValue).csv" }
}
