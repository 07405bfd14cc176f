import DSP
import Music
import TestSupport
import Testing

@testable import Harmonizer

@Suite struct VoiceAllocatorTests {
  /// An allocator at 1000 samples per second, so that samples are milliseconds.
  static func make(_ voices: Int, _ policy: VoiceAllocator.Policy = .oldest) -> VoiceAllocator {
    VoiceAllocator(voiceCount: voices, .init { $0.policy = policy }, sampleRateHz: 1000)
  }

  static func keys(_ allocator: borrowing VoiceAllocator) -> [Int?] {
    var keys: [Int?] = []
    for voice in 0..<allocator.voiceCount {
      keys.append(allocator.assignment(ofVoice: voice)?.key)
    }
    return keys
  }

  /// Three voices sing 64, 60 and 67, begun in this order; then 65 is pressed.
  @Test(arguments: [
    (VoiceAllocator.Policy.oldest, [65, 60, 67]), (.newest, [64, 60, 65]),
    (.lowest, [64, 65, 67]), (.highest, [64, 60, 65]), (.nearest, [65, 60, 67]),
    (.roundRobin, [65, 60, 67]),
  ])
  func aNoteTooManyGoesByThePolicy(policy: VoiceAllocator.Policy, keys: [Int]) throws {
    var allocator = Self.make(3, policy)
    for (place, key) in [64, 60, 67].enumerated() { allocator.press(key, atSample: 100 * place) }
    #expect(Self.keys(allocator) == [64, 60, 67])
    allocator.press(65, atSample: 400)
    #expect(Self.keys(allocator) == keys)
  }

  @Test func freeVoicesAreAssignedFirst() throws {
    var nearest = Self.make(3, .nearest)
    for key in [60, 64, 67] { nearest.press(key, atSample: 0) }
    for key in [60, 64, 67] { nearest.release(key) }
    // The next chord, played from the top down: each voice takes the note nearest to its own.
    for key in [69, 65, 60] { nearest.press(key, atSample: 500) }
    #expect(Self.keys(nearest) == [60, 65, 69])
    var round = Self.make(3, .roundRobin)
    for (time, key) in [60, 62, 64, 65].enumerated() {
      #expect(round.press(key, atSample: 100 * time) == time % 3)
      round.release(key)
    }
  }

  /// A chord of four keys strummed over 60 ms on three sounding voices: three keys get a voice, in
  /// whatever order they come, and no voice gets two of them.
  @Test(arguments: VoiceAllocator.Policy.allCases)
  func aStrumAssignsOneNotePerVoice(policy: VoiceAllocator.Policy) throws {
    for strum in [[60, 64, 67, 71], [71, 67, 64, 60], [64, 71, 60, 67]] {
      var allocator = Self.make(3, policy)
      for key in [50, 53, 57] { allocator.press(key, atSample: 0) }
      var takers: [Int?] = []
      for (place, key) in strum.enumerated() {
        takers.append(allocator.press(key, atSample: 1000 + 20 * place))
      }
      #expect(Set(takers.prefix(3)) == [0, 1, 2] && takers[3] == nil)
      for voice in 0..<3 { #expect(allocator.assignment(ofVoice: voice)?.onsets == 2) }
      // A key after the strum begins a new chord.
      #expect(allocator.press(72, atSample: 1061) != nil)
    }
  }

  @Test func aRepeatedKeyStaysWithItsVoice() throws {
    var allocator = Self.make(2)
    allocator.press(60, atSample: 0)
    allocator.press(60, atSample: 100)
    #expect(
      allocator.assignment(ofVoice: 0)
        == VoiceAllocator.Assignment(key: 60, startSample: 100, onsets: 2))
    #expect(Self.keys(allocator) == [60, nil])
    // A key pressed twice ends when it has been released twice.
    allocator.release(60)
    #expect(Self.keys(allocator) == [60, nil])
    allocator.release(60)
    #expect(Self.keys(allocator) == [nil, nil])
    var legato = VoiceAllocator(voiceCount: 1, .init { $0.retriggers = false }, sampleRateHz: 1000)
    legato.press(60, atSample: 0)
    legato.press(60, atSample: 100)
    #expect(legato.assignment(ofVoice: 0)?.onsets == 1)
  }

