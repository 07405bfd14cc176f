import ArgumentParser
import AudioFile
import CommandSupport
import Corpus
import Foundation
import Music
import Platform
import Probes
import Subjects

/// Reads recordings of a test tape into a folder subject and a plan.
struct TapeRead: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Find the voices of a test tape in a recording of it.",
    discussion: """
      Say what the system sang, and what it was set to. The folder is a subject with a plan; read further \
      takes into the same folder for a sweep.

        choir-eval tape read recorded.wav --intervals 4 --output take
        choir-eval tape read a.wav b.wav --key "A major" --set speed=20,60 --output takes
        choir-eval tune takes/plan.yaml

      Start, drift and gain of the recorder are undone. With --dry-channel, a channel on which the tape \
      itself was recorded, latency and level are those of the system; otherwise they are undefined.

      Exit codes: 0 good; 2 a recording can't be used: the reason is printed; 64 misuse.
      """)

  @OptionGroup var tape: TapeOptions
  @Option(
    name: .shortAndLong, help: "Folder to write; takes in it are kept.", completion: .directory)
  var output: String
  @Flag(help: "Print what was found as JSON.") var json = false

  func run() throws {
    let (folder, readings) = try tape.read(into: URL(fileURLWithPath: output, isDirectory: true))
    if json { return print(try JSON.text(readings)) }
    for reading in readings { print(TapeText.answer(reading)) }
    let plan = folder.plan.relativeToHere.forShell + tape.place.words.map { " \($0)" }.joined()
    print(
      """

      wrote \(folder.subject.relativeToHere) and \(folder.plan.relativeToHere), with \
      \(counted(folder.takes.count, "take")); next:
        choir-eval run \(plan)\(folder.takes.count > 1 ? "\n  choir-eval tune \(plan)" : "")
        choir-eval report
      """)
  }
}

extension TapeOptions {
  /// A recording with what was found in it.
  struct NamedReading: Encodable {
    var file: String
    var reading: TapeReading
    var findings: [ProbeFinding]

    /// Faults of the recording, and the parts that it lost.
    var remarks: [String] {
      reading.warnings
        + reading.lostParts.sorted { $0.key < $1.key }.map { "left out \($0.key): \($0.value)" }
    }
  }

  /// Reads all recordings into a folder.
  ///
  /// - Throws: `ExitCode(2)` after an error if a recording can't be used.
  func read(into url: URL) throws -> (folder: TapeFolder, readings: [NamedReading]) {
    let sheet = try TapeSheet(reading: URL(fileURLWithPath: self.sheet))
    try sheet.check(against: place.read())
    let score = try score(of: sheet)
    let settings = try settings()
    // A channel that is chosen by number is the only one in the folder.
    let channels = try channelChoice().flatMap { $0.number == nil ? $0 : nil }
    var folder = try TapeFolder(
      url, TapeFolder.Output(channels: channels, dry: dry, tape: sheet.sha256))
    var readings: [NamedReading] = []
    for (number, path) in recordings.enumerated() {
      let sound = try AudioFile(named: path)
      Terminal.stage("reading \(path)")
      let reading: TapeReading
      do {
        reading = try TapeReading(
          sound, of: sheet, score: score, channel: channelChoice()?.number,
          dryChannel: dryChannel, isByCable: byCable)
        try check(reading)
      } catch let error as Refusal {
        Terminal.printError("\(path) \(error)")
        throw ExitCode(2)
      }
      let parts = sheet.parts.filter { reading.lostParts[$0.recording] == nil }
      let take = TapeFolder.Take(
        score: score, settings: settings[number], file: path, recordings: parts.map(\.recording),
        unmeasured: reading.unmeasured)
      try folder.check(take, replacing: overwriting.force)
      try folder.add(take, parts: parts.map { ($0.recording, reading.part($0)) })
      readings.append(NamedReading(file: path, reading: reading, findings: reading.findings))
    }
    try folder.writeDescriptions()
    return (folder, readings)
  }

