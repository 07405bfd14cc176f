import DSP
import Foundation
import Testing

@testable import Analyzer

/// Recall and false alarms of click detection on sounds of one's own; run by `scripts/judge/clicks.py`.
@Suite struct ClicksTable {
  private static let folder = ProcessInfo.processInfo.environment["CLICKS_TABLE_OF"]

  /// Single samples of known height, two a second where the voice sounds, in raw files named
  /// `NAME.RATE.f32`.
  @Test(.enabled(if: folder != nil)) func recallAndFalseAlarms() throws {
    let folder = URL(fileURLWithPath: Self.folder!)
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
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
        let (spoiled, times) = Dose.clicks(voice, db: db, everySeconds: 0.5)
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
      print("clicks", file.lastPathComponent, "false", own.clicks.count, "found", row)
    }
    print(
      "clicks: \(files.count) sounds, \(minutes) min, \(Double(alarms) / minutes) false alarms a minute"
    )
    for (db, hit) in zip(dosesDb, hits) { print("clicks: \(db) dBFS, found \(hit) of \(all)") }
  }
}
