import DSP

/// The keys, sustain pedal and latch of one player: which notes sound.
///
/// A key sounds from its press until it was released as often as it was pressed; with the pedal
/// down, until the pedal goes up. With the latch on, keys sound on after their release until the
/// first key is pressed that finds none held down: then a new chord begins.
///
/// - Allocates: in `init` only.
public struct HeldKeys: KeyReceiver, ~Copyable, Sendable {
  /// Number of presses of each key without a release.
  private var presses = RealtimeArray<Int>(repeating: 0, count: 128)
  /// 1 where a key sounds.
  private var sounding = RealtimeArray<Int>(repeating: 0, count: 128)
  private var downCount = 0
  public private(set) var pedalIsDown = false
  public private(set) var latches = false

  public init() {}

  /// - Parameter key: 0 to 127; others never sound.
  @_noLocks public func isSounding(_ key: Int) -> Bool {
    key >= 0 && key <= 127 && sounding[key] == 1
  }

  /// Number of presses of a key, 0 to 127, without a release.
  @_noLocks public func pressCount(of key: Int) -> Int { presses[key] }

  /// Bends leave the keys as they are.
  @_noLocks public mutating func perform(_ action: KeyAction) {
    switch action {
    case .press(let key, _): keyDown(key)
    case .release(let key): keyUp(key)
    case .releaseAll:
      // With the pedal down, notes sound until it goes up.
      for key in 0...127 { presses[key] = 0 }
      downCount = 0
      if !pedalIsDown { endReleased() }
    case .pedal(let isDown):
      pedalIsDown = isDown
      if !isDown, !latches { endReleased() }
    case .latch(let isOn):
      // Switching it off ends what only it held.
      latches = isOn
      if !isOn, !pedalIsDown { endReleased() }
    case .bend: break
    }
  }

  @_noLocks private mutating func keyDown(_ key: Int) {
    guard key >= 0, key <= 127 else { return }
    if downCount == 0, latches, !pedalIsDown { endReleased() }
    if presses[key] == 0 { downCount += 1 }
    presses[key] += 1
    sounding[key] = 1
  }

  @_noLocks private mutating func keyUp(_ key: Int) {
    guard key >= 0, key <= 127, presses[key] > 0 else { return }
    presses[key] -= 1
    guard presses[key] == 0 else { return }
    downCount -= 1
    if !pedalIsDown, !latches { sounding[key] = 0 }
  }

  /// Releases everything, pedal and latch too.
  @_noLocks public mutating func reset() {
    for key in 0...127 { (presses[key], sounding[key]) = (0, 0) }
    (downCount, pedalIsDown, latches) = (0, false, false)
  }

  @_noLocks private mutating func endReleased() {
    for key in 0...127 where presses[key] == 0 { sounding[key] = 0 }
  }
}
