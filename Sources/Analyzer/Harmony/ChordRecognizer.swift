import DSP
import Foundation
import Music

/// Names the chords of a sound over time.
///
/// Harmonic tones are fitted to the square root of each frame's semitone spectrum. Their strengths give
/// each chord a similarity, and the best path through the chords, on which each frame counts by the
/// `evidence` of its similarity and a change costs `changeCost`, gives the boundaries, which are moved to
/// the chords' attacks (`ChordAttacks`). Between two of them each of the most similar chords is fitted alone; the
/// one that leaves the least, for its number of tones, is the answer. So the strong harmonics of an electric guitar
/// are not taken for a seventh.
///
/// - Domain: voices or instruments with harmonics near A4 = 440 Hz, octaves not told apart. Of 48 triads
///   each it names 47 or 48 by ten sampled instruments, 44 by a clean electric guitar and 43 by a choir; of
///   sevenths and suspensions 84 %; of fifths alone 69 %, none by a distorted guitar (`scripts/vectors/chords.py`).
/// - Cost: about 0.03 of real time. Allocates.
/// - Source: Mauch and Dixon, "Approximate note transcription for the improved identification of
///   difficult chords", ISMIR 2010; the step of Lee and Seung, "Algorithms for non-negative matrix
///   factorization", NIPS 2000.
public struct ChordRecognizer: Sendable {
  /// A chord, or none, and how long it sounds.
  public struct Span: Equatable, Sendable {
    public var startSeconds: Double
    public var endSeconds: Double
    public var chord: Chord?
  }

  public static let hopSeconds = 0.1
  /// Cost of a change, in units of `evidence`: a frame of the best chord against none of it. 20 % more
  /// names fewer chords of half a second right (`scripts/vectors/chords.py --seconds 0.5`); 20 % less
  /// splits more arpeggios.
  private static let changeCost = 0.8
  /// The same between chords one of which has all tones of the other, as C and C7: a tone more or less is
  /// rather one that decays, or the melody's. At `changeCost`, a nylon guitar's
  /// sevenths of 2 s lose a tenth.
  private static let nestedChangeCost = 2 * changeCost
  /// Minimum similarity of a chord, and minimum strength of its third tone relative to the strongest: the
  /// sampled instruments have 0.11 or more, two tones without a third 0.02.
  private static let minSimilarity = 0.7
  private static let minThirdTone = 0.06
  /// The same for the second tone of a fifth alone: weaker, it is a partial of a single note.
  private static let minSecondTone = 0.3
  /// Logarithm of what another tone must explain; chosen by the sampled instruments.
  private static let toneCost = 0.35
  /// The same of the third that a fifth alone lacks: a triad on a clean guitar has a weak third, and a distorted
  /// fifth has some of every tone. With 0.2, 165 of 288 fifths and 565 of 576 triads are right; with 0.25, 223 and
  /// 554; without an answer for fifths, 0 and 568 (`scripts/vectors/chords.py --fifths`).
  private static let thirdCost = 0.2
  /// Frames at either end of a chord that its attack or its neighbours disturb. In a shorter chord those
  /// at its start go first: the chord before sounds on longer than the next one sounds ahead.
  private static let edgeFrames = 3
  /// Number of chords that are fitted.
  private static let finalists = 20
  /// Minimum strength of the bass, the lowest such note, relative to the strongest note.
  private static let bassShare = 0.3
  /// Frames this far below the loudest are silent: 50 dB.
  private static let silence = 0.003

  private struct Candidate {
    let chord: Chord
    /// Pitch classes of its tones, and the patterns of their notes.
    let classes: [Int]
    let patterns: [Int]
  }

  private let tones = HarmonicTones.all
  private let candidates: [Candidate]
  /// True where one of two candidates has all tones of the other.
  private let nested: [[Bool]]

