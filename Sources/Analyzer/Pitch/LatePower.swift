import Foundation

/// The power that a room leaves of earlier sound, in bands, frame by frame (`RoomDecay`).
struct LatePower: BitwiseCopyable {
  /// 60 dB as a natural logarithm.
  static let decay = 6 * log(10.0)

  /// Late power of the next frame.
  var power = RoomDecay.Bands.zero
  private let kept: Float
  private let feed: Float

  init(_ reverberationSeconds: Double, hopSeconds: Double) {
    let kept = exp(-Self.decay * hopSeconds / reverberationSeconds)
    self.kept = Float(kept)
    feed = Float((1 - kept) / kept * pow(10, -RoomDecay.directDb / 10))
  }

  @_noLocks @inline(__always) mutating func add(_ sound: RoomDecay.Bands) {
    power = kept * (power + feed * pointwiseMax(sound - power, RoomDecay.Bands.zero))
  }
}

/// Natural logarithms of normal positive numbers, within 2e-6: exponent, and the series of the area tangent
/// for the rest.
@_noLocks @inline(__always) func logarithms(of values: SIMD16<Float>) -> SIMD16<Float> {
  let bits = unsafeBitCast(values, to: SIMD16<Int32>.self)
  let exponent = SIMD16<Float>((bits &>> 23) &- 127)
  let fraction: SIMD16<Int32> = (bits & 0x7F_FFFF) | 0x3F80_0000
  let rest = unsafeBitCast(fraction, to: SIMD16<Float>.self)
  let t = (rest - 1) / (rest + 1)
  let square = t * t
  var series = 1 / 7 + square / 9
  series = 0.2 + square * series
  series = 1 / 3 + square * series
  series = 1 + square * series
  return 0.693_147_2 * exponent + 2 * t * series
}
