import Corpus
import Metrics
import Platform
import Sweep

/// Voices that settings lose.
extension TuneCells {
  /// A voice that a setting loses on a recording, or the reason why it is not known to keep them all.
  enum Presence: Sendable, Equatable {
    case kept
    case lost(percent: Double, voice: String?)
    /// Softer than with another setting by so much that it is not heard beside the other voices.
    case softer(byDb: Double, voice: String?)
    case notMeasured, failed
  }

  /// Returns which voices are lost by candidate and recording. It is read on clean recordings, because
  /// rooms and noise hide voices from the judge too; a recording without a clean cell has all its
  /// conditions.
  ///
  /// - Parameter limit: largest share of a voice's frames that is not lost, in percent.
  func presence(_ axes: [TuneAxis], limit: Double) -> [[Presence]] {
    let clean = Set(cells.filter { $0.condition == Condition.clean.canonical }.map(\.recording))
    let judged = Array(candidates.indices).concurrentMap { row in
      recordings.indices.map { column in
        var (worst, voices) = (Presence.kept, Set<Place>())
        for index in cells(row, column)
        where !clean.contains(cells[index].recording)
          || cells[index].condition == Condition.clean.canonical
        {
          for axis in axes {
            for metric in axis.metrics where decides(axis, metric, index) {
              for (voice, percent, frames) in values(of: axis, by: metric, index) {
                voices.insert(place(index, voice: voice.number))
                let beyond = (percent - limit) / 100 * Double(frames)
                guard beyond > Self.minLostFrames - 0.5 else { continue }
                if case .lost(let known, _) = worst, known >= percent { continue }
                worst = .lost(percent: percent, voice: label(of: voice))
              }
            }
          }
        }
        return (worst: worst, voices: voices)
      }
    }
    let softer = softerVoices()
    let all = recordings.indices.map { column in
      judged.reduce(into: Set<Place>()) { $0.formUnion($1[column].voices) }
    }
    let measured = Set(cells.filter { !$0.hasFailed }.map { [$0.recording, $0.condition] })
    return candidates.indices.map { row in
      recordings.indices.map { column in
        let failed = cells(row, column).contains {
          cells[$0].hasFailed && measured.contains([cells[$0].recording, cells[$0].condition])
        }
        if failed { return .failed }
        if let found = softer[row][column] { return found }
        let (worst, voices) = judged[row][column]
        let lacks = all[column].contains { Self.lacks(voices, $0) }
        return worst == .kept && (lacks || all[column].isEmpty) ? .notMeasured : worst
      }
    }
  }

  /// Smallest number of frames beyond the limit that tells a lost voice: 50 ms, the tracker's window. A
  /// judge errs by that much at the edges of words: of a phrase of four seconds in which it lost 1.3 % of
  /// `psola`, Praat lost none.
  private static let minLostFrames = 10.0

  /// Level below the loudest setting's from which a voice is lost: it sounds a quarter as loud, by half for
  /// every 10 dB (Stevens, "The measurement of loudness", J. Acoust. Soc. Am. 27, 1955). Which of two nearer
  /// levels is right is a matter of the mix.
  private static let lostDb = 20.0

  /// Returns the voice of each candidate and recording that is softest against the loudest setting, if that is
  /// lost.
  private func softerVoices() -> [[Presence?]] {
    let levels = candidates.indices.map { row in
      recordings.indices.map { column in
        let found = cells(row, column).flatMap { index in
          cells[index].measurements(of: TuneAxis.levelMetric).compactMap { result in
            result.outcome.number.map { (place(index, voice: result.voice), $0) }
          }
        }
        return Dictionary(found, uniquingKeysWith: min)
      }
    }
    let loudest = recordings.indices.map { column in
      levels.reduce(into: [Place: Double]()) { $0.merge($1[column], uniquingKeysWith: max) }
    }
    return levels.map { row in
      zip(row, loudest).map { own, loudest in
        let worst = own.map { (place: $0, byDb: loudest[$0]! - $1) }.max { $0.byDb < $1.byDb }
        guard let worst, worst.byDb >= Self.lostDb else { return nil }
        return .softer(byDb: worst.byDb, voice: label(of: worst.place.voice))
      }
    }
  }
}
