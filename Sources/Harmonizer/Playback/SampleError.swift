import DSP

/// Why a recording can't be a sample.
public enum SampleError: Error, Equatable, Sendable, CustomStringConvertible {
  case setting(SettingsError)
  case empty
  case notFinite(atSample: Int)
  /// An error with places in seconds.
  case cropIsEmpty(start: Double, end: Double, duration: Double)
  /// An error with places in seconds.
  case endIsOutside(end: Double, duration: Double)
  /// An error with places in seconds.
  case loopIsOutside(start: Double, end: Double, crop: ClosedRange<Double>)
  /// An error with lengths in milliseconds.
  case loopIsTooShort(lengthMs: Double, shortestMs: Double)

  public var description: String {
    switch self {
    case .setting(let error): error.description
    case .empty: "the recording holds no sound; give it at least one sample"
    case .notFinite(let sample):
      "sample \(sample) of the recording is not a finite number; find what made it"
    case .cropIsEmpty(let start, let end, let duration):
      "the crop from \(start) s to \(end) s holds nothing; choose within 0 to \(duration) s"
    case .endIsOutside(let end, let duration):
      "the end at \(end) s lies after the recording, which lasts \(duration) s; choose less"
    case .loopIsOutside(let start, let end, let crop):
      "the loop from \(start) s to \(end) s leaves the crop; choose within "
        + "\(crop.lowerBound) to \(crop.upperBound) s"
    case .loopIsTooShort(let length, let shortest):
      "the loop is \(length) ms long; choose \(shortest) ms or more"
    }
  }
}
