import Testing

@testable import Gate
@testable import Metrics

@Suite struct CauseGroupTests {
  /// A regression; its size is in minimum effects, and its voice follows the metric's name after a space.
  private static func regression(_ name: String, effects: Double = 4) -> MetricDifference {
    let words = name.split(separator: " ").map(String.init)
    let effect = Metric.metric(id: words[0])!.minimumEffect!
    // A loss of harmonicity is a fall.
    let sign = words[0] == "harmonicity.change" ? -1.0 : 1
    return MetricDifference(
      metric: words[0], voice: words.count > 1 ? words[1] : nil, score: "chord",
      configuration: "", unit: "", direction: .lower, baseline: 0,
      candidate: sign * effects * effect,
      recordings: 6, cells: 6, worsening: effects * effect,
      medianWorsening: effects * effect, error: 0, pValue: 0, minimumEffect: effect,
      verdict: .regression, reason: "", lost: 0)
  }

  private static func groups(_ names: [String]) -> [CauseGroup] {
    CauseGroup.all(of: names.map { regression($0) })
  }

  /// Lists as gates gave them for known defects, and the cause by which each was made.
  @Test(arguments: [
    (
      [
        "note.onset_displacement +7", "pitch.abs_error.p95 +7", "pitch.bias +7",
        "pitch.abs_error +7",
      ],
      "pitch of voice +7", "pitch.abs_error"
    ),
    (
      [
        "pitch.abs_error +4", "note.onset_displacement +4", "latency.onset +4",
        "latency.onset.p95 +4",
      ],
      "delay of voice +4", "latency.onset"
    ),
    (
      ["note.onset_displacement -5", "latency.impulse.p95 -5"],
      "unsteady delay of voice -5", "latency.impulse.p95"
    ),
    (
      [
        "intelligibility.stoi.vocoded +4", "timbre.mcd +4", "formant.ratio +4",
        "note.onset_displacement +4",
      ],
      "formants of voice +4", "formant.ratio"
    ),
    (["level.change +4", "intelligibility.estoi +4"], "level of voice +4", "level.change"),
    (
      ["level.change +4", "timbre.mcd +4", "timbre.tilt_change +4", "voice.level +4"],
      "timbre of voice +4", "timbre.tilt_change"
    ),
    (
      ["modulation.added +4", "clicks.count +4", "harmonicity.change +4", "timbre.tilt_change +4"],
      "artefacts of voice +4", "harmonicity.change"
    ),
    (
      ["timbre.mcd +4", "clipping.share +4", "timbre.tilt_change +4"],
      "artefacts of voice +4", "clipping.share"
    ),
    (
      ["clicks.count +4", "latency.onset.p95", "intelligibility.ncm +4"],
      "unsteady delay of voice +4", "latency.onset.p95"
    ),
    (["latency.onset.p95", "latency.voice +4"], "delay of voice +4", "latency.voice"),
    (
      ["clicks.count +4", "pitch.abs_error +4", "latency.change +4"],
      "unsteady delay of voice +4", "latency.change"
    ),
    (
      ["formant.f2_shift +4", "timbre.tilt_change +4", "envelope.lsd +4"],
      "timbre of voice +4", "timbre.tilt_change"
    ),
    (
      ["consonant.lost.plosive +4", "intelligibility.modulation +4", "note.onset_displacement +4"],
      "consonants of voice +4", "consonant.lost.plosive"
    ),
    (["pitch.vibrato_extent_ratio +4"], "vibrato of voice +4", "pitch.vibrato_extent_ratio"),
  ])
  func oneChangeHeadsItsList(names: [String], title: String, head: String) throws {
    let groups = Self.groups(names)
    #expect(groups.map(\.title) == [title])
    #expect(groups[0].head.figure.metric == head)
    #expect(groups[0].folded.count == names.count - 1)
  }

  /// A voice that lacks many of its frames explains everything else in it; one that lacks few, as a
  /// late one does, is not missing.
  @Test func onlyALargeGapIsAMissingVoice() {
    let others = ["pitch.abs_error +4", "latency.onset +4"].map { Self.regression($0) }
    let effect = Metric.metric(id: "voice.missing")!.minimumEffect!
    func title(missing share: Double) -> String {
      CauseGroup.all(
        of: others + [Self.regression("voice.missing +4", effects: share / effect)])[0].title
    }
    #expect(title(missing: 0.3) == "voice +4 is missing")
    #expect(title(missing: 0.02) == "delay of voice +4")
  }

  /// A voice on the wrong octave is missing from its own; one that is missing for longer has none.
  @Test func aWrongOctaveIsNotAMissingVoice() {
    func title(octave: Double, missing: Double) -> String {
      CauseGroup.all(of: [
        Self.regression("voice.missing +4", effects: missing),
        Self.regression("pitch.octave_errors +4", effects: octave),
      ])[0].title
    }
    #expect(title(octave: 20, missing: 10) == "octave errors of voice +4")
    #expect(title(octave: 6, missing: 30) == "voice +4 is missing")
  }

  /// Clicks of grains raise the floor by more than they spread the impulses.
  @Test func clicksOfGrainsAreNoUnsteadyDelay() {
    func title(floor: Double) -> String {
      CauseGroup.all(of: [
        Self.regression("latency.impulse.p95 +4", effects: 3),
        Self.regression("noise.floor +4", effects: floor),
      ])[0].title
    }
    #expect(title(floor: 6) == "artefacts of voice +4")
    #expect(title(floor: 2) == "unsteady delay of voice +4")
  }

