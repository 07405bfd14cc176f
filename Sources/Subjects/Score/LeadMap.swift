import Foundation
import Music

/// What each voice sings above each of the twelve notes that the lead may be on.
///
/// Written as `C:4,7;D:3,8;F#:3,-;others:4,7`, or in YAML as a mapping of notes to lists: semitones
/// above the lead, one for each voice; `-`, in YAML `null`, is silence, and so is a note that is not
/// there.
public struct LeadMap: Equatable, Sendable {
  /// For each voice twelve entries, from C up; `nil` is silence.
  public let voices: [[Int?]]

  /// What is wrong with one, in words for a person.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  private static let others = "others"

  /// - Parameter notes: by name; each list as long.
  public init(_ notes: [String: [Int?]]) throws(Problem) {
    var byClass: [Int: [Int?]] = [:]
    guard let count = notes.values.map(\.count).max(), count > 0 else {
      throw Problem(description: "a map needs notes, such as C:4,7;D:3,8")
    }
    for (name, intervals) in notes.sorted(by: { $0.key < $1.key }) {
      guard intervals.count == count else {
        throw Problem(
          description: "\(name) has \(intervals.count) of \(count) voices; use - for silence")
      }
      if let wrong = intervals.compactMap(\.self).first(where: { !(-48...48).contains($0) }) {
        throw Problem(description: "\(name) has \(wrong); choose -48 to 48 semitones")
      }
      guard name != Self.others else { continue }
      let pitch: PitchClass
      do { pitch = try PitchClass(named: name) } catch {
        throw Problem(description: "\(error), or \(Self.others)")
      }
      guard byClass.updateValue(intervals, forKey: pitch.semitones) == nil else {
        throw Problem(description: "\(pitch) is there twice")
      }
    }
    let rest = notes[Self.others] ?? Array(repeating: nil, count: count)
    voices = (0..<count).map { voice in (0..<12).map { (byClass[$0] ?? rest)[voice] } }
  }

  /// - Parameter text: notes apart by `;` or lines; lines that begin with `#` are for people.
  public init(parsing text: String) throws(Problem) {
    var notes: [String: [Int?]] = [:]
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    for entry in lines.flatMap({ $0.split(separator: ";") }) {
      let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2 else {
        throw Problem(description: "'\(entry)' is no note with intervals, such as D:3,8")
      }
      guard notes[parts[0]] == nil else { throw Problem(description: "\(parts[0]) is there twice") }
      var intervals: [Int?] = []
      for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let word = word.trimmingCharacters(in: .whitespaces)
        guard word == "-" || Int(word) != nil else {
          throw Problem(
            description: "'\(word)' of \(parts[0]) is no whole number of semitones, nor -")
        }
        intervals.append(Int(word))
      }
      notes[parts[0]] = intervals
    }
    try self.init(notes)
  }

  /// How far a voice is above a note of the lead; `nil` in silence.
  public func interval(ofVoice voice: Int, aboveKey key: Int) -> Int? {
    voices[voice][PitchClass(key).semitones]
  }
}

extension LeadMap: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let notes = try container.decode([String: [Int?]].self)
    do { try self.init(notes) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(
      Dictionary(
        uniqueKeysWithValues: (0..<12).map { tone in
          (PitchClass(tone).name(), voices.map { $0[tone] })
        }))
  }
}
