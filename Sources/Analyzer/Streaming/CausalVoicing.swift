import DSP
import Foundation

/// The probability of a voice at an instant of a stream, from the evidence around it up to now.
///
/// A network and the logistic model of `VoicingDecision` convert the evidence to log odds, which are added. The
/// network sees the frames before and after the instant, so it needs no chain. It also sees how far they exceed what
/// the room leaves of earlier sound (`CausalRoom`).
/// scripts/train-pitch fits it, at look-aheads of 0 to 25 ms.
///
/// - Allocates: in `init` only.
struct CausalVoicing: ~Copyable {
  /// Number of values that the network weighs.
  static var valueCount: Int { @_noLocks get { 56 } }

  /// A hop of the last 0.2 s.
  struct Hop: BitwiseCopyable {
    var power = 0.0
    /// Levels in dB of the last 5 and 30 ms.
    var near: Float = 0
    var level: Float = 0
    /// Logarithm of the pitch; 0 if nothing repeats.
    var octaves: Float = 0
    var correlation: Float = 0
    var nearCorrelation: Float = 0
    var odds: Float = 0
    /// Values of `CausalRoom`.
    var room = SIMD4<Float>.zero
  }

  /// Rates in dB a second at which the loudest level falls and the quietest rises.
  private static var loudFall: Double { @_noLocks get { 3 } }
  private static var quietRise: Double { @_noLocks get { 6 } }
  /// Level in dB by which the stream is taken to have been quieter before it began. Otherwise a stream that
  /// begins in the middle of a low voice would have no voice at first.
  private static var assumedDepth: Float { @_noLocks get { 20 } }
  /// Time by which the stretches that are correlated lie behind the newest sound.
  private static let stretchAge = 0.0075
  /// Reach of the comparison with the loudest before, in blocks of 25 ms; as in `VoicingEvidence`.
  private static var fallBlocks: Int { @_noLocks get { 10 } }
  private static var longFallBlocks: Int { @_noLocks get { 32 } }
  private static let blockSeconds = 0.025
  /// Weight of the logistic model, chosen on seed 11 of 200 recordings resynthesized (docs/notes/pitch.md).
  private static var basicWeight: Double { @_noLocks get { 0.5 } }
  /// Log odds taken from the sum in a dry room, and where tails fill the pauses, with the logarithms of the
  /// reverberation times from and to which it grows, 0.3 and 0.6 s. Chosen on the clips held out by
  /// scripts/train-pitch: a ramp from 0.2 to 0.4 s or offsets of 0 and 2 change 0.03 % of their frames or less.
  private static var dryOffset: Double { @_noLocks get { 0.2 } }
  private static var roomOffset: Double { @_noLocks get { 1.5 } }
  private static var dryLogSeconds: Double { @_noLocks get { -1.204 } }
  private static var roomLogSeconds: Double { @_noLocks get { -0.511 } }

  private let hopSeconds: Double
  private var hops: RealtimeArray<Hop>  // ring; its length is a power of two
  private let hopsPerBlock: Int
  private var peaks: RealtimeArray<Float>  // ring of the highest level of each block
  private var now = 0  // hops so far
  private var loud: Float = 0
  private var quiet: Float = 0
  /// Ages in hops of the instant, and of those some time from it.
  private let ownAge: Int
  private let levelAges: RealtimeArray<Int>
  private let nearAges: RealtimeArray<Int>
  private let pitchAges: RealtimeArray<Int>
  private let correlationAges: RealtimeArray<Int>
  private let onlyNearAges: RealtimeArray<Int>
  private let oddsAge: Int
  private let roomAges: RealtimeArray<Int>
  private let lookAhead: Float
  private let network = SmallNetwork(.liveVoicing)
  /// Values and log odds of the logistic model of the last decision.
  private(set) var values: RealtimeArray<Float>
  private(set) var basicLogOdds = 0.0
  private var filled = 0

  init(lookAheadSeconds: Double, hopSeconds: Double) {
    self.hopSeconds = hopSeconds
    let count = powerOfTwo(above: Int(0.2 / hopSeconds))
    hops = RealtimeArray(repeating: Hop(), count: count)
    hopsPerBlock = max(1, Int((Self.blockSeconds / hopSeconds).rounded()))
    peaks = RealtimeArray(count: Self.longFallBlocks)
    values = RealtimeArray(count: Self.valueCount)
    lookAhead = Float(min(lookAheadSeconds, 0.03) * 50)
    func age(_ offset: Double) -> Int {
      let age = ((lookAheadSeconds - offset - Self.stretchAge) / hopSeconds).rounded()
      return min(max(Int(age), 0), count - 1)
    }
    ownAge = age(0)
    levelAges = RealtimeArray([-0.1, -0.03, 0.03].map(age))
    nearAges = RealtimeArray([-0.04, -0.02, -0.01, -0.005, 0.005, 0.01, 0.02].map(age))
    pitchAges = RealtimeArray([-0.03, -0.01, 0.01, 0.02].map(age))
    correlationAges = RealtimeArray([-0.05, -0.02, -0.01, 0.01, 0.02].map(age))
    onlyNearAges = RealtimeArray([-0.005, 0.005].map(age))
    oddsAge = age(0.015)
    roomAges = RealtimeArray([-0.03, 0.0, 0.015].map(age))
  }

  @_noLocks mutating func reset() {
    hops.fill(with: Hop())
    now = 0
  }

