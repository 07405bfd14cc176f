import DSP
import Foundation

/// Mapping of the keyboard's keys to the degrees of a scale, as in Scala's `.kbm` files.
///
/// - Source: huygens-fokker.org/scala/help.htm#mappings.
public struct KeyboardMapping: ScalaText, Equatable, Sendable {
  /// The keys that are retuned; those outside have no sound.
  public let keys: ClosedRange<Int>
  /// The key of the first entry of `degrees`.
  public let middleKey: Int
  /// The key whose frequency is given.
  public let referenceKey: Int
  public let referenceHz: Double
  /// The degree that lies one repetition of the pattern up; 0 is the scale's period.
  public let periodDegree: Int
  /// Degrees from the middle key up, repeating; `nil` has no sound. Empty maps each key to the next
  /// degree.
  public let degrees: [Int?]

  /// Every key the next degree, with 1/1 on `middleKey`.
  public init(middleKey: Int, referenceKey: Int, referenceHz: Double) {
    (keys, periodDegree, degrees) = (0...127, 0, [])
    (self.middleKey, self.referenceKey, self.referenceHz) = (middleKey, referenceKey, referenceHz)
  }

  /// Parses the text of a `.kbm` file.
  public init(parsing text: String) throws(ScalaError) {
    var lines = ScalaLines(text)
    let size = try lines.nextCount("the size of the map", in: 0...128)
    let first = try lines.nextCount("the first key", in: 0...127)
    keys = first...(try lines.nextCount("the last key", in: first...127))
    middleKey = try lines.nextCount("the middle key", in: -127...127)
    referenceKey = try lines.nextCount("the reference key", in: 0...127)
    referenceHz = try lines.nextNumber("the reference frequency", in: 0.001...100_000)
    periodDegree = try lines.nextCount("the degree of the period", in: 0...4096)
    var degrees: [Int?] = []
    for _ in 0..<size {
      // Entries left out at the end have no sound.
      guard let (line, text) = lines.nextIfAny() else { break }
      let word = text.firstWord
      guard word.lowercased() == "x" || Int(word).map((-4096...4096).contains) == true else {
        throw .noDegree(line: line, text)
      }
      degrees.append(Int(word))
    }
    self.degrees = degrees + Array(repeating: nil, count: size - degrees.count)
    guard place(ofKey: referenceKey) != nil else {
      throw .unmappedReference(note: referenceKey)
    }
  }

  /// The text of a `.kbm` file.
  public var text: String {
    let head = [
      "\(degrees.count)", "\(keys.lowerBound)", "\(keys.upperBound)", "\(middleKey)",
      "\(referenceKey)", "\(referenceHz)", "\(periodDegree)",
    ]
    return (head + degrees.map { $0.map { "\($0)" } ?? "x" }).joined(separator: "\n") + "\n"
  }

  /// Frequencies of keys that sound: all that is heard, and what lies between it and a sound file's
  /// limits. Wide scales reach beyond on a keyboard of 128 keys.
  private static let soundingHz = 1.0...100_000

  /// The frequency of each key, 0 to 127; `nil` has no sound.
  public func frequenciesHz(of scale: ScalaScale) -> [Double?] {
    let reference = cents(ofKey: referenceKey, in: scale)!  // checked when it was made
    return (0...127).map { key in
      guard keys.contains(key), let cents = cents(ofKey: key, in: scale) else { return nil }
      let hz = referenceHz * exp2((cents - reference) / 1200)
      return Self.soundingHz.contains(hz) ? hz : nil
    }
  }

  /// Cents above 1/1 on the middle key; `nil` where the key has no degree.
  private func cents(ofKey key: Int, in scale: ScalaScale) -> Double? {
    guard let (turns, degree) = place(ofKey: key) else { return nil }
    let period = periodDegree == 0 ? scale.periodCents : scale.cents(ofDegree: periodDegree)
    return Double(turns) * period + scale.cents(ofDegree: degree)
  }

  /// Returns how often the pattern is passed, and the degree in it; `nil` where the key has none.
  private func place(ofKey key: Int) -> (turns: Int, degree: Int)? {
    let above = key - middleKey
    guard !degrees.isEmpty else { return (0, above) }
    let turns = floorOf(Double(above) / Double(degrees.count))
    return degrees[above - turns * degrees.count].map { (turns, $0) }
  }
}
