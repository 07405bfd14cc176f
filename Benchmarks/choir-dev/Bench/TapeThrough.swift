import Analyzer
import ArgumentParser
import AudioFile
import CommandSupport
import DSP
import Foundation
import Music
import Subjects

/// Plays a test tape through a subject, as someone with an app would: scripts/bench/tape-paths records it.
struct TapeThrough: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tape-through",
    abstract: "Play a test tape through a subject; the tape itself is the second channel.")

  @Argument(help: .subject) var subject: String
  @Argument(help: "The tape.") var input: String
  @Argument(help: "WAV file to write, with the subject's mix and the tape.") var output: String
  @Option(help: "Interval of the voice.") var semitones = 4.0
  @Option(help: "Key of a tuner instead of an interval.") var key: String?
  @Option(help: "Settings, NAME=VALUE.") var set: [String] = []
  @OptionGroup var place: CorpusOption

  func run() throws {
    let tape = try AudioFile(named: input).mono
    let subject = try Subjects.subject(id: subject, in: place.subjects)
    let score =
      try key.map { Score(id: "tuned", .tuned(try Key(named: $0))) }
      ?? Score(id: "interval", intervalsSemitones: [semitones])
    let settings = try NamedValues.settings(set, of: "--set")
    let lead = PitchTracker.standard.track(tape)
    let rendering = try subject.render(
      tape, score: ResolvedScore(score, lead: lead), settings: settings)
    try AudioFile(channels: [rendering.mix.samples, tape.samples], sampleRateHz: tape.sampleRateHz)
      .write(to: output)
  }
}
