import DSP

/// A tuning worked out: what the audio thread reads frequencies from.
///
/// - Allocates: in `init` only.
public struct TuningTable: ~Copyable, @unchecked Sendable {
  private let keys: RealtimeArray<Double>  // Hz, 128 of them; 0 has no sound

  public init(_ tuning: Tuning) throws(SettingsError) {
    try tuning.validate()
    keys = RealtimeArray(tuning.frequenciesHz.map { $0 ?? 0 })
  }

  /// The frequency of a key; `nil` outside 0 to 127 and for keys without sound.
  @_noLocks public func hz(ofKey key: Int) -> Double? {
    guard key >= 0, key <= 127 else { return nil }
    let hz = keys[key]
    return hz > 0 ? hz : nil
  }

  /// The frequency of a pitch between keys, on a straight line in cents between theirs.
  @_noLocks public func hz(ofNote note: Double) -> Double? {
    guard note >= 0, note <= 127 else { return nil }
    let below = floorOf(note)
    guard let lower = hz(ofKey: below) else { return nil }
    let share = note - Double(below)
    guard share > 0 else { return lower }
    guard let upper = hz(ofKey: below + 1) else { return nil }
    return lower * frequencyRatio(ofSemitones: share * semitones(ofFrequencyRatio: upper / lower))
  }
}
