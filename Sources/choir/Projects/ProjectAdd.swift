import ArgumentParser
import AudioFile
import CommandSupport
import Effects
import Foundation
import Harmonizer
import Instrument
import Music

extension ProjectCommand {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a recording, a preset, a sequence or a take.",
      discussion: """
        Files are copied into the project. A take is a recording with what its voices sing and how it \
        sounds: a sequence of the project or a chord, a preset, and effects after it.

          choir project add song --recording voice.wav --as lead --start 0.5 --end 4
          choir project add song --preset gospel
          choir project add song --sequence verse.mid
          choir project add song --take verse-1 --of lead --sings verse --preset gospel
          choir project add song --take pad --of lead --chord C:maj7 --effects "reverb"
        """)

    @Argument(help: "Name of the project.") var project: String
    @Option(help: "Sound file to add: \(AudioFormat.allNames).", completion: .sound)
    var recording: String?
    @Option(help: "MIDI file, or score in YAML, to add.", completion: .file()) var sequence: String?
    @Option(help: "Preset by name, or JSON file of one, to add; with --take, the take's preset.")
    var preset: String?
    @Option(help: "Name of a take to add.") var take: String?
    @Option(name: .customLong("as"), help: "Name of the item; by default that of the file.")
    var itemName: String?
    @OptionGroup(title: "Recording") var sample: SampleOptions
    @OptionGroup(title: "Take") var parts: TakeOptions
    @OptionGroup var place: Library

    func validate() throws {
      let kinds = ["--recording", "--sequence"] + (take == nil ? ["--preset"] : ["--take"])
      guard givenFlags.contains(where: kinds.contains) else {
        throw ValidationError("Nothing to add; give --recording, --preset, --sequence or --take.")
      }
      try refuseSeveral(kinds, "are both given; add one item at a time.")
      guard recording != nil || sample.givenFlags.isEmpty else {
        throw ValidationError("\(sample.givenFlags[0]) is for --recording; leave it out.")
      }
      guard take != nil || parts.givenFlags.isEmpty else {
        throw ValidationError("\(parts.givenFlags[0]) is for --take; leave it out.")
      }
      if take != nil, itemName != nil {
        throw ValidationError("--as is for files; leave it out: --take is the name.")
      }
      if take != nil, parts.of == nil {
        throw ValidationError("--take needs a recording; add --of, such as --of lead.")
      }
      _ = try sample.settings()
      _ = try name()
      _ = try parts.take(named: ProjectName("x"), preset: nil)
    }

    func run() throws {
      var project = try place.library.project(named: project)
      let name = try name()
      if let recording {
        try project.add(
          recording: URL(fileURLWithPath: recording), as: name, sample: sample.settings())
      } else if let sequence {
        try project.add(sequence: URL(fileURLWithPath: sequence), as: name)
      } else if take != nil {
        return try addTake(name, to: &project)
      } else if let preset {
        try project.add(try PresetChoice.preset(named: preset), as: name)
      }
      print("\(project.name): added the \(kind) \(name)")
    }

    private var kind: ProjectItem {
      recording != nil ? .recording : sequence != nil ? .sequence : take != nil ? .take : .preset
    }

    private func name() throws -> ProjectName {
      if let take { return try ProjectCommand.name(take, "--take") }
      if let itemName { return try ProjectCommand.name(itemName, "--as") }
      let file = recording ?? sequence ?? preset ?? ""
      let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      return try ProjectCommand.name(name, "add --as: the file's name gives none")
    }

    /// Adds a take; a built-in preset that the project does not have yet comes with it.
    private func addTake(_ name: ProjectName, to project: inout Project) throws {
      let before = project.file.names(of: .preset)
      let stored = before.first { $0.description == preset }
      let brought = try stored == nil ? preset.map { try PresetChoice.preset(named: $0) } : nil
      let own = try brought.map { try ProjectCommand.name($0.name, "--preset") }
      try project.add(parts.take(named: name, preset: stored ?? own), bringing: brought)
      if let own, !before.contains(own) { print("\(project.name): added the preset \(own)") }
      print("\(project.name): added the take \(name)")
    }
  }
}

/// The part of a recording to play.
struct SampleOptions: ParsableArguments {
  @Option(help: "Start of the part to play, in seconds.", in: 0...86_400) var start: Double?
  @Option(help: "End of the part to play, in seconds.", in: 0...86_400) var end: Double?
  @Option(help: "Speed; 2 is half as long and an octave up.", in: Sample.speeds) var speed: Double?
  @Option(help: "Level.", in: -120...40) var gainDb: Double?
  @Option(help: "Part to repeat, FROM-TO in seconds of the recording, such as 1.2-2.5; or none.")
  var loop: String?

  /// Returns settings with the flags' changes.
  func settings(changing sample: Sample.Settings = Sample.Settings()) throws -> Sample.Settings {
    var sample = sample
    if let start { sample.startSeconds = start }
    if let end { sample.endSeconds = end }
    if let speed { sample.speed = speed }
    if let gainDb { sample.gainDb = gainDb }
    if let loop { sample.loop = try Self.loop(loop) }
    if let end = sample.endSeconds, end <= sample.startSeconds {
      throw ValidationError(
        "--end is \(end.typed); choose more than the start, \(sample.startSeconds.typed) s."
      )
    }
    return sample
  }

  private static func loop(_ text: String) throws -> Sample.Loop? {
    guard text != "none" else { return nil }
    let ends = text.split(separator: "-").map(String.init)
    guard ends.count == 2, let from = Double(ends[0]), let to = Double(ends[1]), from < to,
      from >= 0, to <= 86_400
    else { throw ValidationError("--loop is '\(text)'; write FROM-TO, such as 1.2-2.5, or none.") }
    return Sample.Loop(startSeconds: from, endSeconds: to)
  }
}

/// The parts of a take.
struct TakeOptions: ParsableArguments {
  @Option(help: "Recording of the take.") var of: String?
  @Option(help: "Sequence of the project that the voices sing.") var sings: String?
  @Option(help: "Chord that the voices hold, such as C:maj7 or Am.") var chord: String?
  @Option(help: "Chain of effects after the preset's; see choir effects --list.")
  var effects: String?
  @Option(help: "Level of the dry lead in the mix; default: the preset's, or 0.", in: 0...4)
  var dry: Double?
  @Option(help: "Seed for all random variation.", in: Bounds.seed) var seed: UInt64?
  @Option(help: "Length of a looped recording, in seconds.", in: 0.01...3600) var seconds: Double?

  func take(named name: ProjectName, preset: ProjectName?) throws -> ProjectFile.Take {
    guard sings == nil || chord == nil else {
      throw ValidationError("--sings and --chord both choose the notes; keep one.")
    }
    var take = ProjectFile.Take(name: name, recording: try ProjectCommand.name(of ?? "x", "--of"))
    take.sequence = try sings.map { try ProjectCommand.name($0, "--sings") }
    take.chord = try chord.map { text in try named("--chord") { try Chord(named: text) } }
    take.effects = try effects.map { text in
      try named("--effects") { try EffectChain(codedText: text) }
    }
    (take.preset, take.dryGain, take.seed, take.seconds) = (preset, dry, seed, seconds)
    return take
  }
}
