import Corpus
import Foundation
import Metrics
import Platform

/// A listening test as the experimenter keeps it: which sound is which.
///
/// Listeners get a page that names its sounds by numbers only. The key stays beside the page, and
/// `PooledAnswers` reads the listeners' answers with it.
package struct ListeningTest: Codable, Equatable, Sendable {
  /// The question that listeners are asked.
  package enum Method: String, Codable, CaseIterable, Sendable {
    /// Scores of several choirs beside a reference, which is also hidden among them, with an anchor.
    ///
    /// - Source: ITU-R BS.1534-3, "Method for the subjective assessment of intermediate quality level
    ///   of audio systems", 2015.
    case mushra
    /// The better of two choirs.
    case pairs
    /// Scores of several choirs, without a reference: for people's recordings, which have no ideal.
    case rating
  }

  /// One setting of one subject.
  package struct System: Codable, Hashable, Sendable {
    package var subject: String
    package var settings: SubjectSettings
    /// The difference from the other systems, in words.
    package var label: String
  }

  /// A recording under a condition, harmonized by a score.
  package struct Clip: Codable, Equatable, Sendable {
    package var recording: String
    package var condition: String
    package var score: String
    /// The licence and the people to name, as the page shows them.
    package var credit: String
  }

  package struct Stimulus: Codable, Equatable, Sendable {
    package enum Role: String, Codable, Sendable {
      case system
      /// The ideal choir, hidden among the systems.
      case reference
      /// The ideal choir without its treble, which every listener should find worse.
      case anchor
    }

    package var id: String
    package var clip: Int
    var role: Role
    /// Index of the system; `nil` for reference and anchor.
    var system: Int?
    /// Key of the cell that holds its sound.
    package var cell: String?
  }

  package struct Trial: Codable, Equatable, Sendable {
    package var id: String
    package var clip: Int
    /// Ids of the stimuli that are judged, in no order.
    package var stimuli: [String]
    /// The earlier trial that this one repeats, to see how sure a listener is.
    package var repeats: String?
  }

  /// Version of the file's form.
  package static let schema = "choir-eval.listening-test/1"

  package var schema = Self.schema
  /// Hash of everything else; answers name it.
  package var id = ""
  package var title: String
  package var method: Method
  package var seed: UInt64
  /// Name of the run that holds the cells.
  package var run: String
  package var systems: [System]
  package var clips: [Clip]
  package var stimuli: [Stimulus]
  package var trials: [Trial]

  /// Names of the files in a test's folder.
  package static let keyFile = "key.json"
  package static let pageFolder = "page"

  /// Reads the key of a test.
  package init(reading url: URL) throws {
    let test: ListeningTest
    do {
      test = try JSONDecoder().decode(Self.self, from: GivenFile.data(at: url))
    } catch let error as DecodingError {
      throw Refusal("\(url.path) is not a key of a listening test: \(error.words)")
    }
    guard test.schema == Self.schema else {
      throw Refusal("\(url.path) is not a key of a listening test: its form is '\(test.schema)'")
    }
    self = test
  }

  init(
    title: String, method: Method, seed: UInt64, run: String, systems: [System], clips: [Clip],
    stimuli: [Stimulus], trials: [Trial]
  ) {
    (self.title, self.method, self.seed, self.run) = (title, method, seed, run)
    (self.systems, self.clips, self.stimuli, self.trials) = (systems, clips, stimuli, trials)
  }

  func stimulus(_ id: String) -> Stimulus? { stimuli.first { $0.id == id } }
}

extension DecodingError {
  /// The mistake and its place.
  var words: String {
    switch self {
    case .keyNotFound(let key, _): "it has no '\(key.stringValue)'"
    case .dataCorrupted: "it is not whole"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has another type"
    @unknown default: "it can't be decoded"
    }
  }
}
