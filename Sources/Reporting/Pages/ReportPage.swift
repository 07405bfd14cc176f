import Platform

/// The contents of a report before it is written to files; as JSON `report.json`.
package struct ReportPage: Sendable, Encodable {
  let schema = "choir-eval.report/1"
  package var title: String
  /// Line below the title: subjects, recordings and counts.
  package var subtitle = ""
  package var verdict: PageVerdict
  /// The share of planned measurements that have a value, in a sentence or two.
  package var coverage = ""
  /// Headline numbers, about five.
  package var headlines: [Headline] = []
  package var sections: [Section] = []
  /// The picture beside the verdict: a drawing of one of the sections, with the sound to play first.
  var lead: Lead?
  /// Commands to type next, each after its purpose.
  package var next: [Remark] = []
  /// Further pages, each a file of its own.
  var subpages: [Subpage] = []
  /// Terms and their meanings.
  var reading: [Remark] = []
  /// Versions, machine, seeds, corpus, licences.
  package var provenance: [Remark] = []
  /// Command line that remakes the page.
  var command: String
  /// Text files beside the page, by name.
  var files: [String: String] = [:]
  /// All cells, to be searched on a page of their own; `nil` for none.
  var workbench: Workbench?
  /// Folder of temporary files that the page needs until it is written.
  var scratch: ScratchFolder?

  struct Lead {
    /// Id of the drawing.
    var drawing: String
    /// Buttons: their words and sounds; none if no sound was kept.
    var sounds: [(title: String, link: AudioLink)] = []
  }

  private enum CodingKeys: CodingKey {
    case schema, title, subtitle, verdict, coverage, headlines, sections, next, subpages
    case reading, provenance, command
  }

  /// The sections of all pages.
  var allSections: [Section] { sections + subpages.flatMap(\.sections) }
}

/// A further page of the report.
struct Subpage: Encodable {
  /// Lower-case letters, digits and hyphens; unique in the report; names the file.
  var id: String
  var title: String
  var subtitle = ""
  var sections: [Section]

  var address: String { "\(id).html" }
}

/// The verdict in words.
package struct PageVerdict: Sendable, Encodable {
  package enum Outcome: String, Sendable, Encodable {
    /// The worst grade of a headline number.
    case good, fair, poor
    /// No headline number has a grade.
    case ungraded
    /// Cells or headline numbers are missing.
    case partial
    /// Cells failed.
    case failed
    case pass, regression, inconclusive
    /// A budget is exceeded.
    case exceeded

    /// The words before the sentence.
    package var words: String {
      switch self {
      case .good: "Good"
      case .fair: "Fair"
      case .poor: "Poor"
      case .ungraded: "No grade"
      case .partial: "Incomplete"
      case .failed: "Cells failed"
      case .pass: "Pass"
      case .regression: "Regression"
      case .inconclusive: "Inconclusive"
      case .exceeded: "Over budget"
      }
    }

    /// The sign before the words.
    package var sign: String {
      switch self {
      case .good, .pass: "✓"
      case .fair: "◐"
      case .poor, .failed, .regression, .exceeded: "✗"
      case .ungraded, .partial, .inconclusive: "?"
      }
    }
  }

  package var outcome: Outcome
  /// One or two sentences with the decisive numbers.
  package var sentence: String

  package init(_ outcome: Outcome, _ sentence: String) {
    (self.outcome, self.sentence) = (outcome, sentence)
  }
}

/// A term and its explanation.
package struct Remark: Encodable {
  package var term: String
  package var text: String

  init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
}
