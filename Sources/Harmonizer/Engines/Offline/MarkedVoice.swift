import Analyzer
import DSP

/// The marks of a recording, its runs of voice, and where the voice is in doubt.
struct MarkedVoice {
  let epochs: [Epoch]
  let runs: [VoicedRun]
  /// True at marks where the voice is in doubt; one value for each mark.
  let isDoubtful: [Bool]

  /// Probability of a voice below which a mark is in doubt. With 0.1 a fifth of the frames that Praat calls
  /// unvoiced lose their high band, with 0.3 an eighth.
  private static let sureVoicing = 0.3

  init(_ epochs: [Epoch], _ track: PitchTrack, _ sampleRateHz: Double) {
    self.epochs = epochs
    runs = VoicedRun.runs(in: epochs)
    isDoubtful = epochs.map { epoch in
      let frame = Int((epoch.timeSamples / sampleRateHz / track.hopSeconds).rounded())
      return track.voicing[min(frame, track.voicing.count - 1)] < Self.sureVoicing
    }
  }

  /// Returns the distances of a mark to its neighbours, in samples; at the ends of a run no more than its
  /// next period.
  func reach(ofMark mark: Int, in run: VoicedRun) -> (before: Double, after: Double) {
    let time = epochs[mark].timeSamples
    func gap(_ other: Int) -> Double? {
      epochs.indices.contains(other) ? abs(epochs[other].timeSamples - time) : nil
    }
    let (before, after) = (gap(mark - 1), gap(mark + 1))
    let isFirst = mark == run.marks.lowerBound
    let isLast = mark == run.marks.upperBound - 1
    let period = (isFirst ? after : before) ?? 1
    return (
      isFirst ? min(before ?? period, period) : before ?? period,
      isLast ? min(after ?? period, period) : after ?? period
    )
  }
}

/// A sound, and the part of it that lies below 1.5 kHz, where a fricative has little.
///
/// With crossovers of 800 and 3,000 Hz `OfflineShifter` is as often in tune; with 3,000 Hz more than half of
/// the unvoiced frames lose their high band.
struct SplitSound {
  let whole: Signal
  let low: Signal

  private static let crossoverHz = 1_500.0

  init(_ sound: Signal) {
    whole = sound
    low = sound.resampled(to: 2 * Self.crossoverHz).resampled(to: sound.sampleRateHz)
  }

  private init(whole: Signal, low: Signal) { (self.whole, self.low) = (whole, low) }

  func resampled(to rateHz: Double) -> SplitSound {
    SplitSound(whole: whole.resampled(to: rateHz), low: low.resampled(to: rateHz))
  }

  /// Returns the sound with its runs of voice faded out, but for the high band where they are in doubt.
  func unvoiced(_ marks: MarkedVoice) -> [Float] {
    var share = [Float](repeating: 1, count: whole.count)
    var high = [Float](repeating: 0, count: whole.count)
    for run in marks.runs {
      let (first, last) = (run.marks.lowerBound, run.marks.upperBound - 1)
      let (start, end) = (run.times[0], run.times[run.times.count - 1])
      let before = marks.reach(ofMark: first, in: run).before
      let after = marks.reach(ofMark: last, in: run).after
      let from = max(Int((start - before).rounded(.up)), 0)
      let through = min(Int(end + after), whole.count - 1)
      var mark = first
      for n in stride(from: from, through: through, by: 1) {
        let t = Double(n)
        while mark < last, marks.epochs[mark + 1].timeSamples <= t { mark += 1 }
        let voiced =
          t < start
          ? Window.hann.value(at: (t - start) / before)
          : t > end ? Window.hann.value(at: (t - end) / after) : 1
        share[n] *= Float(1 - voiced)
        high[n] += Float(voiced * marks.doubt(at: t, after: mark, upTo: last))
      }
    }
    return whole.samples.indices.map { n in
      let below = n < low.count ? low.samples[n] : 0
      return share[n] * whole.samples[n] + high[n] * (whole.samples[n] - below)
    }
  }
}

extension MarkedVoice {
  /// Returns the share of the grains at a time that are in doubt, from 0 to 1. It rises and falls as their
  /// windows do.
  ///
  /// - Parameters:
  ///   - mark: the last mark before the time, or the first of a run.
  ///   - last: of the run.
  fileprivate func doubt(at time: Double, after mark: Int, upTo last: Int) -> Double {
    let next = min(mark + 1, last)
    guard isDoubtful[mark] != isDoubtful[next] else { return isDoubtful[mark] ? 1 : 0 }
    let passed =
      (time - epochs[mark].timeSamples) / (epochs[next].timeSamples - epochs[mark].timeSamples)
    let weight = Window.hann.value(at: max(passed, 0))  // of the grain about `mark`
    return isDoubtful[mark] ? weight : 1 - weight
  }
}
