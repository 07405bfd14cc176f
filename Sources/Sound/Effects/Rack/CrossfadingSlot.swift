import DSP

/// A stereo processor that can replace another while sound runs.
open class StereoUnit: MailboxMessage {
  /// The delay of the direct sound.
  open var latencySamples: Int { 0 }
  /// The time that it sounds after its input has ended, beyond the latency.
  open var tailSamples: Int { 0 }
  /// The effects whose parameters can be changed while it runs.
  open var graph: EffectsGraph? { self as? EffectsGraph }
  /// Clears the past.
  open func reset() {}
  /// Processes in place; both channels have the same count, at most
  /// `CrossfadingSlot.longestStretch`. Never allocates, locks or throws.
  open func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {}
}

/// Runs a unit and replaces it while sound runs, without a click.
///
/// The new unit is made on the control thread and handed over. Its input fades in while that of the
/// old unit fades out, along a smooth step of 20 ms whose gains add up to 1; the old unit then
/// rings for its tail. If the latencies differ, the earlier input change of the later unit aligns
/// both at the output. A change handed over during another waits. Units that have ended are handed
/// back and released on the control thread.
///
/// - Allocates: in `init` and on the control thread only.
///
/// It is the audio part of a rack and of a preset's player.
open class CrossfadingSlot: BlockProcessor, @unchecked Sendable {
  public static let longestStretch = 256
  /// The number of units that may sound at once: one, and others that ring. For one more the oldest
  /// is faded.
  private static let maxUnits = 4

  private let mailbox = LockFreeMailbox()
  private let fadeSamples: Int

