/// Everything one report says, before it becomes files.
public struct ReportPage: Sendable {
  public var title: String
  /// One line below the title: what was run on what.
  public var subtitle: String
  public var verdict: Verdict
  /// Five or so; the first thing a reader compares.
  public var headlines: [Headline]
  public var sections: [Section]
  /// How to read the numbers: a term and its meaning.
  public var reading: [Remark]
  /// Versions, machine, seeds, corpus, licences.
  public var provenance: [Remark]
  /// The command line that remakes the page.
  public var command: String

  public init(
    title: String, subtitle: String = "", verdict: Verdict, headlines: [Headline] = [],
    sections: [Section] = [], reading: [Remark] = [], provenance: [Remark] = [], command: String
  ) {
    (self.title, self.subtitle, self.verdict, self.headlines) = (
      title, subtitle, verdict, headlines
    )
    (self.sections, self.reading, self.provenance) = (sections, reading, provenance)
    self.command = command
  }
}

/// The answer in words.
public struct Verdict: Sendable, Encodable {
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

  public init(
    _ title: String, _ amount: Amount, unit: String, interval: Bounds? = nil, count: Int,
    counted: String = "cells", style: NumberStyle = .significant(3)
  ) {
    (self.title, self.amount, self.unit, self.interval) = (title, amount, unit, interval)
    (self.count, self.counted, self.style) = (count, counted, style)
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

  public init(id: String, title: String, note: String = "", sounds: [Sound]) {
    (self.id, self.title, self.note, self.sounds) = (id, title, note, sounds)
  }
}

/// One sound of a clip: the input, the mix or a single voice.
public struct Sound: Sendable {
  public var name: String
  /// For example the settings that made it.
  public var detail: String
  /// A sound file, copied into the report.
  public var path: String

  public init(_ name: String, detail: String = "", path: String) {
    (self.name, self.detail, self.path) = (name, detail, path)
  }
}

/// A term and what there is to say about it.
public struct Remark: Sendable, Encodable {
  public var term: String
  public var text: String

  public init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
}
