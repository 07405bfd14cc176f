import Analyzer
import DSP
import Foundation

/// A sound beside one that it should resemble: what metrics of pairs look at.
///
/// The reference may be the same performance as it should be (an oracle, an earlier rendering) or
/// the input of a shifter; then `shiftSemitones` says how far the pitch was to move.
public struct SoundPair: Sendable {
  public let reference: AnalyzedSound
  public let test: AnalyzedSound
  /// Interval by which the test should lie above the reference.
  public let shiftSemitones: Double
  public let delay: Delay
  /// Both sounds, aligned and of equal length, without infrasound and without samples that are not
  /// finite.
  public let aligned: (reference: Signal, test: Signal)

  /// The aligned sounds with infrasound, for measures of what precedes an onset, which a filter would
  /// smear.
  let alignedWithInfrasound: (reference: Signal, test: Signal)

  public var referenceTrack: PitchTrack { reference.track }
  public var testTrack: PitchTrack { test.track }

  /// Delay of the test, by the way it is known.
  public enum Delay: Equatable, Sendable {
    /// The waveforms correlate.
    case waveform(WaveformDelay)
    /// Only the loudness correlates.
    case loudness(OnsetDelay)
    /// The caller knows it.
    case given(ms: Double)
    /// Not measurable; taken as 0.
    case unknown(because: Undefined)

    public var seconds: Double {
      switch self {
      case .waveform(let found): found.delayMs / 1000
      case .loudness(let found): found.alignmentMs / 1000
      case .given(let ms): ms / 1000
      case .unknown: 0
      }
    }
  }

  /// A reason why two sounds can't be compared.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case ratesDiffer(referenceHz: Double, testHz: Double)
    case empty(String)

    public var description: String {
      switch self {
      case .ratesDiffer(let reference, let test):
        "the reference has \(reference) Hz, the test \(test) Hz; resample one of them "
          + "(sox in.wav -r \(Int(reference)) out.wav)"
      case .empty(let which): "the \(which) has no samples"
      }
    }
  }

  /// - Parameter delayMs: of the test, where it is known; measured otherwise.
  public init(
    _ test: Signal, against reference: Signal, shiftSemitones: Double = 0, delayMs: Double? = nil
  ) throws(Failure) {
    try self.init(
      AnalyzedSound(test), against: AnalyzedSound(reference), shiftSemitones: shiftSemitones,
      delayMs: delayMs)
  }

  /// The same of sounds that take part in other pairs too.
  public init(
    _ test: AnalyzedSound, against reference: AnalyzedSound, shiftSemitones: Double = 0,
    delayMs: Double? = nil
  ) throws(Failure) {
    let (rate, other) = (reference.signal.sampleRateHz, test.signal.sampleRateHz)
    guard rate == other else { throw .ratesDiffer(referenceHz: rate, testHz: other) }
    guard reference.signal.count > 0 else { throw .empty("reference") }
    guard test.signal.count > 0 else { throw .empty("test") }
    let delay =
      delayMs.map { .given(ms: $0) } ?? Self.delay(of: test.audible, from: reference.audible)
    self.delay = delay
    self.shiftSemitones = shiftSemitones
    // Sound beyond the end of the shorter one is not compared.
    self.reference = reference.shortened(to: test.signal.count)
    self.test = test.shortened(to: reference.signal.count)
    aligned = Self.aligned(reference.audible, test.audible, delay.seconds)
    alignedWithInfrasound = Self.aligned(reference.finite, test.finite, delay.seconds)
  }

  private static func delay(of test: Signal, from reference: Signal) -> Delay {
    if let waveform = try? WaveformDelay(of: test, from: reference) { return .waveform(waveform) }
    do { return .loudness(try OnsetDelay(of: test, from: reference)) } catch {
      return .unknown(because: Undefined(error))
    }
  }

  private static func aligned(
    _ reference: Signal, _ test: Signal, _ delaySeconds: Double
  ) -> (reference: Signal, test: Signal) {
    let late = Int((delaySeconds * test.sampleRateHz).rounded())
    let (first, firstOfTest) = (
      min(max(0, -late), reference.count), min(max(0, late), test.count)
    )
    let count = min(reference.count - first, test.count - firstOfTest)
    /// Returns part of a sound; the same array if that is all of it, which `SoundMemo` knows at
    /// once.
    func cut(_ sound: Signal, from first: Int) -> Signal {
      Signal(sound.samples(first..<first + count), sampleRateHz: test.sampleRateHz)
    }
    return (cut(reference, from: first), cut(test, from: firstOfTest))
  }

  /// Pitch of both where both have one: of the reference's frames, in Hz, the reference's moved by
  /// the shift.
  var sungTogether: [(timeSeconds: Double, wantedHz: Double, heardHz: Double)] {
    let ratio = exp2(shiftSemitones / 12)
    return referenceTrack.f0Hz.indices.compactMap { frame in
      let time = Double(frame) * referenceTrack.hopSeconds
      guard referenceTrack.f0Hz[frame] > 0,
        let heard = testTrack.f0Hz(atSeconds: time + delay.seconds), heard > 0
      else { return nil }
      return (time, referenceTrack.f0Hz[frame] * ratio, heard)
    }
  }
}

extension Signal {
  /// Silence in place of samples that are not numbers.
  package var withoutNonFinite: Signal {
    firstNonFinite == nil
      ? self : Signal(samples.map { $0.isFinite ? $0 : 0 }, sampleRateHz: sampleRateHz)
  }
}
