import Analyzer
import Foundation
import Metrics
import Statistics

/// Processor time of a rendering:
///
///     start + (perSecond + perVoice · (voices − 1)) · seconds + perBlock · blocks
///
/// A program that is started anew for each sound has a start; a plugin that runs in blocks has a
/// cost for each of them.
public struct CostLaw: Codable, Equatable, Sendable {
  /// One timed rendering.
  struct Run: Sendable {
    var seconds: Double
    var voices: Int
    var blockSize: Int?
    var cpuSeconds: Double

    var blocks: Double { blockSize.map { seconds * 48_000 / Double($0) } ?? 0 }
  }

  /// Seconds of a core before the first sample.
  public var startSeconds: Double
  /// Share of a core that one voice takes.
  public var perSecond: Double
  /// Share of a core that each further voice takes; `nil` for subjects of one voice.
  public var perVoice: Double?
  /// Microseconds that each block takes beside its samples; `nil` for subjects without blocks.
  public var perBlockMicroseconds: Double?
  public var runs: Int

  /// Fits the law by least squares on relative errors, since times err in proportion.
  ///
  /// A term below zero has no meaning; it is left out and the others are fitted again.
  ///
  /// - Throws: `Undefined` without timed renderings.
  init(_ runs: [Run]) throws(Undefined) {
    let timed = runs.filter { $0.cpuSeconds > 0 }
    guard timed.count >= 3 else {
      throw Undefined(.notTimed, "the subject's processor time is not known")
    }
    var terms: [Term] = [.second]
    if Set(timed.map(\.seconds)).count > 1 { terms.append(.start) }
    if Set(timed.map(\.voices)).count > 1 { terms.append(.voice) }
    if Set(timed.compactMap(\.blockSize)).count > 1 { terms.append(.block) }
    var found: [Term: Double] = [:]
    while true {
      var problem = LeastSquares(target: timed.map { _ in 1 })
      for term in terms { problem.add(column: timed.map { term.amount($0) / $0.cpuSeconds }) }
      guard let factors = problem.solved() else {
        throw Undefined(.unresolved, "the renderings don't tell the terms of the cost apart")
      }
      found = Dictionary(uniqueKeysWithValues: zip(terms, factors))
      guard
        let negative = terms.dropFirst().filter({ found[$0]! < 0 }).min(by: {
          found[$0]! < found[$1]!
        })
      else { break }
      terms.removeAll { $0 == negative }
    }
    startSeconds = found[.start] ?? 0
    perSecond = found[.second] ?? 0
    perVoice = Set(timed.map(\.voices)).count > 1 ? found[.voice] ?? 0 : nil
    perBlockMicroseconds =
      Set(timed.compactMap(\.blockSize)).count > 1 ? (found[.block] ?? 0) * 1e6 : nil
    self.runs = timed.count
  }

  private enum Term: Hashable {
    case second, start, voice, block

    func amount(_ run: Run) -> Double {
      switch self {
      case .second: run.seconds
      case .start: 1
      case .voice: run.seconds * Double(run.voices - 1)
      case .block: run.blocks
      }
    }
  }

  /// Returns the processor time over the duration of a sound.
  public func realtimeFactor(seconds: Double, voices: Int, blockSize: Int) -> Double {
    let run = Run(seconds: seconds, voices: voices, blockSize: blockSize, cpuSeconds: 0)
    return startSeconds / seconds + perSecond + (perVoice ?? 0) * Double(voices - 1)
      + (perBlockMicroseconds ?? 0) * 1e-6 * run.blocks / seconds
  }
}
