import Analyzer
import DSP
import Foundation

/// A recording sung again by a machine that knows exactly what it sings: real timbre with exact
/// pitch truth, also at other pitches with the same mouth.
///
/// The voice is taken apart into harmonics and noise, frame by frame. Rendering adds up sines of
/// one common phase, so the pitch is exact by construction, whether or not the tracker was right
/// about the original; noise takes the colour of what lay between the harmonics, and of everything
/// unvoiced.
///
/// - Cost: about 0.1 of real time, half of it analysis. Allocates.
/// - Source: the aim is that of Salamon et al., "An analysis/synthesis framework for automatic f0
///   annotation of multitrack datasets" (MDB-stem-synth), ISMIR 2017; the model is Serra and
///   Smith's, "Spectral modeling synthesis", Computer Music Journal 14(4), 1990, read period by
///   period.
public struct CopySynthesis: Sendable {
  /// Raised whenever the same recording gives another copy.
  static let version = 1

  /// The pitch that is sung again, as it was heard in the original; 0 where unvoiced.
  public let track: PitchTrack
  private let sampleRateHz: Double
  private let sampleCount: Int
  /// One for each frame of `track`.
  let frames: [CopyFrame]

  public init(of signal: Signal) {
    sampleRateHz = signal.sampleRateHz
    sampleCount = signal.count
    track = Self.smooth(PitchTracker.standard.track(signal))
    frames = CopyAnalysis(of: signal, track).frames
  }

  /// A copy and its pitch.
  public struct Copy: Equatable, Sendable {
    public var signal: Signal
    /// Exact: between frames the pitch lies where ``PitchTrack/f0Hz(atSeconds:)`` puts it.
    public var truth: PitchTrack
  }

  /// Sings it again; another seed gives other noise.
  ///
  /// - Parameter semitones: the harmonics move along the envelope, which stays where it is; noise
  ///   stays as it is.
  public func render(transposedBy semitones: Double = 0, seed: UInt64 = 1) -> Copy {
    let ratio = exp2(semitones / 12)
    var truth = track
    for i in truth.f0Hz.indices { truth.f0Hz[i] *= ratio }
    var samples = ShapedNoise(sampleRateHz: sampleRateHz, hopSeconds: track.hopSeconds)
      .samples(count: sampleCount, frames, seed: seed)
    HarmonicChoir(frames, truth, ratio: ratio, sampleRateHz: sampleRateHz).add(to: &samples)
    return Copy(signal: Signal(samples, sampleRateHz: sampleRateHz), truth: truth)
  }

  /// Without runs too short to be a voice, and silent where the pitch jumps within a frame: a
  /// glide of an octave in 5 ms is nothing that anybody sings.
  private static func smooth(_ track: PitchTrack) -> PitchTrack {
    var track = track
    for i in track.f0Hz.indices.dropFirst() where track.f0Hz[i] > 0 && track.f0Hz[i - 1] > 0 {
      if abs(cents(track.f0Hz[i], over: track.f0Hz[i - 1])) > 300 { track.f0Hz[i] = 0 }
    }
    var start = 0
    for i in 0...track.count where i == track.count || track.f0Hz[i] == 0 {
      if i - start < 4 { for j in start..<i { track.f0Hz[j] = 0 } }
      start = i + 1
    }
    track.f0Hz = track.f0Hz.indices.map { mean(of: track.f0Hz, around: $0) }
    track.voicing = track.f0Hz.map { $0 > 0 ? 1 : 0 }
    return track
  }

  /// The tracker's answers tremble from frame to frame; a weighted mean over 35 ms leaves a vibrato
  /// of 6 Hz 95 % of its extent.
  private static func mean(of f0Hz: [Double], around index: Int) -> Double {
    guard f0Hz[index] > 0 else { return 0 }
    var (sum, weights) = (0.0, 0.0)
    for direction in [-1, 1] {
      for step in 0...3 {
        let at = index + direction * step
        guard f0Hz.indices.contains(at), f0Hz[at] > 0 else { break }
        let weight = Double(4 - step) * (step == 0 ? 0.5 : 1)
        sum += weight * log2(f0Hz[at])
        weights += weight
      }
    }
    return exp2(sum / weights)
  }
}

/// One instant of a voice, taken apart.
struct CopyFrame: Equatable, Sendable {
  /// 0 where unvoiced.
  var f0Hz: Double
  /// Amplitudes of the harmonics from the first up; none where unvoiced.
  var harmonics: [Float]
  /// Power of the noise, relative to white noise of unit power, at equal steps from 0 to half the
  /// sample rate: ``CopyAnalysis/noiseCount`` of them.
  var noise: [Float]

  /// The envelope at any frequency: between harmonics on a straight line of decibels, level below
  /// the first, nothing above the last.
  func amplitude(atHz hz: Double) -> Float {
    let position = hz / f0Hz - 1
    guard !harmonics.isEmpty, position <= Double(harmonics.count - 1) else { return 0 }
    let below = max(0, min(Int(position), harmonics.count - 2))
    let share = Float(max(0, position - Double(below)))
    guard share > 0 else { return harmonics[below] }
    let (a, b) = (max(harmonics[below], 1e-9), max(harmonics[below + 1], 1e-9))
    return a * pow(b / a, share)
  }
}