  /// Level of the newest sound above the quietest, in dB.
  var aboveQuietDb: Double { @_noLocks get { Double(self[0].level - quiet) } }

  /// Begins a hop with its power.
  @_noLocks mutating func begin(power: Double) {
    now &+= 1
    var hop = Hop()
    hop.power = power
    let length = min(now, max(1, Int(0.030 / hopSeconds + 0.5)))
    var sum = power
    for age in 1..<length { sum += self[age].power }
    hop.near = decibels(now > 1 ? (power + self[1].power) / 2 : power)
    hop.level = decibels(sum / Double(length))
    hops[now & (hops.count &- 1)] = hop
    if now == 1 {
      peaks.fill(with: hop.level)
      (loud, quiet) = (hop.level, hop.level - Self.assumedDepth)
    }
    loud = max(hop.level, loud - Float(Self.loudFall * hopSeconds))
    quiet = min(hop.level, quiet + Float(Self.quietRise * hopSeconds))
    let block = now / hopsPerBlock & (Self.longFallBlocks &- 1)
    peaks[block] = now % hopsPerBlock == 0 ? hop.level : max(peaks[block], hop.level)
  }

  /// Ends it with the period that fits best so far, and what the room leaves.
  @_noLocks mutating func end(_ state: PitchBeam.State, _ room: SIMD4<Float>) {
    let at = now & (hops.count &- 1)
    hops[at].room = room
    hops[at].octaves = state.f0Hz > 0 ? Float(state.log2F0) : 0
    hops[at].correlation = Float(state.correlation)
    hops[at].nearCorrelation = Float(state.near)
    hops[at].odds = Self.cut(state.odds)
  }

  /// The log odds of a voice at the instant one look-ahead ago, where the period is that of `state`.
  @_noLocks mutating func logOdds(_ state: PitchBeam.State) -> Double {
    let own = self[ownAge]
    var (peak, longPeak) = (own.level, own.level)
    let block = now / hopsPerBlock
    for age in 0..<Self.longFallBlocks {
      let level = peaks[(block &- age) & (Self.longFallBlocks &- 1)]
      if age < Self.fallBlocks { peak = max(peak, level) }
      longPeak = max(longPeak, level)
    }
    let (levelDb, fallDb) = (max(own.level - loud, -70), max(own.level - peak, -50))
    filled = 0
    put(Float(state.correlation))
    put(Float(state.near))
    put(Float(state.persistence))
    put(self[0].nearCorrelation)
    put(CandidateEvidence.clarity(state.correlation))
    put(CandidateEvidence.clarity(state.near))
    put(self[0].odds)
    put(levelDb)
    put(min(max(own.level - quiet, 0), 70))
    put(fallDb)
    put(max(own.level - longPeak, -60))
    put(min(max(own.near - quiet, -20), 70))
    for k in 0..<levelAges.count { put(rise(self[levelAges[k]].level, own.level)) }
    for k in 0..<nearAges.count { put(rise(self[nearAges[k]].near, own.near)) }
    put(own.near - own.level)
    put(Self.cut(state.odds))
    put(state.f0Hz > 0 ? Float(state.log2F0) - 7.643_856 : -3)  // above 200 Hz
    for k in 0..<pitchAges.count {
      let other = self[pitchAges[k]].octaves
      let isKnown = other > 0 && state.f0Hz > 0
      put(isKnown ? min((other - Float(state.log2F0)).magnitude, 0.2) : 0.2)
    }
    for k in 0..<correlationAges.count {
      put(self[correlationAges[k]].correlation)
      put(self[correlationAges[k]].nearCorrelation)
    }
    for k in 0..<onlyNearAges.count { put(self[onlyNearAges[k]].nearCorrelation) }
    put(self[oddsAge].odds)
    for k in 0..<3 { put(state.harmonics[k]) }
    put(lookAhead)
    for k in 0..<roomAges.count {
      let room = self[roomAges[k]].room
      put(room.x)
      put(room.y)
    }
    put(own.room.z)
    for _ in 0..<2 { put(0) }  // to a multiple of eight
    put(self[0].room.w)
    basicLogOdds = VoicingDecision.basicLogOdds(
      correlation: state.correlation, nearCorrelation: state.near, persistence: state.persistence,
      refined: state.near, levelDb: Double(levelDb), fallDb: Double(fallDb), shareAboveNoise: 1)
    let room =
      (Double(self[0].room.w) - Self.dryLogSeconds)
      / (Self.roomLogSeconds - Self.dryLogSeconds)
    let offset =
      Self.dryOffset
      + min(max(room, 0), 1) * (Self.roomOffset - Self.dryOffset)
    return Double(network.value(of: values)) + Self.basicWeight * basicLogOdds
      - offset
  }

  /// Appends a value.
  @_noLocks private mutating func put(_ value: Float) {
    values[filled] = value
    filled &+= 1
  }

  /// The hop of an age; 0 is the newest.
  private subscript(age: Int) -> Hop { @_noLocks get { hops[(now &- age) & (hops.count &- 1)] } }

  @_noLocks private func rise(_ to: Float, _ from: Float) -> Float { min(max(to - from, -30), 30) }

  @_noLocks private static func cut(_ odds: Double) -> Float { Float(min(max(odds, -5), 15)) }

  @_noLocks private func decibels(_ power: Double) -> Float {
    Float(10 * RealtimeMath.log10(power + 1e-10))
  }
}
