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
          Values(workbench.metrics[index]), as: Self.valuesName(index), to: report)
      }
    }
    for result in written { try result.get() }
    for lane in lanes {
      try PageScripts.deliver(lane.voices().map(Trace.init), as: laneName(lane), to: report)
    }
  }

  private static func valuesName(_ index: Int) -> String { "values-\(index)" }

  private func laneName(_ lane: Workbench.Lane) -> String {
    "lanes-\(workbench.keys[lane.row].prefix(Workbench.keyDigits))"
  }

  // MARK: Cells

  private struct Cells: Encodable {
    let count: Int
    /// Six bytes of each key.
    let keys: Data
    let columns: [Workbench.Column]
    let metrics: [Metric]
    let voices: [String]
    let lanes: [Lane]

    struct Metric: Encodable {
      let id, title, unit, better, file: String
      let ideal: Double
    }

    struct Lane: Encodable {
      let row: Int
      let name: String
      let sounds: [Sound]
    }

    struct Sound: Encodable {
      let name, detail, file: String
      let gainDb: Double
    }
  }

  private var cells: Cells {
    Cells(
      count: workbench.keys.count, keys: Self.bytes(of: workbench.keys),
      columns: workbench.columns,
      metrics: workbench.metrics.enumerated().map { index, metric in
        Cells.Metric(
          id: metric.id, title: metric.title, unit: metric.unit, better: metric.better,
          file: Self.valuesName(index), ideal: metric.ideal)
      },
      voices: workbench.voices,
      lanes: lanes.map { Cells.Lane(row: $0.row, name: laneName($0), sounds: heard($0.sounds)) })
  }

  private func heard(_ heard: [Sound]) -> [Cells.Sound] {
    let items = heard.compactMap { sounds.item($0) }
    let gainsDb = LoudnessMatch(items.map(\.level)).gainsDb
    return zip(heard, zip(items, gainsDb)).map { sound, stored in
      Cells.Sound(
        name: sound.name, detail: sound.detail, file: stored.0.file, gainDb: stored.1 ?? 0)
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

  // MARK: Values and traces

  private struct Values: Encodable {
    let voices: [Voice]
    let reasons: [String]

    struct Voice: Encodable {
      let voice: Int
      let numbers: Data
    }

    init(_ metric: Workbench.Metric) {
      voices = metric.voices.map { Voice(voice: $0.voice, numbers: $0.values.data) }
      reasons = metric.reasons
    }
  }

  private struct Trace: Encodable {
    let name: String
    let hopS: Double
    let target, heard: Data

    init(_ voice: Workbench.Lane.Voice) {
      (name, hopS) = (voice.name, voice.hopS)
      (target, heard) = (voice.targetHz.data, voice.heardHz.data)
    }
  }
}

extension Workbench.Column: Encodable {
  private enum Key: CodingKey { case name, title, texts, rows, width }

  /// Encodes the numbers of the texts as bytes, `width` for each.
  func encode(to encoder: any Encoder) throws {
    let width = texts.count <= 256 ? 1 : texts.count <= 65_536 ? 2 : 4
    let data =
      switch width {
      case 1: Data(rows.map { UInt8(truncatingIfNeeded: $0) })
      case 2: rows.map { UInt16(truncatingIfNeeded: $0).littleEndian }.withUnsafeBytes { Data($0) }
      default: rows.map(\.littleEndian).withUnsafeBytes { Data($0) }
      }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(title, forKey: .title)
    try container.encode(texts, forKey: .texts)
    try container.encode(data, forKey: .rows)
    try container.encode(width, forKey: .width)
  }
}
