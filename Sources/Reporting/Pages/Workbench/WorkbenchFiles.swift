import Foundation
import Platform

/// The data of the workbench and the pads, as scripts: a page opened from disk may load scripts, but no
/// other files.
struct WorkbenchFiles {
  let workbench: Workbench
  let lanes: [Workbench.Lane]
  let sounds: SoundStore

  init(_ workbench: Workbench, sounds: SoundStore) {
    (self.workbench, self.sounds) = (workbench, sounds)
    lanes = workbench.heard(sounds)
  }

  /// Scripts of the page, relative to the report, in the order of their dependencies.
  static let scripts = [
    "data", "sounds", "cells", "search", "grid", "spectrum", "pitch", "lane-sheet", "lanes",
    "lane-view", "lane-player", "workbench",
  ]

  func write(to report: URL) throws {
    let folder = report.appendingPathComponent("data")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.save(cells, as: "cells", in: folder)
    let failures = Array(workbench.metrics.indices).concurrentMap { index in
      Result { try Self.save(values(index), as: Self.valuesName(index), in: folder) }
    }
    for failure in failures { try failure.get() }
    for lane in lanes { try Self.save(traces(lane), as: laneName(lane), in: folder) }
  }

  /// Writes `deliver("NAME", CONTENT)`, which the page's scripts define.
  static func save(_ content: some Encodable, as name: String, in folder: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text = Data("deliver(\"\(name)\", ".utf8)
    text += try encoder.encode(content)
    text += Data(")\n".utf8)
    try text.write(to: folder.appendingPathComponent("\(name).js"))
  }

  private static func valuesName(_ index: Int) -> String { "values-\(index)" }

  private func laneName(_ lane: Workbench.Lane) -> String {
    "lanes-\(workbench.keys[lane.row].prefix(Workbench.keyDigits))"
  }

  // MARK: Contents

  private struct Cells: Encodable {
    let count: Int
    /// Six bytes of each key.
    let keys: Data
    let columns: [Column]
    let metrics: [Metric]
    let voices: [String]
    let lanes: [Lane]

    struct Column: Encodable {
      let name, title: String
      let texts: [String]
      /// Numbers of `width` bytes each.
      let rows: Data
      let width: Int
    }

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
      columns: workbench.columns.map { column in
        let width = column.texts.count <= 256 ? 1 : column.texts.count <= 65_536 ? 2 : 4
        return Cells.Column(
          name: column.name, title: column.title, texts: column.texts,
          rows: Self.bytes(of: column.rows, width: width), width: width)
      },
      metrics: workbench.metrics.enumerated().map { index, metric in
        Cells.Metric(
          id: metric.id, title: metric.title, unit: metric.unit, better: metric.better,
          file: Self.valuesName(index), ideal: metric.ideal)
      },
      voices: workbench.voices,
      lanes: lanes.map {
        Cells.Lane(row: $0.row, name: laneName($0), sounds: Self.heard($0.sounds, sounds))
      })
  }

  private static func heard(_ heard: [Sound], _ store: SoundStore) -> [Cells.Sound] {
    let items = heard.compactMap { store.item($0) }
    let gainsDb = LoudnessMatch(items.map(\.level)).gainsDb
    return zip(heard, zip(items, gainsDb)).map { sound, stored in
      Cells.Sound(
        name: sound.name, detail: sound.detail, file: stored.0.file, gainDb: stored.1 ?? 0)
    }
  }

  private struct Values: Encodable {
    let voices: [Voice]
    let reasons: [String]

    struct Voice: Encodable {
      let voice: Int
      let numbers: Data
    }
  }

  private func values(_ index: Int) -> Values {
    let metric = workbench.metrics[index]
    return Values(
      voices: metric.voices.map { Values.Voice(voice: $0.voice, numbers: $0.values.data) },
      reasons: metric.reasons)
  }

  private struct Trace: Encodable {
    let name: String
    let hopS: Double
    let target, heard: Data
  }

  private func traces(_ lane: Workbench.Lane) throws -> [Trace] {
    try lane.voices().map {
      Trace(name: $0.name, hopS: $0.hopS, target: $0.targetHz.data, heard: $0.heardHz.data)
    }
  }

  // MARK: Bytes

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

  private static func bytes(of numbers: [UInt32], width: Int) -> Data {
    switch width {
    case 1: Data(numbers.map { UInt8(truncatingIfNeeded: $0) })
    case 2: numbers.map { UInt16(truncatingIfNeeded: $0).littleEndian }.withUnsafeBytes { Data($0) }
    default: numbers.map(\.littleEndian).withUnsafeBytes { Data($0) }
    }
  }
}
