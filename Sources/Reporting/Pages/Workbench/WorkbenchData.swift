import Foundation
import Platform

/// The data of the workbench: its cells, the values of each metric, and the pitch of the lanes.
struct WorkbenchData {
  let workbench: Workbench
  let lanes: [Workbench.Lane]
  let sounds: SoundStore

  init(_ workbench: Workbench, sounds: SoundStore) {
    (self.workbench, self.sounds) = (workbench, sounds)
    lanes = workbench.heard(sounds)
  }

  func write(to report: URL) throws {
    try PageScripts.deliver(cells, as: "cells", to: report)
    let written = Array(workbench.metrics.indices).concurrentMap { index in
      Result {
        try PageScripts.deliver(
          Self.values(workbench.metrics[index]), as: Self.valuesName(index), to: report)
      }
    }
    for result in written { try result.get() }
    for lane in lanes {
      let traces = try lane.voices().map { voice -> JSONObject in
        [
          "name": voice.name, "hopS": voice.hopS, "target": voice.targetHz.data,
          "heard": voice.measuredHz.data,
        ]
      }
      try PageScripts.deliver(traces, as: laneName(lane), to: report)
    }
  }

  private static func values(_ metric: Workbench.Metric) -> JSONObject {
    [
      "voices": metric.voices.map { voice -> JSONObject in
        ["voice": voice.voice, "numbers": voice.values.data]
      },
      "reasons": metric.reasons,
    ]
  }

  private static func valuesName(_ index: Int) -> String { "values-\(index)" }

  private func laneName(_ lane: Workbench.Lane) -> String {
    "lanes-\(workbench.keys[lane.row].prefix(Workbench.keyDigits))"
  }

  // MARK: Cells

  private var cells: JSONObject {
    [
      "count": workbench.keys.count, "keys": Self.bytes(of: workbench.keys),
      "columns": workbench.columns,
      "metrics": workbench.metrics.enumerated().map { index, metric -> JSONObject in
        [
          "id": metric.id, "title": metric.title, "unit": metric.unit, "better": metric.better,
          "file": Self.valuesName(index), "ideal": metric.ideal,
        ]
      },
      "voices": workbench.voices,
      "lanes": lanes.map { lane -> JSONObject in
        ["row": lane.row, "name": laneName(lane), "sounds": stored(lane.sounds)]
      },
    ]
  }

  private func stored(_ lane: [Sound]) -> [JSONObject] {
    let items = lane.compactMap { sounds.item($0) }
    let gainsDb = LoudnessMatch(items.map(\.level)).gainsDb
    return zip(lane, zip(items, gainsDb)).map { sound, stored in
      [
        "name": sound.name, "detail": sound.detail, "file": stored.0.file,
        "gainDb": stored.1 ?? 0,
      ]
    }
  }

  /// Returns the first digits of each key as bytes; shorter keys end in zeros.
  private static func bytes(of keys: [String]) -> Data {
    var data = Data(capacity: keys.count * Workbench.keyDigits / 2)
    for key in keys {
      var digits = key.utf8.makeIterator()
      for _ in 0..<Workbench.keyDigits / 2 {
        data.append(digit(digits.next()) << 4 | digit(digits.next()))
      }
    }
    return data
  }

  private static func digit(_ letter: UInt8?) -> UInt8 {
    switch letter {
    case .some(let letter) where (48...57).contains(letter): letter - 48
    case .some(let letter) where (97...102).contains(letter): letter - 87
    default: 0
    }
  }
}

extension Workbench.Column: Encodable {
  /// Encodes the numbers of the texts as bytes, `width` for each.
  func encode(to encoder: any Encoder) throws {
    let width = texts.count <= 256 ? 1 : texts.count <= 65_536 ? 2 : 4
    let data =
      switch width {
      case 1: Data(rows.map { UInt8(truncatingIfNeeded: $0) })
      case 2: rows.map { UInt16(truncatingIfNeeded: $0).littleEndian }.withUnsafeBytes { Data($0) }
      default: rows.map(\.littleEndian).withUnsafeBytes { Data($0) }
      }
    let column: JSONObject = [
      "name": name, "title": title, "texts": texts, "rows": data, "width": width,
    ]
    try column.encode(to: encoder)
  }
}
