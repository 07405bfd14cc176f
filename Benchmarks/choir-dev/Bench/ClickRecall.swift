import Analyzer
import ArgumentParser
import DSP
import Foundation

/// The toolkit's side of `scripts/judge/clicks.py`: recall and false alarms of click detection.
struct ClickRecall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clicks",
    abstract: "Count detected clicks and false alarms for scripts/judge/clicks.py.",
    discussion: """
      Single samples of known height are added, two a second where the voice sounds, to raw files of \
      32-bit floats named NAME.RATE.f32.
      """)

  @Argument(help: "Folder of sounds.") var folder: String

  func run() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "f32" }.sorted { $0.path < $1.path }
    let dosesDb = [-20.0, -30, -40, -50, -60]
    var (minutes, alarms) = (0.0, 0)
    var (hits, all) = (dosesDb.map { _ in 0 }, 0)
    for file in files {
      let rateHz = Double(file.deletingPathExtension().pathExtension)!
      let samples = try Data(contentsOf: file).withUnsafeBytes {
        Array($0.bindMemory(to: Float.self))
      }
      let voice = Signal(samples, sampleRateHz: rateHz)
      minutes += voice.durationSeconds / 60
      let own = try Clicks(in: voice)
      alarms += own.clicks.count
      var row: [Int] = []
      for (index, db) in dosesDb.enumerated() {
        let (spoiled, times) = Self.spoiled(voice, db: db)
        let sounding = times.filter { time in
          let from = Int((time - 0.01) * rateHz)
          return Signal(Array(samples[from..<from + Int(0.02 * rateHz)]), sampleRateHz: rateHz).rms
            > 0.02
        }
        let found = try Clicks(in: spoiled).clicks
        let hit = sounding.count { time in
          found.contains { abs($0.timeSeconds - time) < 0.001 }
        }
        hits[index] += hit
        row.append(hit)
        if index == 0 { all += sounding.count }
      }
      print(file.lastPathComponent, "false", own.clicks.count, "found", row)
    }
    print(
      "\(files.count) sounds, \(minutes) min, \(Double(alarms) / minutes) false alarms a minute"
    )
    for (db, hit) in zip(dosesDb, hits) { print("\(db) dBFS, found \(hit) of \(all)") }
  }

  /// The sound with clicks of `db` dBFS added, and the times of the clicks.
  private static func spoiled(_ signal: Signal, db: Double) -> (Signal, [Double]) {
    var spoiled = signal
    var random = SeededGenerator(seed: 4)
    var times: [Double] = []
    for time in stride(from: 0.5, to: signal.durationSeconds - 0.2, by: 0.5) {
      let index = Int((time + 0.2 * (random.uniform() - 0.5)) * signal.sampleRateHz)
      spoiled.samples[index] += Float(pow(10, db / 20)) * (random.uniform() < 0.5 ? 1 : -1)
      times.append(Double(index) / signal.sampleRateHz)
    }
    return (spoiled, times)
  }
}
