import ArgumentParser
import CommandSupport
import Foundation
import Probes

/// The test tape: one file that anything can play, and that finds itself again in a recording.
struct TapeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tape",
    abstract: "Measure anything that can play a sound: an app, a pedal, a plugin in a studio.",
    discussion: """
      'make' writes one file with voices of the corpus between marks. Play it through anything and \
      record what comes out; 'read' finds the voices in the recording and writes a subject and a plan, \
      which every command takes. 'check' reads and checks at once. docs/guides/tape.md says what to do \
      with a phone, a studio program and a pedal.

        choir-eval tape make smoke --output tape.wav
        choir-eval tape check recorded.wav --intervals 4
        choir-eval tape read recorded.wav --intervals 4 --output take
        choir-eval run take/plan.yaml
      """,
    subcommands: [TapeMake.self, TapeRead.self, TapeCheck.self])
}

/// The recordings of a tape, and what the system was set to while it played.
struct TapeOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The tape's sheet, tape.yaml by default, and recordings of the tape.",
      valueName: "tape.yaml recorded.wav"), completion: .sound)
  var files: [String]
  @Option(help: "Name of a score of the tape's plan or of the corpus that the system sang.")
  var score: String?
  @Option(help: "Intervals that the system sang, such as -5,4,7.", eachIn: -48...48)
  var intervals: NumberList?
  @Option(help: "Key that a tuner was set to, such as \"C major\".") var key: String?
  @Option(help: "Degrees that the system sang in --key, such as -6,3,5.") var degrees: String?
  @Option(
    help: """
      What a setting of the system was, NAME=VALUE; repeatable. With several recordings, a value for \
      each: NAME=20,40.
      """)
  var set: [String] = []
  @Option(
    help: """
      Channel of the recording that holds the tape itself, from 1. With it, latency and level are those \
      of the system alone.
      """, in: 1...64)
  var dryChannel: Int?
  @Option(
    help: """
      What the system's channels hold, as in a subject's file: average, stereo, voices, a number, or a \
      list such as lead,1,2.
      """)
  var channels: String?
  @Flag(
    help: """
      Recorded directly, with nothing between system and recorder: reverberation, echoes, compression, noise and a \
      narrow band are measured as the system's own.
      """)
  var byCable = false
  @Flag(help: "The recording holds the dry voice beside the voices of the score.") var dry = false
  @OptionGroup var place: CorpusOption
  @OptionGroup var overwriting: Overwriting

  func validate() throws {
    guard !recordings.isEmpty else {
      throw ValidationError(
        "Name a recording of the tape, such as: choir-eval tape read recorded.wav.")
    }
    guard files.count - recordings.count <= 1 else {
      throw ValidationError("There are two sheets; name one, and recordings of its tape.")
    }
    guard [score != nil, intervals != nil, key != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("--score, --intervals and --key each say what was sung; use one.")
    }
    if degrees != nil, key == nil {
      throw ValidationError("--degrees are steps of a key; add --key, such as --key \"C major\".")
    }
    _ = try settings()
    _ = try channelChoice()
  }

  private static func isSheet(_ path: String) -> Bool {
    path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  var sheet: String { files.first(where: Self.isSheet) ?? "tape.yaml" }
  var recordings: [String] { files.filter { !Self.isSheet($0) } }
}
