import Analyzer
import DSP
import Evaluation
import Foundation

/// The pitches of several voices in one sound, told apart around what each is expected to sing.
struct VoicesTable {
  /// `time_s,voice,f0_hz,uncertainty_cents,explained,unheard`; f0 0 where a voice is unheard.
  let text: String
  let msPerFrameAndVoice: Double?

  /// - Parameter expected: `time_s,f0_1_hz,f0_2_hz,…`; each row holds until the next, 0 is silent.
  init(of signal: Signal, expected: String, named name: String, hopMs: Double) throws {
    let rows = try Self.rows(of: expected, named: name)
    let fit = try JointHarmonicFit(of: signal)
    var lines = ["time_s,voice,f0_hz,uncertainty_cents,explained,unheard"]
    var (row, frames) = (0, 0)
    let began = ThreadClock.seconds
    for frame in 0...Int(signal.durationSeconds / (hopMs / 1000)) {
      let time = Double(frame) * hopMs / 1000
      while row + 1 < rows.count, rows[row + 1].seconds <= time { row += 1 }
      guard rows[row].seconds <= time else { continue }
      let sung = rows[row].f0Hz.indices.filter { rows[row].f0Hz[$0] > 0 }
      guard !sung.isEmpty else { continue }
      frames += sung.count
      let answers = fit.fits(atSeconds: time, expectedHz: sung.map { rows[row].f0Hz[$0] })
      for (voice, answer) in zip(sung, answers) {
        let start = String(format: "%.4f,%d,", time, voice + 1)
        switch answer {
        case .success(let fit):
          lines.append(
            start
              + String(format: "%.4f,%.4f,%.4f,", fit.f0Hz, fit.uncertaintyCents, fit.explained))
        case .failure(let reason): lines.append(start + "0,,,\(reason.rawValue)")
        }
      }
    }
    let tookMs = (ThreadClock.seconds - began) * 1000
    msPerFrameAndVoice = frames > 0 ? tookMs / Double(frames) : nil
    text = lines.joined(separator: "\n") + "\n"
  }

  private struct Row {
    var seconds: Double
    var f0Hz: [Double]
  }

  private static func rows(of text: String, named name: String) throws -> [Row] {
    let rows = try text.split(whereSeparator: \.isNewline).dropFirst().map { line in
      let numbers = line.split(separator: ",").compactMap {
        Double($0.trimmingCharacters(in: .whitespaces))
      }
      guard numbers.count >= 2, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
        throw TableError(name: name, problem: "'\(line)' is not time_s,f0_1_hz,f0_2_hz,…")
      }
      return Row(seconds: numbers[0], f0Hz: Array(numbers[1...]))
    }
    guard let first = rows.first else { throw TableError(name: name, problem: "no rows") }
    guard rows.allSatisfy({ $0.f0Hz.count == first.f0Hz.count }),
      zip(rows, rows.dropFirst()).allSatisfy({ $0.seconds < $1.seconds })
    else {
      throw TableError(name: name, problem: "rows need as many voices each, in order of time")
    }
    return rows
  }
}

/// What is wrong with a table that was named.
struct TableError: Error, CustomStringConvertible {
  let name: String
  let problem: String
  var description: String { "\(name): \(problem)" }
}
