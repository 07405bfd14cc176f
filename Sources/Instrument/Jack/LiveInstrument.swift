import DSP
import Harmonizer
import Music
import Synchronization

/// The reference harmonizer, tuner and rack as the work of a JACK client: one input, two outputs, and
/// MIDI for notes, pads, the sustain pedal and presets.
///
/// - Allocates: in `init` and on the control thread only.
public final class LiveInstrument: JackProcessor, @unchecked Sendable {
  public let player: PresetPlayer
  /// The states of the choir's voices.
  public let truth: ChoirTap
  /// The sound that goes in, and the frames of two channels that come out.
  public let input = LockFreeRing<Float>(room: 1 << 18)
  public let output = LockFreeRing<SIMD2<Float>>(room: 1 << 18)
  /// MIDI messages, after they were played.
  public let events = LockFreeRing<JackMIDIEvent>(room: 1024)

  /// Keys of each pad's chord, and their number.
  private let pads: RealtimeArray<InlineArray<8, UInt8>>
  private let padSizes: RealtimeArray<Int>
  private let firstPadKey: Int
  /// A sound that plays over and over instead of the input; empty for the input.
  private let source: RealtimeArray<Float>
  private var sourcePlace = 0
  private var frames = 0

  /// Chords that keys play, each by one key.
  public struct Pads: Sendable {
    /// The key of the first pad.
    public var firstKey = 36
    /// Keys of each pad's chord; more than eight are cut.
    public var chords: [[Int]] = []

    public init() {}
  }

  /// - Parameter source: a sound at the server's rate to play over and over instead of the input.
  public init(
    _ preset: Preset, pads: Pads = Pads(), source: [Float] = [], sampleRateHz: Double
  ) throws(SettingsError) {
    truth = ChoirTap(hopSamples: Int(sampleRateHz / 100))
    player = try PresetPlayer(preset, sampleRateHz: sampleRateHz, observer: truth)
    self.pads = RealtimeArray(
      pads.chords.map { chord in
        var keys = InlineArray<8, UInt8>(repeating: 0)
        for (index, key) in chord.prefix(8).enumerated() { keys[index] = UInt8(clamping: key) }
        return keys
      })
    padSizes = RealtimeArray(pads.chords.map { min($0.count, 8) })
    firstPadKey = pads.firstKey
    self.source = RealtimeArray(source)
    super.init()
  }

  /// Number of samples that were processed.
  public var frameCount: Int { frameCounter.load(ordering: .relaxed) }
  private let frameCounter = Atomic(0)

  /// Plays each MIDI message at its own sample.
  public override func process(_ block: borrowing JackBlock) {
    let (count, eventCount) = (block.count, block.eventCount)
    let (left, right) = (block.output(0), block.output(1))
    guard left.count == count, right.count == count else {
      left.update(repeating: 0)
      right.update(repeating: 0)
      return
    }
    copy(block.input(0), to: left, right)
    var start = 0
    for index in 0..<eventCount {
      let event = block.event(index)
      if event.frame > start {
        play(left, right, start..<event.frame)
        start = event.frame
      }
      perform(event)
    }
    play(left, right, start..<count)
    for i in 0..<count { output.push(SIMD2(left[i], right[i])) }
    frames += count
    frameCounter.store(frames, ordering: .relaxed)
  }

  private func copy(
    _ sound: UnsafeBufferPointer<Float>, to left: UnsafeMutableBufferPointer<Float>,
    _ right: UnsafeMutableBufferPointer<Float>
  ) {
    for i in 0..<left.count {
      var sample = i < sound.count ? sound[i] : 0
      if source.count > 0 {
        sample = source[sourcePlace]
        sourcePlace = sourcePlace + 1 == source.count ? 0 : sourcePlace + 1
      }
      sample = sample.soundOrZero
      (left[i], right[i]) = (sample, sample)
      input.push(sample)
    }
  }

  private func play(
    _ left: UnsafeMutableBufferPointer<Float>, _ right: UnsafeMutableBufferPointer<Float>,
    _ range: Range<Int>
  ) {
    guard !range.isEmpty, let leftStart = left.baseAddress, let rightStart = right.baseAddress
    else { return }
    truth.now = frames + range.lowerBound
    var leftPart = MutableSpan(_unsafeStart: leftStart + range.lowerBound, count: range.count)
    var rightPart = MutableSpan(_unsafeStart: rightStart + range.lowerBound, count: range.count)
    player.process(&leftPart, &rightPart)
  }

  private func perform(_ event: JackMIDIEvent) {
    switch event.action {
    case .keys(.press(let key, let velocity)):
      let pad = key - firstPadKey
      guard pad >= 0, pad < padSizes.count else {
        player.perform(.press(key: key, velocity: velocity))
        break
      }
      for index in 0..<padSizes[pad] {
        player.perform(.press(key: Int(pads[pad][index]), velocity: velocity))
      }
    case .keys(.release(let key)):
      let pad = key - firstPadKey
      guard pad >= 0, pad < padSizes.count else {
        player.perform(.release(key: key))
        break
      }
      for index in 0..<padSizes[pad] { player.perform(.release(key: Int(pads[pad][index]))) }
    case .keys(let action): player.perform(action)
    case .silence:
      player.perform(.releaseAll)
      player.perform(.pedal(isDown: false))
    case .bend(let semitones): bend(semitones)
    case .resetControllers:
      player.perform(.pedal(isDown: false))
      bend(0)
    case .program, .control, nil: break  // presets are made and changed on the control thread
    }
    if event.status != 0 { events.push(event) }
  }

  private func bend(_ semitones: Double) {
    for key in 0...127 { player.perform(.bend(key: key, semitones: semitones)) }
  }
}

/// Notes the states of a choir's voices on the audio thread, for the truth log and the view.
public final class ChoirTap: ChoirObserver, @unchecked Sendable {
  /// One voice at a time.
  public struct Moment: BitwiseCopyable, Sendable {
    public var startSample: Int
    public var voice: TruthLog.Entry
  }

  private let ring: LockFreeRing<Moment>
  private let hopSamples: Int
  private var next = 0
  /// Number of samples processed before the present stretch; set by the audio thread.
  var now = 0

  init(hopSamples: Int) {
    self.hopSamples = hopSamples
    ring = LockFreeRing(room: 1 << 14)
  }

  public func observe(_ choir: borrowing Harmonizer) {
    guard now >= next else { return }
    next = now + hopSamples
    for voice in 0..<choir.voiceCount {
      ring.push(Moment(startSample: now, voice: choir.state(ofVoice: voice)))
    }
  }

  /// Returns the moments since the last call; for the control thread.
  public func moments() -> [Moment] { ring.popAll() }
}
