import ArgumentParser
import AudioFile
import CommandSupport
import Corpus
import Foundation
import Platform
import Probes

/// Writes a test tape and its sheet.
struct TapeMake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Write a test tape of a plan's recordings, and its sheet.",
    discussion: """
      The tape has a mark, the test signals of 'probe' (steps of level, impulses, steps of pitch, \
      vibrato), and each recording of the plan or tier, with a pause and a mark after each. Play all of \
      it, and record from before its first mark to after its last.

        choir-eval tape make smoke --output tape.wav
        choir-eval tape make Corpus/plans/first-look.yaml --minutes 3 --output tape.wav

      Exit codes: 0 good; 2 the plan or its recordings can't be read; 64 misuse.
      """)

  enum Bits: Int, CaseIterable, ExpressibleByArgument {
    case low = 16
    case high = 24
  }

  @Argument(
    help: "Plan's YAML file, or tier: \(Tier.allCases.map(\.rawValue).joined(separator: ", ")).")
  var plan: String
  @Option(name: .shortAndLong, help: "WAV file to write; the sheet stands beside it, as .yaml.")
  var output = "tape.wav"
  @Option(
    help: "Longest duration in minutes; the recordings that differ most are chosen.", in: 0.2...240)
  var minutes: Double?
  @Option(help: "Sample rate: 44100 or 48000.") var rate = TapeMaker.Rate.studio
  @Option(help: "Bits of a sample: 16 or 24.") var bits = Bits.high
  @Flag(help: "Write two equal channels.") var stereo = false
  @Flag(help: "Leave out the test signals, which take half a minute.") var voicesOnly = false
  @OptionGroup var place: CorpusOption
  @OptionGroup var overwriting: Overwriting

  func validate() throws {
    guard output.lowercased().hasSuffix(".wav") else {
      throw ValidationError("--output is \(output); a tape is a WAV file, such as tape.wav.")
    }
  }

  func run() throws {
    let sheetPath = String(output.dropLast(4)) + ".yaml"
    var files = OutputFiles(reading: [plan], force: overwriting.force)
    for path in [output, sheetPath] { try files.claim(path) }
    let corpus = try place.read()
    let tests = voicesOnly ? [] : TapeTest.allCases
    let maker =
      if let tier = Tier(rawValue: plan) {
        try TapeMaker(tier: tier, in: corpus, rate: rate, tests: tests, minutes: minutes)
      } else {
        try TapeMaker(
          plan: try place.plan(plan), in: corpus, rate: rate, tests: tests, minutes: minutes)
      }
    Terminal.stage("laying out the tape")
    var (sound, sheet) = try maker.tape()
    let channels = Array(repeating: sound.samples, count: stereo ? 2 : 1)
    try AudioFile(channels: channels, sampleRateHz: sound.sampleRateHz)
      .write(to: output, encoding: .wav(bits == .low ? .int16 : .int24))
    sheet.sha256 = try Digest.sha256(ofFile: URL(fileURLWithPath: output))
    try WholeFile.write(sheet.text(), to: sheetPath)
    print(
      """
      wrote \(output), \(ProgressBar.clock(sheet.durationSeconds)) long: \
      \(counted(sheet.parts.count, "recording")), \(counted(sheet.marks.count, "mark"))
      wrote \(sheetPath), which 'tape read' needs

      next: play all of it through the system, and record what comes out. Then
        choir-eval tape check \(sheetPath.forShell) recorded.wav --intervals 4
      """)
  }
}

extension TapeMaker.Rate: ExpressibleByArgument {}
