import Analyzer
import DSP

/// The rest of a sound when its runs of voice are faded out.
struct UnvoicedSound {
  let samples: [Float]

  init(_ sound: Signal, _ epochs: [Epoch], _ runs: [VoicedRun]) {
    var share = [Float](repeating: 1, count: sound.count)
    for run in runs {
      let (first, last) = (run.marks.lowerBound, run.marks.upperBound - 1)
      let (start, end) = (run.times[0], run.times[run.times.count - 1])
      let before = GrainCutter.reach(ofMark: first, in: run, epochs).before
      let after = GrainCutter.reach(ofMark: last, in: run, epochs).after
      let from = max(Int((start - before).rounded(.up)), 0)
      let through = min(Int(end + after), sound.count - 1)
      for n in stride(from: from, through: through, by: 1) {
        let t = Double(n)
        let voiced =
          t < start
          ? Window.hann.value(at: (t - start) / before)
          : t > end ? Window.hann.value(at: (t - end) / after) : 1
        share[n] *= Float(1 - voiced)
      }
    }
    samples = zip(sound.samples, share).map { $0 * $1 }
  }
}
