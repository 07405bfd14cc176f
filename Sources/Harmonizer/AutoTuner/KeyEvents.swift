/// What a player did, and which sample of the sound it was with.
struct KeyEvent: BitwiseCopyable, Sendable {
  enum Action: BitwiseCopyable, Sendable { case press, release, pedalDown, pedalUp, bend }

  var sample: Int
  var action: Action
  var key: Int
  /// Of a bend.
  var semitones: Double

  @_noLocks init(sample: Int, action: Action, key: Int, semitones: Double = 0) {
    (self.sample, self.action, self.key, self.semitones) = (sample, action, key, semitones)
  }
}

/// What was played and the tuner has not come to yet, for it judges sound a look-ahead late.
///
/// - Allocates: in `init` only.
struct KeyEvents: ~Copyable, @unchecked Sendable {
  /// Far more than fingers and wheels can play within a look-ahead; of more the oldest are lost.
  private static var room: Int { @_noLocks get { 4096 } }

  private let storage: UnsafeMutableBufferPointer<KeyEvent>
  private var given = 0
  private var taken = 0

  init() {
    storage = .allocate(capacity: Self.room)
    storage.initialize(repeating: KeyEvent(sample: 0, action: .press, key: 0))
  }

  deinit { storage.deallocate() }

  @_noLocks mutating func add(_ event: KeyEvent) {
    unsafe storage[given & (Self.room - 1)] = event
    given += 1
    taken = max(taken, given - Self.room)
  }

  /// The oldest that was with `sample` or before it.
  @_noLocks mutating func next(upTo sample: Int) -> KeyEvent? {
    guard taken < given else { return nil }
    let event = unsafe storage[taken & (Self.room - 1)]
    guard event.sample <= sample else { return nil }
    taken += 1
    return event
  }

  @_noLocks mutating func reset() { (given, taken) = (0, 0) }
}
