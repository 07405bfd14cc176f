import Analyzer
import Corpus
import DSP
import Foundation

/// A sound and what the analyzers say of it by itself, each once and not before it is asked for.
///
/// A reference is measured against many others; what belongs to it alone is then known already.
///
/// - Memory: per second of sound some 10 kB beside the samples once everything was asked for.
public final class AnalyzedSound: Sendable {
  public let signal: Signal
  /// The same with silence in place of samples that are not numbers.
  let finite: Signal
  private let knownTrack: PitchTrack?
  private let memo = Memo()

  /// - Parameter track: its pitch, where that is known better than the tracker could hear it.
  public init(_ signal: Signal, track: PitchTrack? = nil) {
    self.signal = signal
    finite = signal.withoutNonFinite
    knownTrack = track
  }

  /// Its beginning; itself, with all that is known of it, where it is no longer than that.
  func shortened(to count: Int) -> AnalyzedSound {
    guard count < signal.count else { return self }
    let known = knownTrack.map { track in
      let frames = Int(Double(count) / signal.sampleRateHz / track.hopSeconds)
      return PitchTrack(
        hopSeconds: track.hopSeconds, f0Hz: Array(track.f0Hz.prefix(frames)),
        voicing: Array(track.voicing.prefix(frames)))
    }
    return AnalyzedSound(
      Signal(Array(signal.samples.prefix(count)), sampleRateHz: signal.sampleRateHz), track: known)
  }

  /// What judges of a voice listen to: the finite sound without infrasound.
  var audible: Signal { memo("audible") { finite.withoutInfrasound() } }

  /// Its pitch: as known, else as heard.
  public var track: PitchTrack { knownTrack ?? heardTrack }

  /// Its pitch as the tracker hears it.
  var heardTrack: PitchTrack { memo("pitch") { PitchTracker.ofVoices.track(finite) } }

  /// Envelopes and formants of half seconds, one after the other, from a time on, which their own times are counted from.
  func envelopes(fromSeconds start: Double = 0) -> [EnvelopeAnalyzer.Frame] {
    memo("envelopes \(start)") {
      let late = max(0, Int((start * audible.sampleRateHz).rounded()))
      let frames = max(0, Int((start / track.hopSeconds).rounded()))
      let rest = Signal(Array(audible.samples.dropFirst(late)), sampleRateHz: audible.sampleRateHz)
      let pitch = PitchTrack(
        hopSeconds: track.hopSeconds, f0Hz: Array(track.f0Hz.dropFirst(frames)),
        voicing: Array(track.voicing.dropFirst(frames)))
      return EnvelopeAnalyzer.sparse.frames(of: rest, pitch)
    }
  }

  /// Slope of the levels of its harmonics; `nil` where they span less than an octave.
  var tiltDbPerOctave: Double? {
    memo("tilt") {
      let sampler = HarmonicSampler(of: finite, ceilingHz: 5500)
      let levels = sampler.levels(
        along: track, from: 0, to: finite.durationSeconds, hopSeconds: 0.02)
      return SpectralTilt(of: levels)?.dbPerOctave
    }
  }

  /// Mean roughness, were it as loud as a voice of 60 dB.
  var asper: Result<Double, ArtefactFailure> {
    memo("roughness") {
      Result { () throws(ArtefactFailure) in
        guard audible.rms > 1e-6 else { throw .silent }
        let fullScaleDb = 60 - 20 * log10(audible.rms)
        return try Roughness(of: audible, fullScaleDb: fullScaleDb).meanAsper
      }
    }
  }

  /// Mean harmonic-to-noise ratio; `nil` where nothing has a period.
  var harmonicityDb: Result<Double?, any Error> {
    memo("harmonicity") { Result { try Harmonicity(of: finite).meanDecibels } }
  }

  var clicks: Result<Clicks, any Error> { memo("clicks") { Result { try Clicks(in: finite) } } }
}

extension EnvelopeAnalyzer {
  /// Each answer hears half a second; at two a second none of it is left out.
  fileprivate static let sparse: EnvelopeAnalyzer = {
    var settings = Settings()
    settings.hopMs = 500
    return try! EnvelopeAnalyzer(settings)
  }()
}
