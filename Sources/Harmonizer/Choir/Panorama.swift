import Foundation

/// Levels of a sound on both sides; its power is the same wherever it stands.
struct Panorama: BitwiseCopyable {
  let left: Float
  let right: Float

  /// - Parameter pan: -1 is left, 1 is right.
  @_noLocks init(_ pan: Double) {
    let turns = (pan + 1) / 8
    (left, right) = (Float(cosineOf(turns: turns)), Float(sineOf(turns: turns)))
  }

  /// The pan that it was made of, to a millionth.
  var pan: Double {
    let pan = atan2(Double(right), Double(left)) * 4 / .pi - 1
    return (pan * 1e6).rounded() / 1e6
  }
}