  public init() {
    let tones = HarmonicTones.all
    // Chords beyond the seventh are no answers.
    let candidates = Chord.all.filter { (2...4).contains($0.formula.tones.count) }
      .filter { $0.formula.intervals.last!.steps < 7 }
      .map { chord in
        let classes = (0..<12).filter(chord.tones.contains)
        return Candidate(
          chord: chord, classes: classes,
          patterns: tones.notes.indices.filter { chord.tones.contains(tones.notes[$0]) })
      }
    self.candidates = candidates
    let sets = candidates.map { Set($0.classes) }
    nested = sets.map { a in sets.map { b in a.isSubset(of: b) || b.isSubset(of: a) } }
  }

  /// Returns the chords of a sound in order; neighbours differ.
  public func chords(of signal: Signal) -> [Span] {
    let runs = chords(of: tones.spectra(of: signal, hopSeconds: Self.hopSeconds).map(frame))
    guard runs.count > 1 else {
      return runs.map { Span(startSeconds: 0, endSeconds: signal.durationSeconds, chord: $0.chord) }
    }
    let attacks = ChordAttacks(of: signal)
    return runs.enumerated().reduce(into: []) { spans, entry in
      let (index, (run, chord)) = entry
      func time(_ frame: Int) -> Double {
        frame == 0 ? 0 : attacks.attack(near: (Double(frame) - 0.5) * Self.hopSeconds)
      }
      let end = index == runs.count - 1 ? signal.durationSeconds : time(run.upperBound)
      if let last = spans.last, last.chord == chord {
        spans[spans.count - 1].endSeconds = end
      } else {
        spans.append(Span(startSeconds: time(run.lowerBound), endSeconds: end, chord: chord))
      }
    }
  }

  /// The spectrum at one time, and its similarity to each chord.
  struct Frame {
    var spectrum: [Double]
    var similarities: [Double]
  }

  private func frame(_ spectrum: [Double]) -> Frame {
    Frame(spectrum: spectrum, similarities: similarities(tones.strengths(of: spectrum)))
  }

  /// Returns the frame in the middle of a sound, which is all in it if that is 0.4 s long; `nil` if
  /// there is none.
  func frame(inMiddleOf signal: Signal) -> Frame? {
    let spectra = tones.spectra(of: signal, hopSeconds: signal.durationSeconds / 2)
    return spectra.count > 1 ? frame(spectra[1]) : nil
  }

  /// Returns the stretches of frames between changes, each with its chord.
  func chords(of frames: [Frame]) -> [(frames: Range<Int>, chord: Chord?)] {
    let loudest = frames.map { $0.spectrum.max() ?? 0 }.max() ?? 0
    let similarities = frames.map { frame in
      (frame.spectrum.max() ?? 0) > Self.silence * loudest
        ? frame.similarities : Array(repeating: 0, count: candidates.count)
    }
    return runs(similarities).map { run in
      let start = max(0, min(Self.edgeFrames, run.count - 2))
      let end = min(Self.edgeFrames, run.count - 1 - start)
      let middle = frames[run].dropFirst(start).dropLast(end).map(\.spectrum)
      return (run, chord(of: Self.mean(middle), loudest: loudest))
    }
  }

  /// Returns the mean by power.
  private static func mean(_ frames: [[Double]]) -> [Double] {
    let sums = frames.reduce([Double](repeating: 0, count: HarmonicTones.rows.count)) {
      sums, frame in
      zip(sums, frame).map { $0 + $1 * $1 }
    }
    return sums.map { ($0 / Double(max(frames.count, 1))).squareRoot() }
  }

