import DSP

/// A feedback delay network of sixteen lines, whose ends are mixed into all beginnings.
///
/// ```
/// ends      = lines, each later by its length
/// output    = level * C ends
/// beginning = R(t) H absorb(ends) + B input
/// ```
///
/// - `H` is Hadamard's matrix over 4: each end is spread equally to all lines, without change of
///   energy.
/// - `R(t)` rotates lines in pairs at a constant speed. It keeps the energy and the decay, but
///   moves resonances before they can ring.
/// - `B` and `C` are signs of bent functions: `H` spreads them evenly, and the two rows of each are
///   orthogonal, so that left and right are uncorrelated.
/// - Lengths are different primes, spaced logarithmically around the time that sound takes from
///   wall to wall.
/// - `level` makes the output's energy equal to the input's.
///
/// - Cost: about 250 operations a sample; a change of room some hundred once. Allocates: in `init` only.
/// - Source: Jot and Chaigne 1991; time-varying matrices: Schlecht and Habets, J. Acoust. Soc. Am.
///   138, 2015.
struct ReverbNetwork: ~Copyable {
  /// The rings of all lines in a row, `stride` apart.
  private var rings: RealtimeArray<Float>
  private let size: Int32  // of a ring, a power of two
  private var now: Int32 = 0
  private let starts: SIMD16<Int32>

  private let leftIn: SIMD16<Float>
  private let rightIn: SIMD16<Float>
  private let leftOut: SIMD16<Float>
  private let rightOut: SIMD16<Float>
  private let turning: SIMD16<Float>  // direction of rotation of a lane's pair

  private var lengths: SIMD16<Int32>
  private var nextLengths: SIMD16<Int32>
  private var faded: Float = 0
  private var absorption: ReverbAbsorption
  private var step: ReverbAbsorption
  private var target: ReverbAbsorption
  private var remaining = 0
  private var level: Ramp
  private var wanted: Reverb.Settings
  private var isWaiting = false

  private var lowMemory = SIMD16<Float>.zero
  private var highMemory = SIMD16<Float>.zero
  private var angle = SIMD2<Double>(1, 0)  // cosine and sine of the pairs' angle
  private var turn = SIMD2<Double>(1, 0)  // the same for the change per sample

  private let sampleRateHz: Double
  private let fadeSamples: Int
  /// Odd primes, rising, to beyond the longest line.
  private let primes: RealtimeArray<Int32>

