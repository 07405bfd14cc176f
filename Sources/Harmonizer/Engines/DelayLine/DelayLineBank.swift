import DSP

/// The delay-line engine: a `DelayLineShifter` for each voice.
///
/// - Allocates: in `init` only.
public struct DelayLineBank: PitchShifter, ~Copyable {
  private let shifters: UnsafeMutableBufferPointer<DelayLineShifter>

  /// - Parameter shiftsSemitones: one for each voice; positive is up.
  public init(
    shiftsSemitones: [Double], _ settings: DelayLineShifter.Settings, sampleRateHz: Double
  ) throws(SettingsError) {
    shifters = .allocate(capacity: shiftsSemitones.count)
    for (index, shift) in shiftsSemitones.enumerated() {
      do throws(SettingsError) {
        shifters.initializeElement(
          at: index,
          to: try DelayLineShifter(
            shiftSemitones: shift, settings, sampleRateHz: sampleRateHz))
      } catch {
        shifters.extracting(..<index).deinitialize()
        shifters.deallocate()
        throw error
      }
    }
  }

  deinit {
    shifters.deinitialize()
    shifters.deallocate()
  }

  public var voiceCount: Int { @_noLocks get { shifters.count } }

  public var latencySamples: Int {
    @_noLocks get { shifters.count > 0 ? unsafe shifters[0].latencySamples : 0 }
  }

  @_noLocks public mutating func reset() {
    for voice in 0..<shifters.count { unsafe shifters[voice].reset() }
  }

  @_noLocks public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    unsafe shifters[voice].setShift(semitones: semitones)
  }

  @_noLocks public func shiftSemitones(ofVoice voice: Int) -> Double {
    unsafe shifters[voice].shiftSemitones
  }

  /// Going by the louder of the two taps.
  @_noLocks public func soundingDelaySamples(ofVoice voice: Int) -> Double {
    unsafe shifters[voice].soundingDelaySamples
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, _ range: Range<Int>, into voices: inout MutableSpan<Float>
  ) {
    let (count, room) = (range.count, voices.count)
    precondition(room == shifters.count * count, "no room for every voice")
    for voice in 0..<shifters.count {
      unsafe shifters[voice].process(input, range, into: &voices, at: voice * count)
    }
  }
}
