/// All cells of a run as columns, to be searched on a page of their own, and what can be heard of some.
///
/// A run may have 100,000 cells, so texts are numbers of a list and measurements are 32-bit floats.
struct Workbench: Sendable {
  /// One text of each cell, such as its recording.
  struct Column: Sendable {
    /// Lower-case letters, digits and hyphens; unique among the columns.
    var name: String
    var title: String
    /// The distinct texts, in order of first appearance.
    private(set) var texts: [String] = []
    /// Number of each cell's text.
    private(set) var rows: [UInt32] = []
    private var numbers: [String: UInt32] = [:]

    init(_ name: String, _ title: String) { (self.name, self.title) = (name, title) }

    /// Appends the text of the next cell.
    mutating func append(_ text: String) {
      rows.append(number(of: text))
    }

    /// Returns the number of a text, for several cells that share it.
    mutating func number(of text: String) -> UInt32 {
      if let known = numbers[text] { return known }
      let number = UInt32(texts.count)
      numbers[text] = number
      texts.append(text)
      return number
    }

    /// Appends a text that has a number.
    mutating func append(number: UInt32) { rows.append(number) }
  }

  /// A metric of all cells.
  struct Metric: Sendable {
    var id: String
    var unit: String
    /// Description in one line.
    var title: String
    /// The better direction: `lower`, `higher` or `target`.
    var better: String
    /// The best value, if the better direction is `target`.
    var ideal: Double
    /// Values of the whole sound (-1) and of voices (from 0), each for all cells.
    var voices: [(voice: Int, values: [Float])]
    /// Reasons for missing values by the number that a value carries; see `missing`.
    var reasons: [String]
  }

  /// The sounds of a cell, and the pitch of its voices.
  struct Lane: Sendable {
    /// Number of the cell.
    var row: Int
    /// Sounds that clips of the report have; the first is the choir.
    var sounds: [Sound]
    /// Reads the pitch of the voices, when it is known that the report has room for the sound.
    var voices: @Sendable () throws -> [Voice]

    /// Pitch of one voice in each frame; 0 where there is none.
    struct Voice: Sendable {
      var name: String
      var hopS: Double
      var targetHz: [Float]
      var measuredHz: [Float]
    }
  }

  /// Keys of the cells, hexadecimal.
  var keys: [String]
  var columns: [Column]
  /// Metrics; the first is shown first.
  var metrics: [Metric]
  /// Labels of the voices; empty where scores differ.
  var voices: [String]
  var lanes: [Lane]
  /// Options with which other commands find the run.
  var options: String

  /// A missing value: a NaN whose lowest bits are the number of its reason.
  static func missing(reason: Int) -> Float {
    Float(bitPattern: 0x7FC0_0000 | UInt32(min(reason, 0x3F_FFFF)))
  }

  /// Number of hexadecimal digits by which pages name a cell.
  static let keyDigits = 12

  /// Returns the address of a cell within the report, at an instant if one is given.
  static func address(ofCell key: String, atS seconds: Double? = nil) -> String {
    let instant = seconds.map { "&t=\(PageViews.seconds($0))" } ?? ""
    return "\(ReportFiles.workbench)#cell=\(key.prefix(keyDigits))\(instant)"
  }

  /// Cells whose sounds the report has room for.
  func heard(_ sounds: SoundStore) -> [Lane] {
    lanes.compactMap { lane in
      guard let choir = lane.sounds.first, sounds.item(choir) != nil else { return nil }
      var heard = lane
      heard.sounds = lane.sounds.filter { sounds.item($0) != nil }
      return heard
    }
  }
}