  init(_ settings: Reverb.Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    fadeSamples = max(Int(0.05 * sampleRateHz), 1)
    wanted = settings
    let largest = Self.share(ofLine: 15) * Self.mean(Reverb.Settings.rooms.upperBound, sampleRateHz)
    let primes = RealtimeArray(Self.oddPrimes(upTo: Int(largest) + 1000))
    let longest = Self.lengths(Reverb.Settings.rooms.upperBound, sampleRateHz, primes)[15]
    size = Int32(powerOfTwo(above: Int(longest) + 1))
    // A stride that is no power of two keeps the rings from competing for the same cache lines.
    let stride = size + 80
    starts = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) &* stride
    rings = RealtimeArray<Float>(count: 16 * Int(stride))
    lengths = Self.lengths(settings.roomMetres, sampleRateHz, primes)
    self.primes = primes
    nextLengths = lengths
    absorption = ReverbAbsorption(settings, lengths: lengths, sampleRateHz: sampleRateHz)
    (target, step) = (absorption, absorption)
    level = Ramp(Self.level(absorption))
    turn = Self.turn(settings, sampleRateHz)
    // x, y, z, w are the bits of a lane; the sum of products of two disjoint pairs is bent, and
    // stays so with single bits added.
    func signs(_ bent: (Int, Int, Int, Int) -> Int, _ scale: Float) -> SIMD16<Float> {
      var signs = SIMD16<Float>()
      for lane in 0..<16 {
        let odd = bent(lane & 1, lane >> 1 & 1, lane >> 2 & 1, lane >> 3 & 1) & 1
        signs[lane] = odd == 0 ? scale : -scale
      }
      return signs
    }
    leftIn = signs({ x, y, z, w in x * y + z * w }, 0.25)
    rightIn = signs({ x, y, z, w in x * y + z * w + x + z }, 0.25)
    leftOut = signs({ x, y, z, w in x * z + y * w + w }, 1)
    rightOut = signs({ x, y, z, w in x * z + y * w + x + y }, 1)
    turning = signs({ x, y, _, _ in x + y }, 1)
  }

  /// The length of the longest line.
  var longestSamples: Int { @_noLocks get { Int(nextLengths[15]) } }

  @_noLocks mutating func reset() {
    rings.clear()
    (lowMemory, highMemory) = (.zero, .zero)
    angle = SIMD2(1, 0)
    if isWaiting { begin() }
    (lengths, faded) = (nextLengths, 0)
    (absorption, remaining) = (target, 0)
    level.finish()
  }

  /// Moves to other settings in 50 ms, after a move under way.
  @_noLocks mutating func apply(_ settings: Reverb.Settings) {
    isWaiting = isWaiting || !Self.isSameRoom(settings, wanted)
    wanted = settings
    turn = Self.turn(settings, sampleRateHz)
  }

  /// - Returns: the output, later than `input` by at least the shortest line.
  @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Float>) -> SIMD2<Float> {
    if remaining > 0 { move() } else if isWaiting { begin() }
    now = (now &+ 1) & (size &- 1)
    var ends = gather(lengths)
    if remaining > 0 {
      ends += FadingTap.smooth(faded) * (gather(nextLengths) - ends)
    }
    let level = level.next()
    let output = level * SIMD2((ends * leftOut).sum(), (ends * rightOut).sum())
    let left = absorption.absorb(ends, &lowMemory, &highMemory)
    let mixed = rotated(Self.hadamard(left))
    scatter(mixed + input.x * leftIn + input.y * rightIn)
    return output
  }

  // MARK: Lines

  @inline(__always) @_noLocks private func gather(_ lengths: SIMD16<Int32>) -> SIMD16<Float> {
    let places = starts &+ ((now &- lengths) & (size &- 1))
    var ends = SIMD16<Float>()
    for line in 0..<16 { ends[line] = rings[unchecked: Int(places[line])] }
    return ends
  }

  @inline(__always) @_noLocks private mutating func scatter(_ sound: SIMD16<Float>) {
    let kept = sound.flushed
    for line in 0..<16 { rings[unchecked: Int(starts[line] &+ now)] = kept[line] }
  }

  // MARK: Mixing

  /// The Hadamard transform over 4, which keeps the energy.
  @inline(__always) @_noLocks private static func hadamard(
    _ sound: SIMD16<Float>
  ) -> SIMD16<Float> {
    var mixed = sound
    for _ in 0..<4 {
      let (a, b) = (mixed.lowHalf, mixed.highHalf)
      mixed.evenHalf = a + b
      mixed.oddHalf = a - b
    }
    return 0.25 * mixed
  }

  @inline(__always) @_noLocks private mutating func rotated(
    _ sound: SIMD16<Float>
  ) -> SIMD16<Float> {
    let (c, s) = (angle.x, angle.y)
    angle = SIMD2(c * turn.x - s * turn.y, s * turn.x + c * turn.y)
    // A step of Newton's method keeps the length at 1.
    angle *= 1.5 - 0.5 * (angle.x * angle.x + angle.y * angle.y)
    var swapped = sound
    swapped.evenHalf = sound.oddHalf
    swapped.oddHalf = sound.evenHalf
    return Float(c) * sound + Float(s) * (turning * swapped)
  }

  // MARK: Changes

  @_noLocks private mutating func begin() {
    isWaiting = false
    nextLengths = Self.lengths(wanted.roomMetres, sampleRateHz, primes)
    target = ReverbAbsorption(wanted, lengths: nextLengths, sampleRateHz: sampleRateHz)
    step = absorption.step(to: target, count: fadeSamples)
    remaining = fadeSamples
    faded = 0
    level.aim(at: Self.level(target), overSamples: fadeSamples)
  }

  @_noLocks private mutating func move() {
    remaining -= 1
    if remaining == 0 {
      (lengths, absorption, faded) = (nextLengths, target, 0)
    } else {
      absorption.move(by: step)
      faded = 1 - Float(remaining) / Float(fadeSamples)
    }
  }

  @_noLocks private static func isSameRoom(_ a: Reverb.Settings, _ b: Reverb.Settings) -> Bool {
    a.decaySeconds == b.decaySeconds && a.roomMetres == b.roomMetres
      && a.lowDecay == b.lowDecay && a.lowCrossoverHz == b.lowCrossoverHz
      && a.highDecay == b.highDecay && a.highCrossoverHz == b.highCrossoverHz
  }

  // MARK: Design

  /// The lengths of the lines, primes in increasing order.
  @_noLocks private static func lengths(
    _ roomMetres: Double, _ sampleRateHz: Double, _ primes: borrowing RealtimeArray<Int32>
  ) -> SIMD16<Int32> {
    let mean = mean(roomMetres, sampleRateHz)
    var lengths = SIMD16<Int32>()
    var last: Int32 = 1
    for line in 0..<16 {
      last = prime(from: max(Int32(share(ofLine: line) * mean), last + 1), primes)
      lengths[line] = last
    }
    return lengths
  }

  /// Time that sound takes from wall to wall, in samples, at 343 m/s.
  @_noLocks private static func mean(_ roomMetres: Double, _ sampleRateHz: Double) -> Double {
    roomMetres / 343 * sampleRateHz
  }

  /// Length of a line as a share of the mean: from 0.54 to 1.68.
  @_noLocks private static func share(ofLine line: Int) -> Double {
    0.54 * RealtimeMath.exp2(1.64 * Double(line) / 15)
  }

  /// Returns the first of the primes from a number on, by halving.
  @_noLocks private static func prime(
    from least: Int32, _ primes: borrowing RealtimeArray<Int32>
  ) -> Int32 {
    var (below, above) = (-1, primes.count - 1)
    while above - below > 1 {
      let middle = (below + above) / 2
      if primes[middle] < least { below = middle } else { above = middle }
    }
    return primes[above]
  }

  /// The sieve of Eratosthenes.
  private static func oddPrimes(upTo most: Int) -> [Int32] {
    var isPrime = [Bool](repeating: true, count: most + 1)
    var primes: [Int32] = []
    for number in stride(from: 3, through: most, by: 2) where isPrime[number] {
      primes.append(Int32(number))
      for multiple in stride(from: number * number, through: most, by: number) {
        isPrime[multiple] = false
      }
    }
    return primes
  }

  /// The output gain. The energy of the sixteen ends is the input's over `1 - passing`; two outputs
  /// of sixteen ends each carry it away, and their energy must be the input's.
  @_noLocks private static func level(_ absorption: ReverbAbsorption) -> Float {
    Float(RealtimeMath.root((1 - absorption.passing) / 2))
  }

  @_noLocks private static func turn(
    _ settings: Reverb.Settings, _ sampleRateHz: Double
  ) -> SIMD2<Double> {
    let angle = 2 * .pi * settings.modulationHz / sampleRateHz
    return SIMD2(RealtimeMath.cosine(angle), RealtimeMath.sine(angle))
  }
}
