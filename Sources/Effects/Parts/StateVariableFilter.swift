import DSP

/// A filter of second order for two channels at once, which may be changed while it runs.
///
/// Its state is that of the two integrators of an analogue filter, so that it means the same
/// whatever the coefficients are: a change makes no jump, and no speed of change makes it unstable
/// as long as `g` and `k` are positive. In double precision, so that 20 Hz at 192 kHz loses nothing.
///
/// - Cost: some 20 multiplications and additions a sample for both channels; a division more in a
///   glide.
/// - Source: Simper, as in `FilterDesign`; stability under change: Wishnick, "Time-varying filters
///   for musical applications", DAFx-14, 2014.
struct StateVariableFilter {
  /// Where it is, on the way or there.
  private var design: FilterDesign
  private var target: FilterDesign
  /// Per sample of a glide: `g` and `k` go evenly in octaves, the shares on a straight line.
  private var gRatio = 1.0
  private var kRatio = 1.0
  private var inputStep = 0.0
  private var bandStep = 0.0
  private var lowStep = 0.0
  private var remaining = 0

  private var a1 = 0.0
  private var a2 = 0.0
  private var a3 = 0.0
  private var band = SIMD2<Double>(0, 0)
  private var low = SIMD2<Double>(0, 0)

  @_noLocks init(_ design: FilterDesign) {
    (self.design, target) = (design, design)
    solve()
  }

  var tailSamples: Int { @_noLocks get { target.tailSamples } }

  /// Silent, and where it was going.
  @_noLocks mutating func reset() {
    band = SIMD2(0, 0)
    low = SIMD2(0, 0)
    jump(to: target)
  }

  /// Goes to `design` over some samples.
  @_noLocks mutating func glide(to design: FilterDesign, overSamples count: Int) {
    guard !design.isSame(as: target) else { return }
    guard count > 0 else { return jump(to: design) }
    target = design
    remaining = count
    let share = 1 / Double(count)
    gRatio = RealtimeMath.power(target.g / self.design.g, share)
    kRatio = RealtimeMath.power(target.k / self.design.k, share)
    inputStep = (target.input - self.design.input) * share
    bandStep = (target.band - self.design.band) * share
    lowStep = (target.low - self.design.low) * share
  }

  @_noLocks mutating func jump(to design: FilterDesign) {
    (self.design, target, remaining) = (design, design, 0)
    solve()
  }

  /// A sample of each channel.
  @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Double>) -> SIMD2<Double> {
    if remaining > 0 { step() }
    let rest = input - low
    let v1 = a1 * band + a2 * rest
    let v2 = low + a2 * band + a3 * rest
    band = (2 * v1 - band).flushed
    low = (2 * v2 - low).flushed
    return design.input * input + design.band * v1 + design.low * v2
  }

  @_noLocks private mutating func step() {
    remaining -= 1
    if remaining == 0 {
      design = target
    } else {
      design.g *= gRatio
      design.k *= kRatio
      design.input += inputStep
      design.band += bandStep
      design.low += lowStep
    }
    solve()
  }

  @inline(__always) @_noLocks private mutating func solve() {
    a1 = 1 / (1 + design.g * (design.g + design.k))
    a2 = design.g * a1
    a3 = design.g * a2
  }
}
