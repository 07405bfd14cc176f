/// All cells of a run as columns, to be searched on a page of their own, and what can be heard of some.
///
/// A run may have 100,000 cells, so texts are numbers of a list and measurements are 32-bit floats.
public struct Workbench: Sendable {
  /// One text of each cell, such as its recording.
  public struct Column: Sendable {
    /// Lower-case letters, digits and hyphens; unique among the columns.
    public var name: String
    public var title: String
    /// The distinct texts, in order of first appearance.
    public private(set) var texts: [String] = []
    /// Number of each cell's text.
    public private(set) var rows: [UInt32] = []
    private var numbers: [String: UInt32] = [:]

    public init(_ name: String, _ title: String) { (self.name, self.title) = (name, title) }

    /// Appends the text of the next cell.
    public mutating func append(_ text: String) {
      rows.append(number(of: text))
    }

    /// Returns the number of a text, for several cells that share it.
    public mutating func number(of text: String) -> UInt32 {
      if let known = numbers[text] { return known }
      let number = UInt32(texts.count)
      numbers[text] = number
      texts.append(text)
      return number
    }

    /// Appends a text that has a number.
    public mutating func append(number: UInt32) { rows.append(number) }
  }

  /// A metric of all cells.
  public struct Metric: Sendable {
    public var id: String
    public var unit: String
    /// Description in one line.
    public var title: String
    /// The better direction: `lower`, `higher` or `target`.
    public var better: String
    /// The best value, if the better direction is `target`.
    public var ideal: Double
    /// Values of the whole sound (-1) and of voices (from 0), each for all cells.
    public var voices: [(voice: Int, values: [Float])]
    /// Reasons for missing values by the number that a value carries; see `missing`.
    public var reasons: [String]

    public init(
      id: String, unit: String, title: String, better: String, ideal: Double,
      voices: [(voice: Int, values: [Float])], reasons: [String]
    ) {
      (self.id, self.unit, self.title, self.better) = (id, unit, title, better)
      (self.ideal, self.voices, self.reasons) = (ideal, voices, reasons)
    }
  }

  /// The sounds of a cell, and the pitch of its voices.
  public struct Lane: Sendable {
    /// Number of the cell.
    public var row: Int
    /// Sounds that clips of the report have; the first is the choir.
    public var sounds: [Sound]
    /// Reads the pitch of the voices, when it is known that the report has room for the sound.
    public var voices: @Sendable () throws -> [Voice]

    /// Pitch of one voice in each frame; 0 where there is none.
    public struct Voice: Sendable {
      public var name: String
      public var hopS: Double
      public var targetHz: [Float]
      public var heardHz: [Float]

      public init(_ name: String, hopS: Double, targetHz: [Float], heardHz: [Float]) {
        (self.name, self.hopS, self.targetHz, self.heardHz) = (name, hopS, targetHz, heardHz)
      }
    }

    public init(
      row: Int, sounds: [Sound], voices: @escaping @Sendable () throws -> [Voice]
    ) {
      (self.row, self.sounds, self.voices) = (row, sounds, voices)
    }
  }

  /// Keys of the cells, hexadecimal.
  public var keys: [String]
  public var columns: [Column]
  /// Metrics; the first is shown first.
  public var metrics: [Metric]
  /// Labels of the voices; empty where scores differ.
  public var voices: [String]
  public var lanes: [Lane]
  /// Options with which other commands find the run.
  public var options: String

  public init(
    keys: [String], columns: [Column], metrics: [Metric], voices: [String], lanes: [Lane],
    options: String
  ) {
    (self.keys, self.columns, self.metrics) = (keys, columns, metrics)
    (self.voices, self.lanes, self.options) = (voices, lanes, options)
  }

  /// A missing value: a NaN whose lowest bits are the number of its reason.
  public static func missing(reason: Int) -> Float {
    Float(bitPattern: 0x7FC0_0000 | UInt32(min(reason, 0x3F_FFFF)))
  }

  /// Number of hexadecimal digits by which pages name a cell.
  public static let keyDigits = 12

  /// Returns the address of a cell within the report, at an instant if one is given.
  public static func address(ofCell key: String, atS seconds: Double? = nil) -> String {
    let instant = seconds.map { "&t=\(PlaysView.seconds($0))" } ?? ""
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
