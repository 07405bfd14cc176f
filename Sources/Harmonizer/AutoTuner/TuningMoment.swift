/// What an auto-tuner made of one instant of the sound.
public struct TuningMoment: Codable, Equatable, Sendable, BitwiseCopyable {
  /// Of the input; in the output it is heard the tuner's latency later.
  public var sample: Int
  /// As it was believed; 0 where there was no voice.
  public var leadHz: Double
  /// The note that the voice was on, and its frequency; `nil` where none.
  public var key: Int?
  public var targetHz: Double?
  /// How far the voice was moved up.
  public var correctionCents: Double

  @_noLocks init(
    sample: Int, leadHz: Double, key: Int?, targetHz: Double?, correctionCents: Double
  ) {
    (self.sample, self.leadHz, self.correctionCents) = (sample, leadHz, correctionCents)
    (self.key, self.targetHz) = (key, targetHz)
  }
}

/// Moments that wait to be taken.
///
/// - Allocates: in `init` only.
struct Moments: ~Copyable, @unchecked Sendable {
  private let storage: UnsafeMutableBufferPointer<TuningMoment>
  private var given = 0
  private var taken = 0

  /// - Parameter room: a power of two; of more than so many the oldest are lost.
  init(room: Int) {
    storage = .allocate(capacity: room)
    storage.initialize(
      repeating: TuningMoment(sample: 0, leadHz: 0, key: nil, targetHz: nil, correctionCents: 0))
  }

  deinit { storage.deallocate() }

  @_noLocks mutating func add(_ moment: TuningMoment) {
    unsafe storage[given & (storage.count - 1)] = moment
    given += 1
  }

  @_noLocks mutating func next() -> TuningMoment? {
    guard taken < given else { return nil }
    taken = max(taken, given - storage.count)
    taken += 1
    return unsafe storage[(taken - 1) & (storage.count - 1)]
  }

  @_noLocks mutating func reset() { (given, taken) = (0, 0) }
}
