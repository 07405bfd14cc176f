import ArgumentParser
import AudioFile
import CommandSupport
import DSP
import Foundation
import Platform
import Singer

struct Synth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render performances of the synthetic singer with their exact ground truth.",
    discussion: """
      Use it to test an analyzer on sound whose pitch, formants, notes and phones are known. They \
      are written beside NAME.wav, as NAME.f0.csv, NAME.formants.csv, NAME.notes.csv and \
      NAME.phones.csv. --semitones transposes the singing and keeps the vocal tract.

        choir synth --list
        choir synth scale-tenor vowels-bass --output clips
        choir synth scale-tenor --semitones 7 --output clips
      """)

  @Argument(help: "Names of performances.", completion: .list(Songbook.entries.map(\.id)))
  var names: [String] = []
  @Flag(help: "List the performances.") var list = false
  @Flag(help: "Write every performance.") var all = false
  @Option(help: "Folder to write to.", completion: .directory) var output = "."
  @Option(help: "Transposition in semitones; positive is up.", in: -36...36) var semitones = 0.0
  @Option(
    help: "Factor on the voice's jitter and shimmer; 0 makes perfectly regular periods.",
    in: 0...3)
  var jitter = 1.0
  @Option(help: "Sample rate.", in: Performance.ratesHz) var rateHz = 48_000.0
  @OptionGroup var overwriting: Overwriting

  func validate() throws {
    guard list || all || !names.isEmpty else {
      throw ValidationError("No performance is named; name one, or list them with --list.")
    }
  }

  func run() throws {
    if list {
      var table = TextTable(header: ["name", "voice", "shows"])
      table.rows = Songbook.entries.map { [$0.id, $0.voice, $0.shows] }
      return print(table.text())
    }
    // Checks all names before the first file is written.
    let performances = try (all ? Songbook.entries.map(\.id) : names).map { name in
      (name: name, performance: try Songbook.performance(id: name))
    }
    var outputs = OutputFiles(reading: [], force: overwriting.force)
    for (name, _) in performances {
      for ending in ["wav"] + Self.tables.map({ "\($0).csv" }) {
        try outputs.claim("\(stem(of: name)).\(ending)")
      }
    }
    let folder = URL(fileURLWithPath: output)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, performance) in performances { try write(performance, as: name) }
  }

  private static let tables = ["f0", "formants", "notes", "phones"]

  private func stem(of name: String) -> String {
    URL(fileURLWithPath: output)
      .appendingPathComponent(semitones == 0 ? name : "\(name)\(signed)").path
  }

  private func write(_ performance: Performance, as name: String) throws {
    let sung = semitones == 0 ? performance : performance.transposed(bySemitones: semitones)
    let rendering = try sung.withIrregularity(times: jitter).render(sampleRateHz: rateHz)
    let stem = stem(of: name)
    try rendering.signal.write(to: "\(stem).wav")
    let truth = rendering.truth
    let tables = [
      truth.f0Table(), truth.formantTable(), truth.noteTable(), truth.phoneTable(),
    ]
    for (kind, table) in zip(Self.tables, tables) {
      try WholeFile.write(table.csv, to: "\(stem).\(kind).csv")
    }
    print("\(stem).wav: \(format(rendering.signal.durationSeconds, 2)) s")
  }

  /// The transposition with its sign: "+7", "-5", "+0.5".
  private var signed: String {
    (semitones > 0 ? "+" : "") + String(format: "%g", semitones)
  }
}
