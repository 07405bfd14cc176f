import DSP
import Platform

/// The contents of a report before it is written to files.
public struct ReportPage: Sendable {
  public var title: String
  /// Line below the title: subjects, recordings and counts.
  public var subtitle: String
  public var verdict: PageVerdict
  /// The share of planned measurements that have a value, in a sentence or two.
  public var coverage = ""
  /// Headline numbers, about five.
  public var headlines: [Headline]
  public var sections: [Section]
  /// Further pages, each a file of its own.
  public var subpages: [Subpage] = []
  /// Terms and their meanings.
  public var reading: [Remark]
  /// Versions, machine, seeds, corpus, licences.
  public var provenance: [Remark]
  /// Command line that remakes the page.
  public var command: String
  /// Text files beside the page, by name.
  public var files: [String: String] = [:]
  /// All cells, to be searched on a page of their own; `nil` for none.
  public var workbench: Workbench?
  /// Pads that play the chords of recordings, on a page of their own.
  public var boards: [PadBoard] = []
  /// Progress of a run that goes on; `nil` for a report of a finished one.
  public var progress: Progress?

  public struct Progress: Sendable {
    public var cells: Int
    public var planned: Int

    public init(cells: Int, planned: Int) { (self.cells, self.planned) = (cells, planned) }
  }

  /// Folder of temporary files that the page needs until it is written.
  public var scratch: ScratchFolder?

  public init(
    title: String, subtitle: String = "", verdict: PageVerdict, headlines: [Headline] = [],
    sections: [Section] = [], reading: [Remark] = [], provenance: [Remark] = [], command: String
  ) {
    (self.title, self.subtitle, self.verdict, self.headlines) = (
      title, subtitle, verdict, headlines
    )
    (self.sections, self.reading, self.provenance) = (sections, reading, provenance)
    self.command = command
  }
}

/// A further page of the report.
public struct Subpage: Sendable {
  /// Lower-case letters, digits and hyphens; unique in the report; names the file.
  public var id: String
  public var title: String
  public var subtitle: String
  public var sections: [Section]

  public init(id: String, title: String, subtitle: String = "", sections: [Section]) {
    (self.id, self.title, self.subtitle, self.sections) = (id, title, subtitle, sections)
  }

  /// Returns the address of the page, or of a part of it.
  public func address(_ part: String? = nil) -> String { Self.address(of: id, part) }

  package static func address(of id: String, _ part: String? = nil) -> String {
    "\(id).html" + (part.map { "#\($0)" } ?? "")
  }
}

/// The verdict in words.
public struct PageVerdict: Sendable, Encodable {
  public enum Outcome: String, Sendable, Encodable {
    case measured
    /// A headline number is missing.
    case partial
    case pass, regression, inconclusive
    /// A budget is exceeded.
    case exceeded
  }

  public var outcome: Outcome
  /// One or two sentences with the decisive numbers.
  public var sentence: String

  public init(_ outcome: Outcome, _ sentence: String) {
    (self.outcome, self.sentence) = (outcome, sentence)
  }
}

/// One headline number.
public struct Headline: Sendable {
  public var title: String
  public var amount: Amount
  public var unit: String
  public var interval: Bounds?
  /// Number of measured items, such as 48.
  public var count: Int
  /// Kind of the counted items, such as `cells`.
  public var counted: String
  public var style: NumberStyle
  /// Change from the baseline, in words; empty without one.
  public var change: String
  /// Address of the details within the report.
  public var link: String?
  /// Scale of the number; `nil` if no limits are known.
  public var scale: QualityScale?

  /// Grade by the scale; `nil` without a value or a scale.
  public var grade: QualityScale.Grade? {
    guard let scale, let value = amount.value else { return nil }
    return scale.grade(value)
  }

  public init(
    _ title: String, _ amount: Amount, unit: String, interval: Bounds? = nil, count: Int,
    counted: String = "cells", style: NumberStyle = .significant(3), change: String = "",
    link: String? = nil, scale: QualityScale? = nil
  ) {
    (self.title, self.amount, self.unit, self.interval) = (title, amount, unit, interval)
    (self.count, self.counted, self.style) = (count, counted, style)
    (self.change, self.link, self.scale) = (change, link, scale)
  }
}

/// A part of the page with its own heading.
public struct Section: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page.
  public var id: String
  public var title: String
  public var intro: String
  public var drawings: [Drawing]
  public var tables: [Table]
  public var clips: [Clip]

  /// The section without drawings that have nothing to draw; their players stay.
  package var withoutEmptyDrawings: Section {
    var section = self
    section.clips += drawings.filter(\.content.isEmpty).compactMap(\.clip)
    section.drawings.removeAll(where: \.content.isEmpty)
    return section
  }

  /// All clips, including those below figures.
  var allClips: [Clip] { drawings.compactMap(\.clip) + clips }

  public init(
    id: String, title: String, intro: String = "", drawings: [Drawing] = [], tables: [Table] = [],
    clips: [Clip] = []
  ) {
    (self.id, self.title, self.intro) = (id, title, intro)
    (self.drawings, self.tables, self.clips) = (drawings, tables, clips)
  }
}

/// A recording with its outputs, to listen to.
public struct Clip: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page; names the folder of its sounds.
  public var id: String
  public var title: String
  /// Points to listen for, with licence and attribution.
  public var note: String
  public var sounds: [Sound]
  /// Part that loops initially, such as the time around an error; `nil` for none.
  public var loopS: ClosedRange<Double>?

  public init(
    id: String, title: String, note: String = "", sounds: [Sound], loopS: ClosedRange<Double>? = nil
  ) {
    (self.id, self.title, self.note, self.sounds) = (id, title, note, sounds)
    self.loopS = loopS
  }
}

/// One sound of a clip: the input, the mix or a single voice.
public struct Sound: Sendable {
  public var name: String
  /// Detail beside the name, such as the settings.
  public var detail: String
  /// Path of a sound file that is encoded into the report; with `made`, a unique name instead.
  public var path: String
  /// The sound itself, if it is not in a file.
  public var made: Signal?

  public init(_ name: String, detail: String = "", path: String, made: Signal? = nil) {
    (self.name, self.detail, self.path, self.made) = (name, detail, path, made)
  }
}

/// A term and its explanation.
public struct Remark: Sendable, Encodable {
  public var term: String
  public var text: String

  public init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
}
