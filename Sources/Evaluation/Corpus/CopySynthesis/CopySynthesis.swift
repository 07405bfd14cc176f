import Analyzer
import DSP
import Foundation
import Platform

/// A resynthesized recording: a real timbre with exactly known pitch.
///
/// The voice is split into harmonics and noise, frame by frame. Rendering adds sines on one common
/// phase, so the pitch is exact by construction, even if the tracker was wrong about the original.
/// The noise has the spectrum found between the harmonics, or of the whole frame if unvoiced.
///
/// - Cost: about 0.1 of real time, half of it analysis. Allocates.
/// - Source: the aim is that of Salamon et al., "An analysis/synthesis framework for automatic f0
///   annotation of multitrack datasets" (MDB-stem-synth), ISMIR 2017; the model is Serra and
///   Smith's, "Spectral modeling synthesis", Computer Music Journal 14(4), 1990, read period by
///   period.
public struct CopySynthesis: Sendable {
  /// Version of the copies. Raise it when the same recording gives another copy.
  static let version = 1

  /// The tracked and smoothed pitch of the original; 0 for unvoiced.
  public let track: PitchTrack
  private let sampleRateHz: Double
  private let sampleCount: Int
  /// One frame for each frame of `track`.
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
    /// The exact pitch; between frames it is that of ``PitchTrack/f0Hz(atSeconds:)``.
    public var truth: PitchTrack
  }

  /// Renders a copy.
  public func render() -> Copy {
    var samples = ShapedNoise(sampleRateHz: sampleRateHz, hopSeconds: track.hopSeconds)
      .samples(count: sampleCount, frames)
    HarmonicChoir(frames: frames, pitch: track, rateHz: sampleRateHz).add(to: &samples)
    return Copy(signal: Signal(samples, sampleRateHz: sampleRateHz), truth: track)
  }

  /// Smooths a track: unvoices jumps of more than 3 semitones within a frame of 5 ms, which nobody
  /// sings, and voiced runs shorter than 4 frames.
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

  /// Returns a weighted mean over 35 ms, against the tracker's jitter. A vibrato of 6 Hz keeps 95 %
  /// of its extent.
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

/// The harmonics and the noise of a voice at one instant.
struct CopyFrame: Equatable, Sendable {
  /// 0 for unvoiced.
  var f0Hz: Double
  /// Amplitudes of the harmonics from the first up; empty for unvoiced.
  var harmonics: [Float]
  /// Power of the noise, relative to white noise of unit power, at ``CopyAnalysis/noiseCount`` equal
  /// steps from 0 to half the sample rate.
  var noise: [Float]

  /// Returns the envelope at a frequency: interpolated in decibels between harmonics, constant below
  /// the first, 0 above the last.
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

extension ManifestEntry {
  /// The id of the recording that this one resynthesizes, from a source `copy:ID`.
  public var copiedID: String? {
    source.hasPrefix("copy:") ? String(source.dropFirst("copy:".count)) : nil
  }

  /// True if the sound is synthesized on use rather than read from a file.
  public var isMade: Bool { syntheticName != nil || copiedID != nil }
}

extension Corpus {
  /// Returns the recording that a copy is made from.
  func original(of entry: ManifestEntry, _ id: String) throws -> ManifestEntry {
    let original = try self.entry(id: id)
    guard !original.isMade else {
      throw Refusal(
        "the recording '\(entry.id)' can't be read: its source '\(id)' is synthetic and has exact "
          + "truth already; copy a recording")
    }
    return original
  }

  /// Makes a copy with exactly known pitch.
  func copy(_ entry: ManifestEntry, of id: String) throws -> Recording {
    let original = try recording(original(of: entry, id))
    let copy = CopySynthesis(of: original.signal).render()
    return Recording(
      entry: entry, signal: copy.signal, digest: try digest(of: entry, copying: id),
      truth: copy.truth)
  }

  /// Returns a digest of the original's content and of the version of the copying.
  func digest(of entry: ManifestEntry, copying id: String) throws -> String {
    Digest.sha256("copy:\(try digest(of: original(of: entry, id))):\(CopySynthesis.version)")
  }
}