  /// Checks that the channels are what the user says.
  private func check(_ reading: TapeReading) throws {
    let choice = try channelChoice()
    switch choice {
    case .stereo where reading.channelCount != 2, .voices where reading.channelCount < 2:
      throw Refusal(
        "has \(counted(reading.channelCount, "channel")) of the system, but --channels is "
          + "\(channels!): it was recorded in mono from a stereo output; record all its channels")
    case .stereo where reading.channelsAreEqual, .voices where reading.channelsAreEqual:
      throw Refusal(
        "has equal channels, but --channels is \(channels!): it was recorded in mono from a stereo "
          + "output; record its channels apart, or leave --channels out")
    case nil where !reading.channelsAreEqual:
      throw Refusal(
        "has \(reading.channelCount) channels that differ; say what they hold with --channels: "
          + "average, stereo, voices, the number of one, or a list such as lead,1,2")
    default: break
    }
    if let silent = reading.silentChannel {
      throw Refusal(
        "is silent on channel \(silent): one side of a stereo output was recorded; connect both, "
          + "or choose the other with --channels")
    }
  }

  // MARK: What it was set to

  /// The settings of each recording.
  func settings() throws -> [SubjectSettings] {
    var all = Array(repeating: SubjectSettings(), count: recordings.count)
    for word in set {
      let (name, text) = try NamedValues.halves(word, of: "--set")
      let values = text.split(separator: ",", omittingEmptySubsequences: false)
      guard values.count == 1 || values.count == recordings.count else {
        throw ValidationError(
          "--set \(word) has \(values.count) values for \(counted(recordings.count, "recording")); "
            + "write one for each, or one for all.")
      }
      for place in all.indices {
        all[place][name] = NamedValues.value(values[values.count == 1 ? 0 : place])
      }
    }
    return all
  }

  func channelChoice() throws -> ChannelChoice? {
    guard let channels else { return nil }
    let words = channels.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let json = words.count > 1 ? try JSON.text(words) : try JSON.text(channels)
    do {
      return try JSONDecoder().decode(ChannelChoice.self, from: Data(json.utf8))
    } catch DecodingError.dataCorrupted(let context) {
      throw ValidationError("--channels \(context.debugDescription).")
    }
  }

  /// The score that the system sang.
  private func score(of sheet: TapeSheet) throws -> Score {
    if let intervals { return Score(id: "intervals", intervalsSemitones: intervals.values) }
    if let key {
      let named: Key
      do { named = try Key(named: key) } catch { throw ValidationError("--key: \(error).") }
      guard let degrees else { return Score(id: "tuned", .tuned(named)) }
      let steps = degrees.split(separator: ",").map { Int($0.trimmingCharacters(in: .whitespaces)) }
      guard !steps.isEmpty, !steps.contains(nil), !steps.contains(0) else {
        throw ValidationError("--degrees is '\(degrees)'; write whole numbers, such as -6,3,5.")
      }
      return Score(id: "degrees", .degrees(steps.compactMap(\.self), of: named))
    }
    if let score {
      if let known = sheet.scores.first(where: { $0.id == score }) { return known }
      let file = place.folder.appendingPathComponent("scores/\(score).yaml")
      guard FileManager.default.fileExists(atPath: file.path) else {
        let names = sheet.scores.map(\.id)
        throw ValidationError(
          "--score: neither the tape's plan nor the corpus has a score '\(score)'; "
            + (names.isEmpty ? "" : "choose \(names.joined(separator: ", ")), or ")
            + "say what was sung with --intervals or --key.")
      }
      return try Score(reading: file)
    }
    guard sheet.scores.count == 1 else {
      throw ValidationError(
        "Say what the system sang: --intervals -5,4,7, or --key \"C major\" for a tuner"
          + (sheet.scores.isEmpty
            ? "." : ", or --score with one of \(sheet.scores.map(\.id).joined(separator: ", "))."))
    }
    return sheet.scores[0]
  }
}

extension ChannelChoice {
  /// The number of a single channel; `nil` for any other choice.
  fileprivate var number: Int? { if case .channel(let number) = self { number } else { nil } }
}
