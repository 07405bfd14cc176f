import ArgumentParser
import AudioFile
import DSP
import Evaluation
import Foundation
import Harmonizer

struct Harmonize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a choir of one recording.",
    discussion: """
      Two voices, a third and a fifth above, with the lead at half its level:
        choir-eval harmonize in.wav out.wav --intervals 4,7 --dry 0.5
      """)

  /// The engines that transpose a voice.
  enum Engine: String, ExpressibleByArgument, CaseIterable { case delayline }

  @Argument(help: "Recording: WAV, FLAC, AIFF, Ogg, Opus or MP3; channels are averaged.")
  var input: String
  @Argument(help: "File to write; its extension chooses the format.") var output: String
  @Option(
    parsing: .unconditional, help: "Semitones above the lead, one for each of 1 to 16 voices.")
  var intervals: Intervals
  @Option(help: "How voices are transposed.") var engine = Engine.delayline
  @Option(help: "Length of one sweep of the delay line.") var windowMs = 23.2
  @Option(help: "Overlap of its two taps, at most the window.") var crossfadeMs = 11.6
  @Option(help: "Level of the lead in the mix, 0 to 4.") var dry = 0.0
  @Option(help: "Frames in a block.") var block = 128
  @Option(help: "Folder to write each voice to.") var stems: String?
  @Option(help: "File for the truth log: what each voice was meant to do, block by block.")
  var truth: String?

  /// Numbers with commas between.
  struct Intervals: ExpressibleByArgument {
    var semitones: [Double]

    init?(argument: String) {
      let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
      guard !numbers.isEmpty, numbers.count == parts.count else { return nil }
      semitones = numbers
    }
  }

  private var settings: Harmonizer.Settings {
    Harmonizer.Settings(
      voices: intervals.semitones.map { .init(intervalSemitones: $0) }, dryGain: dry,
      engine: .delayLine(.init(windowMs: windowMs, crossfadeMs: crossfadeMs)))
  }

  func validate() throws {
    do {
      try settings.validate()
      try require("block", Double(block), in: 1...65_536)
    } catch { throw ValidationError("\(error).") }
  }

  func run() throws {
    let source = try AudioFile(reading: input).mono
    let rendering = try ReferenceSubject.render(
      source, settings, blockSize: block, logging: truth != nil)
    try write(rendering.mix, to: output)
    if let stems {
      let folder = URL(fileURLWithPath: stems)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (index, stem) in rendering.stems.enumerated() {
        try write(stem, to: folder.appendingPathComponent("voice\(index + 1).wav").path)
      }
    }
    if let truth, let log = rendering.truthLog {
      try JSON.text(log).write(toFile: truth, atomically: true, encoding: .utf8)
    }
    let latency = format(rendering.reportedLatencyMs, 1)
    let factor = format(rendering.cpuSeconds / max(source.durationSeconds, 1e-9), 4)
    print(
      "\(output): \(intervals.semitones.count) voices, \(format(source.durationSeconds, 2)) s, "
        + "\(latency) ms late, real-time factor \(factor)")
  }

  private func write(_ signal: Signal, to path: String) throws {
    let clipped = try signal.write(to: path)
    if clipped > 0 {
      Terminal.printError(
        "warning: \(path): \(clipped) samples were clipped; write .wav, or lower --dry")
    }
  }
}
