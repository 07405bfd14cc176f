import Foundation
import Music
import Platform

/// A table of each voice's interval above each of the lead's twelve pitch classes.
///
/// It is written as `C:4,7;D:3,8;F#:3,-;others:4,7`, or in YAML as a mapping of notes to lists:
/// semitones above the lead, one for each voice. `-`, in YAML `null`, is silence; a missing note is
/// silent too.
public struct LeadMap: Equatable, Sendable {
  /// The voices' intervals, twelve for each voice from C up; `nil` is silence.
  public let voices: [[Int?]]

  private static let others = "others"

  /// Creates a map.
  ///
  /// - Parameter notes: lists of intervals by note name, all of the same length.
  public init(_ notes: [String: [Int?]]) throws(Refusal) {
    var byClass: [Int: [Int?]] = [:]
    guard let count = notes.values.map(\.count).max(), count > 0 else {
      throw Refusal("the map is empty; write notes, such as C:4,7;D:3,8")
    }
    for (name, intervals) in notes.sorted(by: { $0.key < $1.key }) {
      guard intervals.count == count else {
        throw Refusal(
          "\(name) has \(intervals.count) of \(counted(count, "voice")); use - for silence")
      }
      if let wrong = intervals.compactMap(\.self).first(where: { !(-48...48).contains($0) }) {
        throw Refusal("\(name) has \(wrong); choose -48 to 48 semitones")
      }
      guard name != Self.others else { continue }
      let pitch: PitchClass
      do { pitch = try PitchClass(named: name) } catch {
        throw Refusal("\(error), or \(Self.others)")
      }
      guard byClass.updateValue(intervals, forKey: pitch.semitones) == nil else {
        throw Refusal("\(pitch) occurs twice; keep one")
      }
    }
    let rest = notes[Self.others] ?? Array(repeating: nil, count: count)
    voices = (0..<count).map { voice in (0..<12).map { (byClass[$0] ?? rest)[voice] } }
  }

  /// Parses a map.
  ///
  /// - Parameter text: notes separated by `;` or line ends; lines that begin with `#` are comments.
  public init(parsing text: String) throws(Refusal) {
    var notes: [String: [Int?]] = [:]
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    for entry in lines.flatMap({ $0.split(separator: ";") }) {
      let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2 else {
        throw Refusal("'\(entry)' is no note with intervals; write it as in D:3,8")
      }
      guard notes[parts[0]] == nil else {
        throw Refusal("\(parts[0]) occurs twice; keep one")
      }
      var intervals: [Int?] = []
      for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let word = word.trimmingCharacters(in: .whitespaces)
        guard word == "-" || Int(word) != nil else {
          throw Refusal("'\(word)' of \(parts[0]) is no interval; write whole semitones, or -")
        }
        intervals.append(Int(word))
      }
      notes[parts[0]] = intervals
    }
    try self.init(notes)
  }

  /// Returns a voice's interval above a key of the lead, in semitones; `nil` is silence.
  public func interval(ofVoice voice: Int, aboveKey key: Int) -> Int? {
    voices[voice][PitchClass(key).semitones]
  }
}

extension LeadMap: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let notes = try container.decode([String: [Int?]].self)
    do { try self.init(notes) } catch { throw container.problem(error) }
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