  // Audio thread:
  private var players: RealtimeArray<Player>
  /// The number of `players`, the oldest first; the last is the current one.
  private var count = 1
  /// The right channel for mono sound.
  private var middle = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)
  private var inLeft = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)
  private var inRight = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)
  private var workLeft = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)
  private var workRight = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)

  /// A unit and its gains.
  private struct Player {
    /// The unit, owned by the mailbox, so that nothing is retained or released on the audio thread.
    var unit: Unmanaged<StereoUnit>
    var input: Fade
    var output = Fade(1)
    /// The number of samples until its output fades; unlimited until it is replaced.
    var remaining = Int.max

    /// True if both gains are constantly 1.
    var isPlain: Bool { input.isFull && output.isFull }

    /// The number of samples until one of its fades changes.
    var steadySamples: Int {
      min(input.steadySamples, output.steadySamples, remaining > 0 ? remaining : .max)
    }
  }

  package init(_ unit: StereoUnit, sampleRateHz: Double) {
    fadeSamples = max(1, Int(0.02 * sampleRateHz))
    mailbox.keep(unit)
    players = RealtimeArray(
      repeating: Player(unit: .passUnretained(unit), input: Fade(1)), count: Self.maxUnits)
  }

  // MARK: Control thread

  /// The delay of the sound last set.
  open var latencySamples: Int { 0 }

  /// Hands over the next message for the audio thread. The previous one must have been received or
  /// retracted.
  package func send(_ message: MailboxMessage) {
    mailbox.post(message)
    mailbox.collect()
  }

  /// Returns a message that was not yet received, and withdraws it.
  package func retract() -> MailboxMessage? { mailbox.retract() }

  /// Releases what the audio thread has finished with, like `send`. Call it on the control thread.
  public func collect() { mailbox.collect() }

  // MARK: Audio thread

  /// Calls `work` with the current unit.
  package func withUnit(_ work: (StereoUnit) -> Void) {
    players[count - 1].unit._withUnsafeGuaranteedRef(work)
  }

  /// Called with a new unit before it first sounds; restricted like `process`.
  package var onUnitStarted: ((StereoUnit) -> Void)?

  /// Clears the past; a message handed over stays.
  open func reset() {
    while count > 1 { drop(0) }
    players[0].input = Fade(1)
    withUnit { $0.reset() }
  }

  /// Processes in place; both channels have the same count.
  public func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    let (count, other) = (left.count, right.count)
    precondition(count == other, "counts differ")
    var start = 0
    while start < count {
      dropSilent()
      receiveMessage()
      var end = min(start + Self.longestStretch, count)
      for i in 0..<self.count { end = min(end, start + min(players[i].steadySamples, count)) }
      process(&left, &right, start..<end)
      start = end
    }
  }

  /// Processes mono sound; writes the mean of both channels.
  @_semantics("no_performance_analysis")
  public func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    let (count, room) = (input.count, output.count)
    precondition(count == room, "counts differ")
    for start in stride(from: 0, to: count, by: Self.longestStretch) {
      let range = start..<min(start + Self.longestStretch, count)
      var left = output._mutatingExtracting(range)
      var right = middle.mutablePrefix(range.count)
      for i in 0..<range.count {
        left[i] = input[start + i]
        right[i] = left[i]
      }
      process(&left, &right)
      for i in 0..<range.count { left[i] = 0.5 * (left[i] + right[i]) }
    }
  }

  /// Processes a whole sound in place, in blocks as on an audio thread. For offline use.
  public func process(_ left: inout [Float], _ right: inout [Float], blockSize: Int) {
    precondition(left.count == right.count && blockSize > 0, "channels of one length, in blocks")
    for start in stride(from: 0, to: left.count, by: blockSize) {
      let range = start..<min(start + blockSize, left.count)
      var leftWhole = left.mutableSpan
      var rightWhole = right.mutableSpan
      var leftPart = leftWhole._mutatingExtracting(range)
      var rightPart = rightWhole._mutatingExtracting(range)
      process(&leftPart, &rightPart)
    }
  }

  /// Receives the next message, unless a change is under way.
  private func receiveMessage() {
    guard count < Self.maxUnits, players[count - 1].isPlain, let message = mailbox.receive()
    else { return }
    var unit: Unmanaged<StereoUnit>?
    message._withUnsafeGuaranteedRef { handed in
      if let handed = handed as? StereoUnit {
        unit = .passUnretained(handed)
      } else {
        withUnit { handed.apply(to: $0) }
      }
    }
    if let unit { change(to: unit) } else { mailbox.returnUsed(message) }
  }

  private func change(to unit: Unmanaged<StereoUnit>) {
    let old = count - 1
    let newLatency = unit._withUnsafeGuaranteedRef { unit in
      onUnitStarted?(unit)
      return unit.latencySamples
    }
    let (latency, tail) = players[old].unit._withUnsafeGuaranteedRef {
      ($0.latencySamples, $0.tailSamples)
    }
    let latest = max(latency, newLatency)
    players[old].input.aim(at: 0, after: latest - latency, over: fadeSamples)
    players[old].remaining = latest + fadeSamples + tail
    var player = Player(unit: unit, input: Fade(0))
    player.input.aim(at: 1, after: latest - newLatency, over: fadeSamples)
    players[count] = player
    count += 1
    if count == Self.maxUnits { silence(0) }
  }

  private func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, _ range: Range<Int>
  ) {
    if count == 1, players[0].isPlain { return playAlone(&left, &right, range) }
    let (start, length) = (range.lowerBound, range.count)
    for i in 0..<length {
      inLeft[i] = left[start + i].soundOrZero
      inRight[i] = right[start + i].soundOrZero
      left[start + i] = 0
      right[start + i] = 0
    }
    for place in 0..<count { play(place, &left, &right, start, length) }
  }

  /// The common case: one unit with a gain of 1.
  private func playAlone(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, _ range: Range<Int>
  ) {
    for i in range {
      left[i] = left[i].soundOrZero
      right[i] = right[i].soundOrZero
    }
    var ownLeft = left._mutatingExtracting(range)
    var ownRight = right._mutatingExtracting(range)
    players[0].unit._withUnsafeGuaranteedRef { $0.process(&ownLeft, &ownRight) }
  }

  /// Adds one unit's output for the input.
  private func play(
    _ place: Int, _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>,
    _ start: Int, _ length: Int
  ) {
    var (input, output) = (players[place].input, players[place].output)
    for i in 0..<length {
      let gain = input.next()
      workLeft[i] = gain * inLeft[i]
      workRight[i] = gain * inRight[i]
    }
    var wetLeft = workLeft.mutablePrefix(length)
    var wetRight = workRight.mutablePrefix(length)
    players[place].unit._withUnsafeGuaranteedRef { $0.process(&wetLeft, &wetRight) }
    for i in 0..<length {
      let gain = output.next()
      left[start + i] += gain * wetLeft[i]
      right[start + i] += gain * wetRight[i]
    }
    (players[place].input, players[place].output) = (input, output)
    if players[place].remaining != .max, players[place].remaining > 0 {
      players[place].remaining -= length
    }
  }

  /// Fades units whose tail is over, and hands back those that have faded.
  private func dropSilent() {
    for place in stride(from: count - 2, through: 0, by: -1) where players[place].remaining == 0 {
      guard players[place].output.isAtRest else { continue }
      if players[place].output.value == 0 { drop(place) } else { silence(place) }
    }
  }

  private func silence(_ place: Int) {
    players[place].remaining = 0
    players[place].output.aim(at: 0, after: 0, over: fadeSamples)
  }

  private func drop(_ place: Int) {
    mailbox.returnUsed(.fromOpaque(players[place].unit.toOpaque()))
    for i in place..<count - 1 {
      let next = players[i + 1]
      players[i] = next
    }
    count -= 1
  }
}

/// A gain that moves along a smooth step, `3 t² - 2 t³`: two opposite ones always add up to 1.
private struct Fade {
  private(set) var value: Float
  private var (from, to): (Float, Float)
  private var waiting = 0
  private var done = 0
  private var length = 0

  init(_ value: Float) { (self.value, from, to) = (value, value, value) }

  var isAtRest: Bool { done == length }
  var isFull: Bool { isAtRest && value == 1 }

  /// The number of samples until its next change of phase.
  var steadySamples: Int { isAtRest ? .max : waiting > 0 ? waiting : length - done }

  mutating func aim(at target: Float, after waiting: Int, over length: Int) {
    (from, to, self.waiting, done, self.length) = (value, target, waiting, 0, length)
  }

  @inline(__always) mutating func next() -> Float {
    guard done < length else { return value }
    guard waiting == 0 else {
      waiting -= 1
      return value
    }
    done += 1
    let t = Float(done) / Float(length)
    value = done == length ? to : from + (to - from) * t * t * (3 - 2 * t)
    return value
  }
}
