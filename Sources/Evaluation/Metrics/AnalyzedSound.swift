import Analyzer
import Corpus
import DSP
import Foundation

/// A sound with the results of the analyzers, each computed on first use.
///
/// A reference takes part in many pairs; its own analyses are done once.
///
/// - Memory: about 30 kB per second of sound beside the samples, if every analysis is used.
public final class AnalyzedSound: Sendable {
  public let signal: Signal
  /// The sound with silence in place of samples that are not finite.
  let finite: Signal
  private let knownTrack: PitchTrack?

  private let onceAudible = Once<Signal>()
  private let onceMeasuredTrack = Once<PitchTrack>()
  private let onceTrackerLagMs = Once<Double>()
  private let onceEnvelopes = OnceByKey<Double, [EnvelopeAnalyzer.Frame]>()
  private let onceFormantInput = Once<FormantRatio.Input>()
  private let onceTilt = Once<Double?>()
  private let onceHarmonicity = Once<Result<Double?, any Error>>()
  private let onceClicks = Once<Result<Clicks, any Error>>()
  private let onceEnergies = Once<[Double]>()

  /// - Parameter track: the sound's pitch, if a better source than the tracker has it.
  public init(_ signal: Signal, track: PitchTrack? = nil) {
    self.signal = signal
    finite = signal.withoutNonFinite
    knownTrack = track
  }

  /// Returns the first `count` samples; the same object, with its analyses, if there are no more.
  func shortened(to count: Int) -> AnalyzedSound {
    guard count < signal.count else { return self }
    let known = knownTrack.map { track in
      track[..<(Int(Double(count) / signal.sampleRateHz / track.hopSeconds) + 1)]
    }
    return AnalyzedSound(signal[..<count], track: known)
  }

  /// The input of the judges of a voice: the finite sound without infrasound.
  var audible: Signal { onceAudible { finite.withoutInfrasound() } }

  /// Pitch as given, otherwise by the tracker.
  public var track: PitchTrack { knownTrack ?? measuredTrack }

  /// Pitch by the tracker.
  var measuredTrack: PitchTrack { onceMeasuredTrack { PitchTracker.standard.track(finite) } }

  /// Lag of the tracker's contour behind the given pitch; 0 if it can't be told.
  var trackerLagMs: Double {
    onceTrackerLagMs {
      guard measuredTrack.hopSeconds == track.hopSeconds else { return 0 }
      return (try? ContourLag(of: measuredTrack, behind: track))?.lagMs ?? 0
    }
  }

  /// Returns the envelopes and formants of consecutive half seconds, with times relative to `start`.
  func envelopes(fromSeconds start: Double = 0) -> [EnvelopeAnalyzer.Frame] {
    onceEnvelopes(start) {
      let late = max(0, Int((start * audible.sampleRateHz).rounded()))
      let frames = max(0, Int((start / track.hopSeconds).rounded()))
      let rest = Signal(Array(audible.samples.dropFirst(late)), sampleRateHz: audible.sampleRateHz)
      return EnvelopeAnalyzer.sparse.frames(ofAudible: rest, track[min(frames, track.count)...])
    }
  }

  /// Harmonics with which outputs are compared for the ratio of their formants.
  var formantInput: FormantRatio.Input {
    onceFormantInput { FormantRatio.Input(of: audible, track) }
  }

  /// Slope of the levels of the harmonics; `nil` if they span less than an octave.
  var tiltDbPerOctave: Double? {
    onceTilt {
      let sampler = HarmonicSampler(of: finite, ceilingHz: 5500)
      let levels = sampler.levels(
        along: track, from: 0, to: finite.durationSeconds, hopSeconds: 0.02)
      return SpectralTilt(of: levels)?.dbPerOctave
    }
  }

  /// Mean harmonic-to-noise ratio; `nil` if no frame is periodic.
  var harmonicityDb: Result<Double?, any Error> {
    onceHarmonicity { Result { Harmonicity(of: finite).meanDecibels } }
  }

  var clicks: Result<Clicks, any Error> { onceClicks { Result { try Clicks(in: finite) } } }

  /// Sample rate of `energies`, that of the joint fit of a mix.
  static let lowRateHz = 8000.0

  /// Energy of the sound below 3.9 kHz up to each sample, at `lowRateHz`.
  var energies: [Double] {
    onceEnergies {
      let low = audible.resampled(to: Self.lowRateHz)
      return low.samples.reduce(into: [0]) { $0.append($0[$0.count - 1] + Double($1) * Double($1)) }
    }
  }
}

extension EnvelopeAnalyzer {
  /// Windows of half a second without overlap.
  fileprivate static let sparse: EnvelopeAnalyzer = {
    var settings = Settings()
    settings.hopMs = 500
    return try! EnvelopeAnalyzer(settings)
  }()
}
