/// The pitch of a voice at one instant.
public struct PitchPoint: Equatable, Sendable {
  public var timeSeconds: Double
  /// 0 where there is no voice.
  public var f0Hz: Double
  /// How far off the truth this may be, where that is known.
  public var uncertaintyCents: Double?

  public init(timeSeconds: Double, f0Hz: Double, uncertaintyCents: Double? = nil) {
    self.timeSeconds = timeSeconds
    self.f0Hz = f0Hz
    self.uncertaintyCents = uncertaintyCents
  }
}

/// A note as it was sung or written.
public struct SungNote: Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  public var f0Hz: Double
  /// How far apart those who wrote it down are, where there are several.
  public var uncertaintyCents: Double?

  public init(
    onsetSeconds: Double, offsetSeconds: Double, f0Hz: Double, uncertaintyCents: Double? = nil
  ) {
    self.onsetSeconds = onsetSeconds
    self.offsetSeconds = offsetSeconds
    self.f0Hz = f0Hz
    self.uncertaintyCents = uncertaintyCents
  }
}

/// A phone or a word, and when it sounds.
public struct LabelledSpan: Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  public var label: String

  public init(onsetSeconds: Double, offsetSeconds: Double, label: String) {
    self.onsetSeconds = onsetSeconds
    self.offsetSeconds = offsetSeconds
    self.label = label
  }
}

/// What people or the makers of a recording wrote down about it; `nil` is not known, which is
/// not the same as none.
public struct Annotations: Equatable, Sendable {
  public var pitch: [PitchPoint]?
  public var notes: [SungNote]?
  public var phones: [LabelledSpan]?
  public var words: [LabelledSpan]?
  public var lyrics: String?

  public init() {}

  /// The kinds that are known, in the order of their names.
  public var kinds: [AnnotationKind] { AnnotationKind.allCases.filter { text(of: $0) != nil } }
}

/// One kind of annotation, and the file it is kept in beside the sound.
public enum AnnotationKind: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case f0, lyrics, notes, phones, words

  /// Takes the place of the sound file's ending.
  public var suffix: String { self == .lyrics ? ".lyrics.txt" : ".\(rawValue).csv" }
}

/// An annotation that can't be understood.
public struct AnnotationError: Error, Equatable, CustomStringConvertible {
  public var path: String
  /// Counted from 1; `nil` where the whole file is meant.
  public var line: Int?
  public var problem: String

  public init(_ path: String, line: Int? = nil, _ problem: String) {
    self.path = path
    self.line = line
    self.problem = problem
  }

  public var description: String { path + (line.map { ":\($0)" } ?? "") + ": " + problem }
}
