import DSP
import Foundation

/// Marks the periods of a voice in a whole sound of known pitch, and regular steps where it is
/// unvoiced.
///
/// In each voiced stretch a mark stands near the centre of the power of its period, and as far from the
/// next as the waveform repeats. At the centre of power neighbouring harmonics are in step as well as they
/// can be, so that a grain cut there has power between them. Where nothing repeats, the pitch gives the
/// distance, so that no voiced stretch has a gap.
///
/// - Input: mono, any rate; samples that are not finite count as silence. Offline; about 0.003 of
///   real time. Allocates.
/// - Source: the spacing by repetition as in Praat's "To PointProcess (cc)"; the instant from the phase of
///   the power's fundamental, as harmonics are aligned by the centre of gravity in Stylianou, "Removing linear
///   phase mismatches in concatenative speech synthesis", IEEE Trans. Speech and Audio Processing 9, 2001.
public struct EpochFinder: Sendable {
  /// Distance between marks in unvoiced sound.
  private static let unvoicedMs = 5.0
  private static let rateHz = 24_000.0

  public init() {}

  /// Returns the marks of a sound in order of time.
  ///
  /// - Parameter track: pitch of the sound.
  public func epochs(in signal: Signal, track: PitchTrack) -> [Epoch] {
    // A band limit of 4 kHz keeps what carries the period.
    let sound = signal.withoutNonFinite.resampled(to: 8_000).resampled(to: Self.rateHz).samples
    var marks: [Epoch] = []
    for frames in track.voicedRuns {
      let wave = EpochWave(sound, rateHz: Self.rateHz, track: track, frames: frames)
      let times = wave.marks().map { $0 / Self.rateHz }
      guard times.count > 1 else { continue }
      fillSteps(until: times[0], &marks, signal)
      for time in times { append(time, voiced: true, &marks, signal) }
    }
    fillSteps(until: signal.durationSeconds, &marks, signal)
    return marks
  }

  private func fillSteps(until seconds: Double, _ marks: inout [Epoch], _ signal: Signal) {
    let step = Self.unvoicedMs / 1000
    var time = marks.last.map { $0.timeSamples / signal.sampleRateHz + step } ?? 0
    while time <= seconds - step {
      append(time, voiced: false, &marks, signal)
      time += step
    }
  }

  private func append(_ seconds: Double, voiced: Bool, _ marks: inout [Epoch], _ signal: Signal) {
    let place = seconds * signal.sampleRateHz
    let before = marks.last?.timeSamples ?? 0
    guard place >= 0, place < Double(signal.count), marks.isEmpty || place > before else { return }
    marks.append(Epoch(timeSamples: place, spacingSamples: place - before, isVoiced: voiced))
  }
}

extension EpochFinder {
  /// Marks a sound while reading it half a minute at a time.
  ///
  /// At the border of two stretches, a mark closer than half a step to the previous one is dropped.
  public func epochs(of sound: some SoundSource, track: PitchTrack) throws -> [Epoch] {
    var marks: [Epoch] = []
    try sound.forEachStretch(of: track) { stretch in
      let start = (stretch.startSeconds * sound.sampleRateHz).rounded()
      for var mark in epochs(in: stretch.signal, track: stretch.track)
      where stretch.isOwn(mark.timeSamples / sound.sampleRateHz) {
        mark.timeSamples += start
        let spacing = mark.timeSamples - (marks.last?.timeSamples ?? 0)
        let least = Self.unvoicedMs / 2000 * sound.sampleRateHz
        if !marks.isEmpty, spacing < (mark.isVoiced ? min(least, mark.spacingSamples / 2) : least) {
          continue
        }
        mark.spacingSamples = spacing
        marks.append(mark)
      }
    }
    return marks
  }
}
