import ArgumentParser
import AudioFile
import Foundation
import Singer

struct Synth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write performances of the synthetic singer, with their exact truth.",
    discussion: """
      Beside NAME.wav stand NAME.f0.csv, NAME.formants.csv, NAME.notes.csv and NAME.phones.csv.
        choir-eval synth --list
        choir-eval synth scale-tenor vowels-bass --output clips
        choir-eval synth scale-tenor --transpose 7 --output clips    the same mouth, a fifth up
      """)

  @Argument(help: "Names of performances.") var names: [String] = []
  @Flag(help: "List what there is to sing.") var list = false
  @Flag(help: "Write every performance there is.") var all = false
  @Option(help: "Folder to write to.") var output = "."
  @Option(parsing: .unconditional, help: "Semitones by which to sing higher.") var transpose = 0.0
  @Option(help: "Multiplies the voices' jitter and shimmer; 0 sings perfectly regular periods.")
  var jitter = 1.0
  @Option(help: "Sample rate.") var rateHz = 48_000.0

  func validate() throws {
    guard list || all || !names.isEmpty else {
      throw ValidationError("Name a performance, or see them all with --list.")
    }
    guard (-36...36).contains(transpose) else {
      throw ValidationError("--transpose is \(transpose); choose -36 to 36.")
    }
    guard (0...3).contains(jitter) else {
      throw ValidationError("--jitter is \(jitter); choose 0 to 3.")
    }
  }

  func run() throws {
    if list {
      var table = TextTable(header: ["name", "voice", "shows"])
      table.rows = Songbook.entries.map { [$0.id, $0.voice, $0.shows] }
      return print(table.text())
    }
    let folder = URL(fileURLWithPath: output)
    // All names are known before the first file is written.
    let performances = try (all ? Songbook.entries.map(\.id) : names).map { name in
      (name: name, performance: try Songbook.performance(id: name))
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, performance) in performances {
      try write(performance, as: name, to: folder)
    }
  }

  private func write(_ performance: Performance, as name: String, to folder: URL) throws {
    let sung = transpose == 0 ? performance : performance.transposed(bySemitones: transpose)
    let rendering = try sung.withIrregularity(times: jitter).render(sampleRateHz: rateHz)
    let stem = folder.appendingPathComponent(transpose == 0 ? name : "\(name)\(signed)").path
    try rendering.signal.write(to: "\(stem).wav")
    let truth = rendering.truth
    for (kind, table) in [
      ("f0", truth.f0Table()), ("formants", truth.formantTable()), ("notes", truth.noteTable()),
      ("phones", truth.phoneTable()),
    ] {
      try table.csv.write(toFile: "\(stem).\(kind).csv", atomically: true, encoding: .utf8)
    }
    print("\(stem).wav: \(format(rendering.signal.durationSeconds, 2)) s")
  }

  /// "+7", "-5", "+0.5".
  private var signed: String {
    (transpose > 0 ? "+" : "") + String(format: "%g", transpose)
  }
}
