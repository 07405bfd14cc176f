import Analyzer
import Corpus
import Singer
import Statistics

/// A kind of recording on which metrics are trusted alike: what is sung or said, and how high.
public struct RecordingClass: Hashable, Codable, Sendable, CustomStringConvertible {
  public enum Material: String, Codable, CaseIterable, Sendable {
    case vowels, words, speech, noisy, room
  }

  /// Register by the median pitch: below 150 Hz, below 300 Hz, and above.
  public enum Register: String, Codable, CaseIterable, Sendable {
    case low, middle, high
  }

  public var material: Material
  public var register: Register

  public init(_ material: Material, _ register: Register) {
    (self.material, self.register) = (material, register)
  }

  /// - Parameter text: such as `vowels-low`.
  public init?(_ text: String) {
    let parts = text.split(separator: "-").map(String.init)
    guard parts.count == 2, let material = Material(rawValue: parts[0]),
      let register = Register(rawValue: parts[1])
    else { return nil }
    self.init(material, register)
  }

  /// The class of a recording under a condition.
  ///
  /// - Parameter lead: its pitch; without any, it counts as middle.
  public init(of recording: Recording, under condition: Condition, lead: PitchTrack) {
    self.init(
      recording.entry, holdsWords: recording.holdsWords,
      medianHz: Statistics.median(lead.f0Hz.filter { $0 > 0 }))
    self = under(condition)
  }

  init(_ entry: ManifestEntry, holdsWords: Bool, medianHz: Double?) {
    let hz = medianHz ?? 200
    register = hz < 150 ? .low : hz < 300 ? .middle : .high
    material = entry.kind == "spoken" ? .speech : holdsWords ? .words : .vowels
  }

  /// Returns the class of the same recording under a condition.
  public func under(_ condition: Condition) -> RecordingClass {
    switch condition {
    case .noise, .bleed: RecordingClass(.noisy, register)
    case .room: RecordingClass(.room, register)
    case .clean, .level, .clip, .bandwidth: self
    }
  }

  public var description: String { "\(material.rawValue)-\(register.rawValue)" }
}

extension Corpus {
  /// Returns the class of each recording with a voice, without a condition. Sounds of the bench have none. A recording that can't be
  /// read has none.
  public func classes(of ids: [String]) -> [String: RecordingClass] {
    var cache = RecordingFactsCache(beside: self)
    var classes: [String: RecordingClass] = [:]
    for id in ids {
      guard let entry = try? entry(id: id), !entry.isBenchSound,
        let facts = try? cache.facts(of: entry, in: self)
      else { continue }
      classes[id] = RecordingClass(entry, holdsWords: holdsWords(entry), medianHz: facts.medianF0Hz)
    }
    cache.save()
    return classes
  }

  private func holdsWords(_ entry: ManifestEntry) -> Bool {
    if let performance = Oracle.performance(behind: entry) {
      return entry.holdsWords(phones: performance.phones.map(\.phone.rawValue))
    }
    guard let annotations = try? annotations(of: entry) else { return false }
    return annotations.holdWords ?? entry.holdsWords(phones: annotations.phones?.map(\.label))
  }
}