  @Test func thePedalHolds() throws {
    var allocator = Self.make(3)
    allocator.press(60, atSample: 0)
    allocator.setPedal(isDown: true)
    allocator.press(64, atSample: 100)
    allocator.release(60)
    allocator.release(64)
    #expect(Self.keys(allocator) == [60, 64, nil])
    allocator.press(64, atSample: 200)
    allocator.setPedal(isDown: false)
    #expect(Self.keys(allocator) == [nil, 64, nil])
  }

  @Test func theLatchHoldsUntilTheNextChord() throws {
    var allocator = Self.make(3)
    allocator.setLatch(isOn: true)
    for key in [60, 64] { allocator.press(key, atSample: 0) }
    for key in [60, 64] { allocator.release(key) }
    #expect(Self.keys(allocator) == [60, 64, nil])
    allocator.press(62, atSample: 500)
    allocator.press(65, atSample: 510)  // 62 is still down: the same chord
    #expect(Self.keys(allocator) == [62, 65, nil])
    allocator.release(62)
    allocator.setLatch(isOn: false)
    #expect(Self.keys(allocator) == [nil, 65, nil])
  }

  /// Random playing: no key has two voices, every sounding key is held, and all voices end with the
  /// keys.
  @Test(arguments: VoiceAllocator.Policy.allCases)
  func staysConsistentUnderRandomPlaying(policy: VoiceAllocator.Policy) throws {
    var random = SeededGenerator(seed: 7)
    var allocator = Self.make(4, policy)
    var down: Set<Int> = []
    for time in 0..<4000 {
      let key = Int.random(in: 58...70, using: &random)
      if down.remove(key) != nil {
        allocator.release(key)
      } else {
        down.insert(key)
        allocator.press(key, atSample: 10 * time)
      }
      let sung = Self.keys(allocator).compactMap { $0 }
      #expect(Set(sung).count == sung.count && Set(sung).isSubset(of: down))
    }
    for key in down { allocator.release(key) }
    #expect(Self.keys(allocator) == [nil, nil, nil, nil])
  }

  @Test func keysOutOfRangeAreIgnored() throws {
    var allocator = Self.make(2)
    for key in [-1, 128, Int.max, Int.min] {
      #expect(allocator.press(key, atSample: 0) == nil)
      allocator.release(key)
    }
    #expect(Self.keys(allocator) == [nil, nil])
  }

  @Test func allocatesNothing() throws {
    let fresh = { Self.make(2) }
    let calls = allocatorCalls(on: fresh) { allocator in
      for key in 61...70 { allocator.press(key, atSample: 100 * key) }
      allocator.setPedal(isDown: true)
      allocator.release(70)
      allocator.setPedal(isDown: false)
    }
    #expect(calls == 0)
  }

  @Test func resetForgets() throws {
    var allocator = Self.make(2)
    for key in 61...70 { allocator.press(key, atSample: 100 * key) }
    allocator.reset()
    #expect(Self.keys(allocator) == [nil, nil])
    #expect(allocator.press(64, atSample: 0) == 0)
    #expect(allocator.assignment(ofVoice: 0)?.onsets == 1)
  }
}

extension VoiceAllocator {
  @discardableResult
  fileprivate mutating func press(_ key: Int, atSample sample: Int) -> Int? {
    perform(.press(key: key, velocity: 127), atSample: sample)
  }

  fileprivate mutating func release(_ key: Int) { _ = perform(.release(key: key), atSample: 0) }

  fileprivate mutating func setPedal(isDown: Bool) {
    _ = perform(.pedal(isDown: isDown), atSample: 0)
  }

  fileprivate mutating func setLatch(isOn: Bool) { _ = perform(.latch(isOn: isOn), atSample: 0) }
}
