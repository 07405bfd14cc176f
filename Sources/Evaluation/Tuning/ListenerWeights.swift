import Foundation
import Platform

/// Weights of the faults by what listeners minded, from a listening test.
///
/// A weight of 2 makes a step of this fault count as two; their mean is 1, so that the exchange of
/// steps for latency and cost stays.
public struct ListenerWeights: Codable, Equatable, Sendable {
  /// Version of the file's form.
  public static let schema = "choir-eval.listener-weights/1"

  public var schema = Self.schema
  /// Title of the test.
  public var test: String
  public var listeners: Int
  public var clips: Int
  /// Weights by axis; axes that are missing count as 1.
  public var weights: [String: Double]

  public init(test: String, listeners: Int, clips: Int, weights: [TuneAxis: Double]) {
    (self.test, self.listeners, self.clips) = (test, listeners, clips)
    self.weights = weights.named
  }

  /// A reason why a file has no weights.
  public struct Unreadable: Error, CustomStringConvertible {
    public let description: String
  }

  /// Reads the file that `listen pool --weights` wrote.
  public init(reading url: URL) throws {
    func unreadable(_ why: String) -> Unreadable {
      Unreadable(
        description:
          "\(url.path) has no weights of listeners: \(why); choir-eval listen pool --weights "
          + "writes such a file")
    }
    let data = try GivenFile.data(at: url)
    guard let read = try? JSONDecoder().decode(Self.self, from: data) else {
      throw unreadable("it has another form")
    }
    guard read.schema == Self.schema else { throw unreadable("its form is '\(read.schema)'") }
    for (name, weight) in read.weights.sorted(by: { $0.key < $1.key }) {
      guard TuneAxis(rawValue: name)?.isAudible == true else {
        throw unreadable("'\(name)' is no fault")
      }
      guard weight.isFinite, 0...1000 ~= weight else {
        throw unreadable("'\(name)' weighs \(weight)")
      }
    }
    self = read
  }

  func weight(of axis: TuneAxis) -> Double { weights[axis.rawValue] ?? 1 }

  /// The source of the weights in words.
  public var words: String { "Weights from \(listeners) listeners on \(clips) clips (\(test))." }
}
