import Analyzer
import Foundation
import Singer
import Testing

@Suite struct KeyEstimateTests {
  private static func note(_ semitones: Double, seconds: Double = 0.5) -> Analyzer.Note {
    Analyzer.Note(
      onsetSeconds: 0, offsetSeconds: seconds, pitchHz: 440 * exp2((semitones - 69) / 12))
  }

  /// A scale up and down with a long tonic, at every transposition.
  @Test(arguments: 0..<12)
  func scalesHaveTheirKey(tonic: Int) throws {
    for (scale, name) in [
      ([0, 2, 4, 5, 7, 9, 11, 12], "major"), ([0, 2, 3, 5, 7, 8, 11, 12], "minor"),
    ] {
      let notes = (scale + scale.reversed()).map {
        Self.note(Double(55 + tonic + $0), seconds: $0 % 12 == 0 ? 1 : $0 == 7 ? 0.8 : 0.4)
      }
      let key = try #require(KeyEstimate(of: PitchClassProfile(of: notes)))
      // The circle of fifths: at most six signs.
      let names =
        name == "major"
        ? ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
        : ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"]
      #expect(key.best.name == "\(names[(55 + tonic) % 12]) \(name)")
      #expect(key.candidates.count == 24 && key.margin > 0)
    }
  }

  /// The profile of a key correlates with itself by 1.
  @Test func aProfileIsItsOwnKey() throws {
    let minor = [5.0, 2.0, 3.5, 4.5, 2.0, 4.0, 2.0, 4.5, 3.5, 2.0, 1.5, 4.0]
    let key = try #require(
      KeyEstimate(of: PitchClassProfile(seconds: (0..<12).map { minor[($0 + 3) % 12] })))
    #expect(key.best.name == "A minor" && abs(key.best.correlation - 1) < 1e-12)
  }

  /// Melodies of the songbook as written, and with all notes off by the same cents.
  @Test(arguments: [
    ("melody-ah-vous-dirai-je", "G major"), ("melody-frere-jacques", "Bb major"),
    ("melody-ode-to-joy", "C major"), ("melody-ode-to-joy-alto", "C major"),
    ("melody-greensleeves", "A minor"),
  ]) func songsHaveTheirKey(id: String, name: String) throws {
    let written = try Songbook.performance(id: id).notes
    for cents in [-40.0, 0, 17] {
      let notes = written.map {
        Self.note($0.pitchSemitones + cents / 100, seconds: $0.durationSeconds)
      }
      let key = try #require(KeyEstimate(of: PitchClassProfile(of: notes)))
      #expect(key.best.name == name)
      #expect(abs(key.tuningCents! - cents) < 1e-6)
    }
  }

  @Test func silenceHasNoKey() {
    #expect(KeyEstimate(of: PitchClassProfile(of: [Analyzer.Note]())) == nil)
    #expect(KeyEstimate(of: PitchClassProfile(seconds: .init(repeating: 1, count: 12))) == nil)
    #expect(PitchClassProfile(of: []).tuningCents == nil)
    // Two notes a quarter tone apart share no tuning.
    let torn = PitchClassProfile(of: [Self.note(60), Self.note(60.5)])
    #expect(torn.tuningCents == nil)
  }
}
