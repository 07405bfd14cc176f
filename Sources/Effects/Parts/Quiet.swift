/// Keeps numbers out of the range where processors are slow.
///
/// What is under 1e-36 becomes zero or a multiple of it, 500 dB below the noise of anything: neither
/// a state in double precision nor a sample made of it in single is ever subnormal.
enum Quiet {
  @inline(__always) @_noLocks static func flushed(_ value: Double) -> Double {
    (value + 1e-20) - 1e-20
  }

  @inline(__always) @_noLocks static func flushed(_ value: SIMD2<Double>) -> SIMD2<Double> {
    (value + 1e-20) - 1e-20
  }
}
