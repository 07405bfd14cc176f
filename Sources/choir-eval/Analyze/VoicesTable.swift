import Analyzer
import Corpus
import DSP
import Foundation
import Platform
import Subjects

/// The pitches of several voices in one sound, separated around the pitch expected of each.
struct VoicesTable {
  private let rows: [Row]

  /// - Parameter path: a file of `time_s,f0_1_hz,f0_2_hz,…`; each row holds until the next, and 0 is
  ///   a silent voice.
  init(reading path: String) throws {
    guard let text = try? GivenFile.text(at: URL(fileURLWithPath: path)) else {
      throw Refusal(path, "can't be read; check the path")
    }
    let table = DelimitedText(text, path: path, separator: .comma)
    rows = try table.body.map { row in
      let numbers = try row.fields.indices.map { try table.number(row, $0) }
      guard numbers.count >= 2, numbers.allSatisfy({ $0 >= 0 }) else {
        throw table.error(row, "is no row; write time_s,f0_1_hz,f0_2_hz,…")
      }
      return Row(seconds: numbers[0], f0Hz: Array(numbers[1...]))
    }
    guard let first = rows.first else {
      throw Refusal(path, "has no rows; write time_s,f0_1_hz,f0_2_hz,… below the header")
    }
    guard rows.allSatisfy({ $0.f0Hz.count == first.f0Hz.count }),
      zip(rows, rows.dropFirst()).allSatisfy({ $0.seconds < $1.seconds })
    else {
      throw Refusal(
        path, "rows differ in their number of voices, or are out of order; sort them by time")
    }
  }

  /// Writes `time_s,voice,f0_hz,uncertainty_cents,explained,unheard`; f0 is 0 where a voice is unheard.
  ///
  /// - Returns: processor time for each frame and voice; `nil` if no voice was expected.
  func write(of sound: some SoundSource, hopMs: Double, to path: String) throws -> Double? {
    let began = ThreadClock.seconds
    var answers = 0
    try AnalysisTable("time_s,voice,f0_hz,uncertainty_cents,explained,unheard") { take in
      try forEachStretch(of: sound, hopMs: hopMs) { fit, start, frames in
        var row = 0
        for frame in frames {
          let time = Double(frame) * hopMs / 1000
          while row + 1 < rows.count, rows[row + 1].seconds <= time { row += 1 }
          guard rows[row].seconds <= time else { continue }
          let sung = rows[row].f0Hz.indices.filter { rows[row].f0Hz[$0] > 0 }
          guard !sung.isEmpty else { continue }
          answers += sung.count
          let found = fit.fits(atSeconds: time - start, expectedHz: sung.map { rows[row].f0Hz[$0] })
          for (voice, answer) in zip(sung, found) {
            try take(String(format: "%.4f,%d,", time, voice + 1) + Self.text(answer))
          }
        }
      }
    }.write(to: path)
    return answers > 0 ? (ThreadClock.seconds - began) * 1000 / Double(answers) : nil
  }

  private static func text(_ answer: JointHarmonicFit.Outcome) -> String {
    switch answer {
    case .success(let fit):
      String(format: "%.4f,%.4f,%.4f,", fit.f0Hz, fit.uncertaintyCents, fit.explained)
    case .failure(let reason): "0,,,\(reason.rawValue)"
    }
  }

  /// Passes on stretches of 30 s that begin at whole seconds, each with one more second on either
  /// side; the windows are far shorter than that.
  private func forEachStretch(
    of sound: some SoundSource, hopMs: Double,
    _ body: (_ fit: JointHarmonicFit, _ start: Double, _ frames: Range<Int>) throws -> Void
  ) throws {
    let (hop, rate) = (hopMs / 1000, sound.sampleRateHz)
    let last = Int(sound.durationSeconds / hop)
    for second in stride(from: 0.0, through: sound.durationSeconds, by: 30) {
      let start = max(0, second - 1)
      let range = Int(start * rate)..<min(sound.count, Int((second + 31) * rate))
      let fit = JointHarmonicFit(of: Signal(try sound.samples(range), sampleRateHz: rate))
      let (from, to) = (Int((second / hop).rounded(.up)), Int(((second + 30) / hop).rounded(.up)))
      try body(fit, start, min(from, last + 1)..<min(to, last + 1))
    }
  }

  private struct Row {
    var seconds: Double
    var f0Hz: [Double]
  }
}
