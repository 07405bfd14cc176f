import DSP

/// The offline engine's place in a choir, which processes the recording twice.
///
/// In the rehearsal it is silent and records how far each copy is to be shifted. In the performance it
/// outputs, sample by sample, the copies that `OfflineShifter` has made of that, without delay.
///
/// - Allocates: in `init`, and for `rehearsedShifts`.
struct OfflineTake: PitchShifter, ~Copyable {
  let voiceCount: Int
  private let sampleCount: Int
  private let hopSamples: Int
  private let hopCount: Int
  private let firstShifts: RealtimeArray<Double>
  private var shifts: RealtimeArray<Double>
  /// Shift of each voice in each hop; one voice after the other.
  private var asked: RealtimeArray<Double>
  /// One after the other; none in the rehearsal.
  private let copies: RealtimeArray<Float>
  private var now = 0  // samples

  /// - Parameters:
  ///   - sampleCount: of the recording; after it there is silence.
  ///   - hopSamples: how often a shift is noted; at least 1.
  ///   - copies: as many as voices, or none to rehearse.
  init(shiftsSemitones: [Double], sampleCount: Int, hopSamples: Int, copies: [[Float]] = []) {
    voiceCount = shiftsSemitones.count
    self.sampleCount = sampleCount
    self.hopSamples = hopSamples
    hopCount = (sampleCount + hopSamples - 1) / hopSamples
    firstShifts = RealtimeArray(shiftsSemitones)
    shifts = RealtimeArray(shiftsSemitones)
    asked = RealtimeArray(count: voiceCount * hopCount)
    self.copies = RealtimeArray(copies.joined())
  }

  var latencySamples: Int { @_noLocks get { 0 } }

  @_noLocks mutating func reset() {
    now = 0
    for voice in 0..<voiceCount { shifts[voice] = firstShifts[voice] }
  }

  @_noLocks mutating func setShift(semitones: Double, ofVoice voice: Int) {
    guard semitones == semitones else { return }
    shifts[voice] = Engine.cut(semitones)
  }

  /// The copies have their formants already.
  @_noLocks func state(ofVoice voice: Int) -> ShiftedVoice {
    ShiftedVoice(shiftSemitones: shifts[voice], delaySamples: 0)
  }

  @_noLocks mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>
  ) {
    let count = range.count
    let isSung = copies.count > 0
    let firstHop = (now + hopSamples - 1) / hopSamples
    for voice in 0..<voiceCount {
      var hop = firstHop
      while hop * hopSamples < now + count, hop < hopCount {
        asked[voice * hopCount + hop] = shifts[voice]
        hop += 1
      }
      for i in 0..<count {
        let there = isSung && now + i < sampleCount
        voices[voice * count + i] = there ? copies[voice * sampleCount + now + i] : 0
      }
    }
    now += count
  }

  /// Returns the shift of each copy, by all that was asked. A shift is noted for the hop that it
  /// begins, so where two hops meet it is halfway between theirs.
  func rehearsedShifts(sampleRateHz: Double) -> [ShiftCurve] {
    (0..<voiceCount).map { voice in
      let hops = (0..<hopCount).map { asked[voice * hopCount + $0] }
      let between = zip(hops, hops.dropFirst()).map { ($0 + $1) / 2 }
      return ShiftCurve(
        semitones: [hops.first ?? 0] + between, hopSeconds: Double(hopSamples) / sampleRateHz)
    }
  }
}
