import DSP

/// Everything one report says, before it becomes files.
public struct ReportPage: Sendable {
  public var title: String
  /// One line below the title: what was run on what.
  public var subtitle: String
  public var verdict: PageVerdict
  /// How much of what was planned has a number, in a sentence or two.
  public var coverage = ""
  /// Five or so; the first thing a reader compares.
  public var headlines: [Headline]
  public var sections: [Section]
  /// Pages behind the first one, each a file of its own.
  public var subpages: [Subpage] = []
  /// How to read the numbers: a term and its meaning.
  public var reading: [Remark]
  /// Versions, machine, seeds, corpus, licences.
  public var provenance: [Remark]
  /// The command line that remakes the page.
  public var command: String
  /// Holds files that the page names until it is written.
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

/// What the first page has no room for.
public struct Subpage: Sendable {
  /// Lower-case letters, digits and hyphens; unique in the report; names the file.
  public var id: String
  public var title: String
  public var subtitle: String
  public var sections: [Section]

  public init(id: String, title: String, subtitle: String = "", sections: [Section]) {
    (self.id, self.title, self.subtitle, self.sections) = (id, title, subtitle, sections)
  }

  /// Where a link to it leads, or to a part of it.
  public func address(_ part: String? = nil) -> String { Self.address(of: id, part) }

  static func address(of id: String, _ part: String? = nil) -> String {
    "\(id).html" + (part.map { "#\($0)" } ?? "")
  }
}

/// The answer in words.
public struct PageVerdict: Sendable, Encodable {
  public enum Outcome: String, Sendable, Encodable {
    case measured, pass, regression, inconclusive
  }

  public var outcome: Outcome
  /// One or two sentences with the numbers that decide.
  public var sentence: String

  public init(_ outcome: Outcome, _ sentence: String) {
    (self.outcome, self.sentence) = (outcome, sentence)
  }
}

/// One number that matters.
public struct Headline: Sendable {
  public var title: String
  public var amount: Amount
  public var unit: String
  public var interval: Bounds?
  /// How many of what were measured, for example 48 and `cells`.
  public var count: Int
  public var counted: String
  public var style: NumberStyle
  /// Against the baseline, in words; empty without one.
  public var change: String
  /// Where it is told in full: an address within the report.
  public var link: String?
  /// What it is measured against; nil where nobody found limits.
  public var scale: QualityScale?

  /// Good, fair or poor; nil without a value or a scale.
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
  public var figures: [Figure]
  public var tables: [Table]
  public var clips: [Clip]

  /// Those below figures too.
  var allClips: [Clip] { figures.compactMap(\.clip) + clips }

  public init(
    id: String, title: String, intro: String = "", figures: [Figure] = [], tables: [Table] = [],
    clips: [Clip] = []
  ) {
    (self.id, self.title, self.intro) = (id, title, intro)
    (self.figures, self.tables, self.clips) = (figures, tables, clips)
  }
}

/// A recording and what became of it, to be listened to.
public struct Clip: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page; names the folder of its sounds.
  public var id: String
  public var title: String
  /// What to listen for; licence and attribution where they must be named.
  public var note: String
  public var sounds: [Sound]
  /// The part that loops at first, for example around an error; nil for none.
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
  /// For example the settings that made it.
  public var detail: String
  /// A sound file, encoded into the report; or, with `made`, what tells this sound from others.
  public var path: String
  /// The sound itself, where it is not in a file.
  public var made: Signal?

  public init(_ name: String, detail: String = "", path: String, made: Signal? = nil) {
    (self.name, self.detail, self.path, self.made) = (name, detail, path, made)
  }
}

/// A term and what there is to say about it.
public struct Remark: Sendable, Encodable {
  public var term: String
  public var text: String

  public init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
}
