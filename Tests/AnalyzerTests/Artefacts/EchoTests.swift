import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct EchoTests {
  @Test(arguments: [10.0, 20, 40, 80], [-6.0, -12, -20])
  func anEchoIsMeasuredAgainstAReference(ms: Double, db: Double) throws {
    let (voice, _) = try Dose.song("melody-ode-to-joy")
    let found = try #require(try Echo.found(in: Dose.echo(voice, ms: ms, db: db), against: voice))
    #expect(abs(found.delayMs - ms) < 0.05, "\(found)")
    #expect(abs(found.gainDb - db) < 1, "\(found)")
  }

  @Test(arguments: [10.0, 20, 40, 80], [-6.0, -12])
  func anEchoIsMeasuredWithoutAReference(ms: Double, db: Double) throws {
    let (voice, _) = try Dose.song("melody-ode-to-joy")
    let found = try #require(try Echo.found(in: Dose.echo(voice, ms: ms, db: db)))
    #expect(abs(found.delayMs - ms) < 0.1, "\(found)")
    #expect(abs(found.gainDb - db) < 3, "\(found)")
  }

  @Test(arguments: [
    "melody-ode-to-joy", "stops-tenor", "leaps-tenor", "fricatives-alto", "patter-countertenor",
  ])
  func aPlainVoiceHasNoEcho(song: String) throws {
    let (voice, _) = try Dose.song(song)
    #expect(try Echo.found(in: voice) == nil)
    #expect(try Echo.found(in: voice, against: voice) == nil)
  }

  @Test func unusualSoundsHaveAResultOrThrow() {
    for (name, signal) in Dose.awkward {
      for found in [try? Echo.found(in: signal), try? Echo.found(in: signal, against: signal)] {
        if let echo = found ?? nil { #expect(echo.gainDb.isFinite, "\(name)") }
      }
    }
  }

  /// Held pitches with short and long periods, up to the end of the search range, must not trap.
  @Test func heldNotesOfAnyPitchDoNotTrap() throws {
    for hz in [75.0, 111, 170, 440, 1100] {
      let samples = (0..<96_000).map { n -> Float in
        let turns = hz * Double(n) / 44_100
        return Float((1...6).reduce(0.0) { $0 + 0.1 * cos(2 * .pi * Double($1) * turns) })
      }
      _ = try Echo.found(in: Signal(samples, sampleRateHz: 44_100))
    }
  }
}
