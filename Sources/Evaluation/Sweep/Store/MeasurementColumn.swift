import Foundation
import Metrics

/// Measurements of one metric over cells in order; 18 bytes a measurement and 4 a cell.
struct MeasurementColumn: Equatable, Sendable {
  /// First row of each cell, then the first row of the next cell to come.
  private(set) var starts: [UInt32] = [0]
  /// Value of each row; 0 if it is undefined.
  private(set) var values: [Double] = []
  /// Index of the reason in the table's reasons; -1 for a defined value.
  private(set) var reasons: [Int32] = []
  private(set) var counts: [Int32] = []
  /// Voice of each row; -1 for the whole sound.
  private(set) var voices: [Int16] = []

  /// Returns the rows of a cell; none for cells beyond the last one with rows.
  func rows(ofCell cell: Int) -> Range<Int> {
    guard cell + 1 < starts.count else {
      return cell + 1 == starts.count ? Int(starts[cell])..<values.count : 0..<0
    }
    return Int(starts[cell])..<Int(starts[cell + 1])
  }

  func voice(_ row: Int) -> Int? { voices[row] < 0 ? nil : Int(voices[row]) }

  static func number(ofVoice voice: Int?) -> Int16 { voice.map { Int16($0) } ?? -1 }

  /// - Parameter cell: index of the cell, at least that of the preceding row.
  mutating func append(
    cell: Int, voice: Int16, value: Double?, reason: Int32?, count: Int32
  ) {
    begin(cell)
    values.append(value ?? 0)
    reasons.append(reason ?? -1)
    counts.append(count)
    voices.append(voice)
  }

  private mutating func begin(_ cell: Int) {
    while starts.count <= cell { starts.append(UInt32(values.count)) }
  }
}

// MARK: - As bytes

/// Binary form: the counts of cells and rows (32 bits each), then the arrays in the order above,
/// little-endian.
extension MeasurementColumn {
  var data: Data {
    var data = Data()
    for count in [starts.count, values.count] {
      withUnsafeBytes(of: UInt32(count).littleEndian) { data.append(contentsOf: $0) }
    }
    func append(_ array: [some BitwiseCopyable]) {
      array.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    append(starts)
    append(values)
    append(reasons)
    append(counts)
    append(voices)
    return data
  }

  /// Appends a column that `data` encoded, whose first cell has the index `first` here.
  ///
  /// - Parameter reasons: reasons that the indices refer to.
  /// - Returns: false if the bytes are no valid column; `self` is then invalid.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, first: Int, reasons known: [Undefined?]
  ) -> Bool {
    guard bytes.count >= 8 else { return false }
    let cells = Int(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
    let rows = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    guard cells > 0, bytes.count == 8 + 4 * cells + 18 * rows, starts.count <= first + 1 else {
      return false
    }
    let before = UInt32(values.count)
    begin(first)
    starts.removeSubrange(first...)
    var offset = 8
    func take<Number: BitwiseCopyable>(_ count: Int, into array: inout [Number]) {
      let part = UnsafeRawBufferPointer(
        rebasing: bytes[offset..<offset + count * MemoryLayout<Number>.stride])
      let numbers = [Number](unsafeUninitializedCapacity: count) { buffer, made in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: part)
        made = count
      }
      array.append(contentsOf: numbers)
      offset += part.count
    }
    take(cells, into: &starts)
    // The file may have been edited.
    var last = UInt32(0)
    for place in first..<starts.count {
      guard last <= starts[place], starts[place] <= UInt32(rows) else { return false }
      last = starts[place]
      starts[place] += before
    }
    take(rows, into: &values)
    take(rows, into: &reasons)
    take(rows, into: &counts)
    take(rows, into: &voices)
    return (Int(before)..<values.count).allSatisfy { row in
      let reason = Int(reasons[row])
      return voices[row] >= -1 && counts[row] >= 0
        && (reason == -1
          ? MetricResult.range.contains(values[row])
          : known.indices.contains(reason) && known[reason] != nil)
    }
  }
}