  /// Swapped voices bring each other's level and offset along.
  @Test func aSwapExplainsTheLevels() {
    let groups = CauseGroup.all(of: [
      Self.regression("voice.swapped +4", effects: 50), Self.regression("level.change +4"),
    ])
    #expect(groups.map(\.title) == ["swapped voices +4"])
  }

  /// Small evidence of a cause does not hide large evidence of one that stands behind it.
  @Test func strongEvidenceComesBeforeWeak() {
    func titles(formants: Double, tilt: Double) -> [String] {
      CauseGroup.all(of: [
        Self.regression("formant.ratio +4", effects: formants),
        Self.regression("timbre.tilt_change +4", effects: tilt),
      ]).map(\.title)
    }
    #expect(titles(formants: 2, tilt: 4) == ["formants of voice +4"])
    #expect(titles(formants: 0.5, tilt: 4) == ["timbre of voice +4"])
    #expect(titles(formants: 0.5, tilt: 0.4) == ["formants of voice +4"])
  }

  /// A wide vibrato takes power from the partials, but moves the pitch further.
  @Test func aWideVibratoIsNoNoise() {
    func title(pitch: Double) -> String {
      CauseGroup.all(of: [
        Self.regression("harmonicity.change +4", effects: 5),
        Self.regression("pitch.abs_error +4", effects: pitch),
      ])[0].title
    }
    #expect(title(pitch: 18) == "pitch of voice +4")
    #expect(title(pitch: 1) == "artefacts of voice +4")
  }

  /// Five cents and a millisecond at once are two causes: a delay moves no median of pitch to one side.
  @Test func twoChangesAreTwoCauses() {
    let groups = Self.groups(["latency.impulse +4", "pitch.bias +4", "pitch.abs_error.p95 +4"])
    #expect(groups.map(\.title) == ["delay of voice +4", "pitch of voice +4"])
  }

  /// A sharper voice has other grains, and the first impulses of an irregular engine move with them.
  @Test func aSharpVoiceIsNotLate() {
    let groups = Self.groups(["latency.impulse.p5 +7", "pitch.abs_error +7", "pitch.bias +7"])
    #expect(groups.map(\.title) == ["pitch of voice +7"])
    #expect(
      groups.first.map { Set($0.folded.map(\.figure.metric)) } == [
        "pitch.bias", "latency.impulse.p5",
      ])
  }

  /// A filter that takes the consonants away is a little late, but no late voice loses its consonants.
  @Test func lostConsonantsAreNotFoldedUnderADelay() {
    let groups = Self.groups(["latency.impulse +4", "consonant.lost +4", "consonant.doubled +4"])
    #expect(groups.map(\.title) == ["delay of voice +4", "consonants of voice +4"])
    #expect(groups[0].folded.map(\.figure.metric) == ["consonant.doubled"])
  }

  /// A voice that is silent loses all its values, which are no evidence of their own.
  @Test func lostValuesAreNoEvidence() {
    var octave = Self.regression("pitch.octave_errors +7")
    (octave.worsening, octave.lost) = (nil, 5)
    let groups = CauseGroup.all(of: [octave, Self.regression("voice.missing +7", effects: 90)])
    #expect(groups.map(\.title) == ["voice +7 is missing"])
  }

  /// Dulled consonants are a cause of their own beside formants.
  @Test func consonantsAreNotFoldedUnderFormants() {
    let groups = Self.groups(["formant.ratio +4", "consonant.lost.fricative +4"])
    #expect(groups.map(\.title) == ["formants of voice +4", "consonants of voice +4"])
  }

  /// A filter that takes breath away makes a voice more harmonic; an echo makes it less so.
  @Test func aFilterIsNoNoise() {
    var harmonicity = Self.regression("harmonicity.change +4", effects: 5)
    let tilt = Self.regression("timbre.tilt_change +4", effects: 4)
    #expect(CauseGroup.all(of: [harmonicity, tilt])[0].title == "artefacts of voice +4")
    harmonicity.candidate = 2.5
    #expect(CauseGroup.all(of: [harmonicity, tilt])[0].title == "timbre of voice +4")
  }

  @Test func voicesWithOneCauseStandTogether() {
    let groups = Self.groups([
      "pitch.bias +4", "pitch.abs_error +7", "level.change -5", "chord.recall",
    ])
    #expect(groups.map(\.title) == ["pitch of voices +4, +7", "level of voice -5"])
    #expect(groups[0].folded.map(\.figure.metric).sorted() == ["chord.recall", "pitch.bias"])
  }

  @Test func everyComparedMetricHasACause() {
    let ids = Metric.builtIn.filter { $0.minimumEffect != nil && $0.loss(0) != nil }.map(\.id)
    let groups = Self.groups(ids)
    #expect(groups.reduce(0) { $0 + 1 + $1.folded.count } == ids.count)
    for name in CauseEvidence.ordered.flatMap(\.metrics) where !name.hasSuffix("*") {
      #expect(Metric.metric(id: name) != nil, "\(name)")
    }
  }
}