  private func chord(of spectrum: [Double], loudest: Double) -> Chord? {
    guard let top = spectrum.max(), top > Self.silence * loudest else { return nil }
    let strengths = tones.strengths(of: spectrum)
    let similar = similarities(strengths).enumerated()
      .sorted { ($1.element, $0.offset) < ($0.element, $1.offset) }
    guard similar[0].element >= Self.minSimilarity else { return nil }
    let bass = self.bass(strengths)
    let fitted = similar.prefix(Self.finalists).map { entry in
      let candidate = candidates[entry.offset]
      let left = tones.unexplained(of: spectrum, by: candidate.patterns)
      let count = candidate.classes.count
      let costs = count == 2 ? 3 * Self.toneCost - Self.thirdCost : Double(count) * Self.toneCost
      let cost = log(max(left, 1e-9)) + costs
      // Two chords may have the same tones; the one whose root is the bass comes first.
      return (cost: cost - (candidate.chord.root.semitones == bass ? 1e-6 : 0), candidate.chord)
    }
    let best = fitted.min { $0.cost < $1.cost }!.1  // there are finalists
    guard let tone = best.spelledTones.first(where: { $0.pitchClass.semitones == bass }) else {
      return best
    }
    return Chord(best.spelledRoot, best.formula, bass: tone)
  }

  /// Returns the pitch class of the lowest strong note.
  private func bass(_ strengths: [Double]) -> Int? {
    var sums: [Int: Double] = [:]
    for (note, strength) in zip(tones.notes, strengths) { sums[note, default: 0] += strength }
    let top = sums.values.max() ?? 0
    return sums.filter { $0.value >= Self.bassShare * top }.keys.min().map { $0 % 12 }
  }

  /// Returns the cosine between the strengths, summed over octaves, and equal tones of each chord.
  private func similarities(_ strengths: [Double]) -> [Double] {
    var classes = [Double](repeating: 0, count: 12)
    for (note, strength) in zip(tones.notes, strengths) { classes[note % 12] += strength }
    let sorted = classes.sorted(by: >)
    let isTriad = sorted[2] >= Self.minThirdTone * sorted[0]
    guard isTriad || sorted[1] >= Self.minSecondTone * sorted[0] else {
      return Array(repeating: 0, count: candidates.count)
    }
    let norm = dot(classes, classes).squareRoot()
    return candidates.map { candidate in
      guard isTriad || candidate.classes.count == 2 else { return 0 }
      let sum = candidate.classes.reduce(0) { $0 + classes[$1] }
      return norm > 0 ? sum / (norm * Double(candidate.classes.count).squareRoot()) : 0
    }
  }

  /// Returns the weight of a frame by its similarity. The fourth power makes a frame with all of a chord
  /// count for more than several with a part of it, as in an arpeggio: without it, arpeggios of sampled
  /// instruments have a third more changes. A fifth more or less changes little.
  private static func evidence(_ similarity: Double) -> Double { pow(similarity, 4) }

  /// Returns the runs of frames between changes on the best path through the chords and no chord.
  private func runs(_ similarities: [[Double]]) -> [Range<Int>] {
    guard !similarities.isEmpty else { return [] }
    var scores = [Double](repeating: 0, count: candidates.count + 1)
    var cameFrom: [[Int]] = []
    for frame in similarities {
      var (next, origins) = (scores, Array(scores.indices))
      let ranked = scores.indices.sorted { (scores[$1], $0) < (scores[$0], $1) }
      for state in scores.indices {
        for from in ranked {
          guard scores[from] - Self.changeCost > next[state] else { break }
          // A change to no chord, the last state, or from it is never nested.
          let isNested = max(state, from) < candidates.count && nested[state][from]
          let score = scores[from] - (isNested ? Self.nestedChangeCost : Self.changeCost)
          if score > next[state] { (next[state], origins[state]) = (score, from) }
        }
        next[state] += Self.evidence(state < frame.count ? frame[state] : Self.minSimilarity)
      }
      cameFrom.append(origins)
      scores = next
    }
    var state = scores.indices.max { scores[$0] < scores[$1] }!
    var (runs, end) = ([Range<Int>](), similarities.count)
    for frame in similarities.indices.reversed() where frame > 0 && cameFrom[frame][state] != state
    {
      runs.append(frame..<end)
      (state, end) = (cameFrom[frame][state], frame)
    }
    return [0..<end] + runs.reversed()
  }
}
