import Analyzer
import DSP
import Foundation
import Subjects

/// A sound beside one that it should resemble: what metrics of pairs look at.
///
/// The reference may be the same performance as it should be (an oracle, an earlier rendering) or
/// the input of a shifter; then `shiftSemitones` says how far the pitch was to move.
public struct SoundPair: Sendable {
  public let reference: AnalyzedSound
  public let test: AnalyzedSound
  /// Interval by which the test should lie above the reference.
  public let shiftSemitones: Double
  /// Delay of the test.
  public let delay: SoundDelay
  /// The test as a voice whose target is the reference, moved by the shift.
  let voice: VoiceObservation
  /// Both sounds, aligned and of equal length, without infrasound and without samples that are not
  /// finite. With an unknown delay they are not moved.
  public let aligned: (reference: Signal, test: Signal)

  public var referenceTrack: PitchTrack { reference.track }
  public var testTrack: PitchTrack { test.track }

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
      delay: delayMs.map { .given(ms: $0) })
  }

  /// The pair of sounds that take part in other pairs too.
  ///
  /// - Parameter delay: of the test, where it was measured or given already.
  public init(
    _ test: AnalyzedSound, against reference: AnalyzedSound, shiftSemitones: Double = 0,
    delay known: SoundDelay? = nil
  ) throws(Failure) {
    let (rate, other) = (reference.signal.sampleRateHz, test.signal.sampleRateHz)
    guard rate == other else { throw .ratesDiffer(referenceHz: rate, testHz: other) }
    guard reference.signal.count > 0 else { throw .empty("reference") }
    guard test.signal.count > 0 else { throw .empty("test") }
    // Sound beyond the end of the shorter one is not compared.
    let (long, late) = (reference, test)
    let reference = long.shortened(to: late.signal.count)
    let test = late.shortened(to: long.signal.count)
    let score = Score(id: "shift", intervalsSemitones: [shiftSemitones])
    func voice(_ delay: SoundDelay) -> VoiceObservation {
      VoiceObservation(
        test, voice: 0, of: ResolvedScore(score, lead: reference.track), beside: reference,
        delay: delay)
    }
    let delay =
      known
      ?? SoundDelay(of: late.audible, from: long.audible).refined(
        late.audible, from: long.audible, by: (test.track, voice(.given(ms: 0)).wanted))
    (self.reference, self.test, self.delay) = (reference, test, delay)
    self.shiftSemitones = shiftSemitones
    self.voice = voice(delay)
    aligned = Self.aligned(long.audible, late.audible, delay.seconds ?? 0)
  }

  private static func aligned(
    _ reference: Signal, _ test: Signal, _ delaySeconds: Double
  ) -> (reference: Signal, test: Signal) {
    let late = Int((delaySeconds * test.sampleRateHz).rounded())
    let (first, firstOfTest) = (min(max(0, -late), reference.count), min(max(0, late), test.count))
    let count = min(reference.count - first, test.count - firstOfTest)
    /// Returns part of a sound; the sound itself if that is all of it.
    func cut(_ sound: Signal, from first: Int) -> Signal {
      first == 0 && count == sound.count
        ? sound : Signal(sound.samples(first..<first + count), sampleRateHz: test.sampleRateHz)
    }
    return (cut(reference, from: first), cut(test, from: firstOfTest))
  }

  /// Target and pitch of the test where both have one, at times of the reference.
  var sungTogether: [(timeSeconds: Double, wantedHz: Double, measuredHz: Double)] {
    let (wanted, heard) = (voice.target, voice.heard)
    guard let delaySeconds = delay.seconds else { return [] }
    return wanted.f0Hz.indices.filter { wanted.f0Hz[$0] > 0 && heard.f0Hz[$0] > 0 }.map {
      (Double($0) * heard.hopSeconds - delaySeconds, wanted.f0Hz[$0], heard.f0Hz[$0])
    }
  }
}
