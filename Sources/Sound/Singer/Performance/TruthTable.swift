import Foundation

/// The truth as rows of text for a CSV file.
public struct TruthTable: Equatable, Sendable {
  public var header: [String]
  public var rows: [[String]]

  /// The table as CSV, with fields quoted as by RFC 4180 and a line end after each row.
  public var csv: String {
    ([header] + rows).map { $0.map(quoted).joined(separator: ",") + "\n" }.joined()
  }
}

extension Truth {
  /// Columns `time_s,f0_hz,voicing` every `hopMs`; f0 and voicing are 0 if unvoiced.
  public func f0Table(hopMs: Double = 5) -> TruthTable {
    TruthTable(
      header: ["time_s", "f0_hz", "voicing"],
      rows: times(hopMs: hopMs, count: f0Hz.count, rateHz: sampleRateHz).map { time, index in
        [fixed(time, 6), fixed(f0Hz[index], 4), f0Hz[index] > 0 ? "1" : "0"]
      })
  }

  /// Columns `time_s,f1_hz,…,f5_hz,b1_hz,…,b5_hz` every `hopMs`.
  public func formantTable(hopMs: Double = 5) -> TruthTable {
    let names = (1...5).map { "f\($0)_hz" } + (1...5).map { "b\($0)_hz" }
    return TruthTable(
      header: ["time_s"] + names,
      rows: frameTimes(hopMs: hopMs).map { time, frame in
        [fixed(time, 6)] + (frame.formantsHz + frame.bandwidthsHz).map { fixed($0, 3) }
      })
  }

  /// Columns `onset_s,offset_s,f0_hz,lyric`, one row per note.
  public func noteTable() -> TruthTable {
    TruthTable(
      header: ["onset_s", "offset_s", "f0_hz", "lyric"],
      rows: notes.map {
        [fixed($0.onsetSeconds, 6), fixed($0.offsetSeconds, 6), fixed($0.f0Hz, 4), $0.lyric ?? ""]
      })
  }

  /// Columns `onset_s,offset_s,label`, one row per phone.
  public func phoneTable() -> TruthTable {
    TruthTable(
      header: ["onset_s", "offset_s", "label"],
      rows: phones.map {
        [fixed($0.onsetSeconds, 6), fixed($0.offsetSeconds, 6), $0.phone.rawValue]
      })
  }

  private func times(hopMs: Double, count: Int, rateHz: Double) -> [(Double, Int)] {
    precondition(hopMs > 0, "a hop is positive")
    let hop = hopMs / 1000
    let rows = Int(Double(count - 1) / rateHz / hop + 1e-9) + 1
    return (0..<max(rows, 0)).map { row in
      let time = Double(row) * hop
      return (time, min(Int((time * rateHz).rounded()), count - 1))
    }
  }

  private func frameTimes(hopMs: Double) -> [(Double, Frame)] {
    let rateHz = sampleRateHz / Double(frameHopSamples)
    return times(hopMs: hopMs, count: frames.count, rateHz: rateHz).map { ($0, frames[$1]) }
  }
}

private func quoted(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else {
    return text
  }
  return "\"" + text.replacing("\"", with: "\"\"") + "\""
}

private func fixed(_ value: Double, _ digits: Int) -> String {
  String(format: "%.\(digits)f", value)
}
