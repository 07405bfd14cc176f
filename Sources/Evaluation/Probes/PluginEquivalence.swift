import Analyzer
import Corpus
import DSP
import Foundation
import HostProtocol
import Platform
import Subjects

/// Tests what hosts do with a plugin beside playing it: save its state and restore it, bypass it, turn its
/// controls while sound runs, and rely on the delay that it states meanwhile.
struct PluginEquivalence {
  private let plugin: PluginSubject
  private let description: PluginDescription
  private let bench: ProbeBench
  private let probe: EquivalenceProbe
  /// False if a reset leaves something of the past, so that a used instance can't equal a fresh one.
  private let isFreshAfterReset: Bool

  private static let rateHz = EquivalenceProbe.rateHz

  /// Returns the findings of all tests; none for other subjects than plugins.
  ///
  /// - Cost: that of processing about 20 s of sound, and of starting about 20 processes.
  static func findings(
    _ bench: ProbeBench, _ probe: EquivalenceProbe, isFreshAfterReset: Bool
  ) -> [ProbeFinding] {
    guard let plugin = bench.subject as? PluginSubject, let description = try? plugin.description
    else { return [] }
    let tests = PluginEquivalence(
      plugin: plugin, description: description, bench: bench, probe: probe,
      isFreshAfterReset: isFreshAfterReset)
    func attempt(_ name: String, _ test: () throws -> ProbeFinding?) -> ProbeFinding? {
      do { return try test() } catch { return .undefined(.equivalence, name, error) }
    }
    return [
      attempt("state", tests.state), attempt("damaged state", tests.damagedState),
      attempt("bypass", tests.bypass), attempt("automation", tests.automation),
      attempt("latency", tests.latency),
    ].compactMap(\.self)
  }

  // MARK: State

  /// Restores a state in a new process, and in one that has played with all controls turned.
  private func state() throws -> ProbeFinding {
    guard let saved = try savedState() else {
      return .undefined(
        .equivalence, "state", "it saves no state beside the values of its controls")
    }
    guard bench.subject.external?.file.automation?.isEmpty ?? true else {
      return .undefined(
        .equivalence, "state", "'automation' turns its controls before the state is saved")
    }
    let fresh = try started { ($0.controls, $0.preset) = ([:], nil) }
    if let fault = try restoringFault(fresh, saved, "in a new process", compares: true) {
      return fault
    }
    let used = try started { $0.controls = turnedControls }
    _ = try EquivalenceProbe.played(excerpt, through: used)
    let place = "over turned controls"
    if let fault = try restoringFault(used, saved, place, compares: isFreshAfterReset) {
      return fault
    }
    return probe.good(
      "state", "restored in a new process and over turned controls, a state gives the same sound")
  }

  /// Returns the states of all voices after a second of sound; `nil` if there are none.
  private func savedState() throws -> [HostState]? {
    let sound = try started()
    _ = try EquivalenceProbe.played(excerpt, through: sound)
    let saved = try sound.save()
    return saved.contains { $0.state != nil } ? saved : nil
  }

  /// Restores a state and plays.
  ///
  /// - Parameter compares: true to compare the sound.
  private func restoringFault(
    _ sound: HostedSound, _ saved: [HostState], _ place: String, compares: Bool
  ) throws -> ProbeFinding? {
    let restored = try sound.restore(saved)
    guard restored.allSatisfy(\.isAccepted) else {
      return ProbeFinding(.equivalence, "state", .poor, "refuses \(place) the state that it saved")
    }
    for (then, now) in zip(saved, restored) {
      for (control, value) in then.values.sorted(by: { $0.key < $1.key }) {
        // Controls are single floats, and some are saved as text.
        guard let other = now.values[control], abs(other - value) > 1e-5 * max(1, abs(value)) else {
          continue
        }
        return ProbeFinding(
          .equivalence, "state", .poor,
          "a state restored \(place) forgets '\(control)': \(number(value)) was saved, and it is "
            + number(other))
      }
    }
    sound.reset()
    guard compares, let problem = probe.problem(try probe.played(through: sound)) else {
      return nil
    }
    return probe.finding("state", problem, "a state restored \(place) gives another sound")
  }

  /// Restores states that are damaged; each is refused or played.
  private func damagedState() throws -> ProbeFinding? {
    guard let saved = try savedState() else { return nil }
    var refused = 0
    for (words, damage) in Self.damages {
      let states = saved.map { HostState(state: $0.state.map { Data(damage(Array($0))) }) }
      let sound = try started()
      let fault: String?
      do {
        if try sound.restore(states).contains(where: { !$0.isAccepted }) { refused += 1 }
        let output = try EquivalenceProbe.played(excerpt, through: sound)
        fault = output.first { !$0.isFinite }.map { "it returned \($0)" }
      } catch { fault = "\(error)" }
      if let fault {
        return ProbeFinding(.equivalence, "damaged state", .poor, "with a state \(words): \(fault)")
      }
    }
    return ProbeFinding(
      .equivalence, "damaged state", .good,
      "of \(Self.damages.count) damaged states it refuses \(refused) and plays on with the others")
  }

  private static let damages: [(words: String, damage: @Sendable ([UInt8]) -> [UInt8])] = [
    ("without a byte", { _ in [] }),
    ("cut in half", { Array($0.prefix($0.count / 2)) }),
    ("with wrong bytes", { $0.enumerated().map { $0 % 16 == 9 ? ~$1 : $1 } }),
    ("with wrong numbers", wrongNumbers),
    ("followed by itself", { $0 + $0 }),
  ]

  /// Returns a text with larger numbers; digits within its names stay.
  @Sendable private static func wrongNumbers(_ state: [UInt8]) -> [UInt8] {
    let starts = Set(#" ""#.utf8)
    return state.enumerated().map { place, byte in
      48...57 ~= byte && place > 0 && starts.contains(state[place - 1]) ? 57 : byte
    }
  }

  // MARK: Bypass

  /// Bypasses from the start, then switches to and fro under a sine.
  private func bypass() throws -> ProbeFinding {
    guard let port = description.ports(.control).first(where: { $0.bypassValue != nil }),
      let value = port.bypassValue
    else { return .undefined(.equivalence, "bypass", "it has no control that its format calls so") }
    let bypassed = try started { $0.controls[port.symbol] = value }
    let output = try probe.played(through: bypassed)
    let stated = bypassed.latencySamples
    // What the plugin needs to fade is over after a second.
    let (sound, input) = (Array(output.suffix(48_000)), Self.ending(probe.voice.samples, stated))
    if let difference = EquivalenceProbe.differenceDb(sound, input),
      difference.db > IdentityProbe.transparentDb
    {
      let late = try? WaveformDelay(
        of: Signal(output, sampleRateHz: Self.rateHz), from: probe.voice)
      return ProbeFinding(
        .equivalence, "bypass", difference.db, "dB", .poor,
        "bypassed, it states \(stated) samples, and the input comes out "
          + (late.map { "\(fixed($0.delaySamples)) samples late" } ?? "as another sound"))
    }
    // A sine has small steps from sample to sample, and a jump to another sound a large one.
    let sine = Signal(
      (0..<96_000).map { 0.25 * Float(sin(2 * .pi * 220 / Self.rateHz * Double($0))) },
      sampleRateHz: Self.rateHz)
    func played(_ change: (inout HostSession) -> Void) throws -> [Float] {
      try EquivalenceProbe.played(sine, through: started(changing: change))
    }
    let switched = try played { session in
      let off = session.controls[port.symbol] ?? port.preset ?? 0
      session.changes = (1...8).map {
        .init(frame: 48_000 + $0 * 5003, control: port.symbol, value: $0 % 2 == 1 ? value : off)
      }
    }
    let steps = try [switched, played { _ in }, played { $0.controls[port.symbol] = value }]
      .map(Self.maxStep)
    let ratio = Double(steps[0] / max(steps[1], steps[2], 1e-9))
    let isSmooth = ratio <= Self.maxStepRatio
    return ProbeFinding(
      .equivalence, "bypass", ratio, "ratio", isSmooth ? .good : .poor,
      "bypassed, the input comes out \(stated) samples late, as stated; switching to and fro under a "
        + "sine makes steps \(fixed(ratio)) times as large as without"
        + (isSmooth ? "" : ": it clicks"))
  }

  /// Returns the last second of a sound that comes late.
  private static func ending(_ sound: [Float], _ lateSamples: Int) -> [Float] {
    Array(sound.dropLast(lateSamples).suffix(48_000))
  }

  /// A fade of 5 ms from one sine to another at most doubles its steps.
  private static let maxStepRatio = 3.0

  /// Returns the largest step from sample to sample in the second second.
  private static func maxStep(_ sound: [Float]) -> Float {
    zip(sound.suffix(48_000), sound.suffix(48_000).dropFirst()).reduce(0) {
      max($0, abs($1.1 - $1.0))
    }
  }

  // MARK: Automation

  /// Turns the pitch, or all controls, and finds the first sample that differs.
  private func automation() throws -> ProbeFinding {
    var isCLAP = false
    if case .clap = description.address { isCLAP = true }
    // A host of CLAP sends the frame, other hosts begin a block there.
    let frame = isCLAP ? 45 * 1024 + 320 : 45 * 1024
    let noise = ProbeSounds.noise(seconds: 2, sampleRateHz: Self.rateHz)
    var starts: [(block: Int, late: Int)] = []
    var stated = 0
    for block in [64, 1024] {
      func played(turned: Bool) throws -> [Float] {
        let turns =
          turned && bench.takesIntervals
          ? [(Double(frame) / Self.rateHz, bench.score(noteHz: 220, semitones: 7))] : []
        let sound = try started(blockSize: block, turningTo: turns) { session in
          guard turned, !bench.takesIntervals else { return }
          session.changes = turnedControls.sorted { $0.key < $1.key }.map {
            .init(frame: frame, control: $0.key, value: $0.value)
          }
        }
        defer { stated = sound.latencySamples }
        return try EquivalenceProbe.played(noise, through: sound, lengths: [block])
      }
      let plain = try played(turned: false)
      // Chance may be rare.
      guard probe.isDeterministic, try plain == played(turned: false) else {
        return .undefined(.equivalence, "automation", "random: two equal runs differ anyway")
      }
      guard let first = EquivalenceProbe.firstDifference(try played(turned: true), plain) else {
        return .undefined(.equivalence, "automation", "turning its controls changes no sound")
      }
      starts.append((block, first - frame))
    }
    let (short, long) = (starts[0].late, starts[1].late)
    func finding(
      _ verdict: ProbeFinding.Verdict, _ words: String, of late: Int? = nil
    ) -> ProbeFinding {
      ProbeFinding(.equivalence, "automation", Double(late ?? short), "samples", verdict, words)
    }
    if let early = starts.first(where: { $0.late < 0 }) {
      return finding(
        .poor, "a control turns \(-early.late) samples too early in blocks of \(early.block)",
        of: early.late)
    }
    if short != long {
      return finding(
        .poor,
        "a control turns after \(short) samples in blocks of \(starts[0].block), and after \(long) in "
          + "blocks of \(starts[1].block)")
    }
    // A sample may have been computed before the control was read.
    guard short > stated + 1 else {
      return finding(
        .good,
        "the sound changes \(short) samples after a control turns, within the stated delay of "
          + "\(stated)")
    }
    return finding(
      .measured,
      "the sound changes \(short) samples after a control turns, \(short - stated) more than the "
        + "stated delay of \(stated), in blocks of any length")
  }

  // MARK: Latency

  /// Turns one control after the other to the end of its range, each for a second, and compares the delay
  /// that is stated with the measured one.
  private func latency() throws -> ProbeFinding? {
    let turns = turnedControls(by: 1).sorted { $0.key < $1.key }
    let sound = try started(semitones: 0) { session in
      session.changes = turns.enumerated().flatMap { index, turn in
        let before = session.controls[turn.key] ?? description.control(turn.key)?.preset ?? 0
        return [(1, turn.value), (2, before)].map { second, value in
          HostSession.Change(frame: 48_000 * (index + second), control: turn.key, value: value)
        }
      }.sorted { $0.frame < $1.frame }
    }
    let noise = ProbeSounds.noise(seconds: 1, sampleRateHz: Self.rateHz)
    let moments =
      ["at first"] + turns.map { "with '\($0.key)' turned" } + ["with all controls back"]
    typealias Row = (moment: String, stated: Int, measured: Double)
    var rows: [Row] = []
    for (index, moment) in moments.enumerated() {
      let output = try EquivalenceProbe.played(noise, through: sound)
      guard let stated = sound.statedLatencySamples else { return nil }
      func ending(_ samples: [Float]) -> Signal {
        Signal(Array(samples.suffix(noise.count / 2)), sampleRateHz: Self.rateHz)
      }
      let isTurned = index > 0 && index <= turns.count
      if isTurned, description.control(turns[index - 1].key).map(Self.delays) == true { continue }
      // A pitch that turned has no waveform to find again, and an echo as loud as its sound has two places.
      guard let late = try? WaveformDelay(of: ending(output), from: ending(noise.samples)),
        late.ambiguity <= WaveformDelay.maxAmbiguity
      else { continue }
      rows.append((moment, stated, late.delaySamples))
    }
    guard let first = rows.first, first.moment == moments[0] else {
      return .undefined(
        .equivalence, "latency", "its waveform at 0 semitones is not that of the input")
    }
    func words(_ row: Row) -> String {
      "\(row.moment) it states \(row.stated) samples and is \(fixed(row.measured)) late; at first it "
        + "stated \(first.stated) and was \(fixed(first.measured)) late"
    }
    func untold(_ row: Row) -> Double {
      row.measured - first.measured - Double(row.stated - first.stated)
    }
    let worst = rows.max { abs(untold($0)) < abs(untold($1)) }!
    if abs(untold(worst)) > Self.maxUntoldSamples {
      return ProbeFinding(.equivalence, "latency", untold(worst), "samples", .poor, words(worst))
    }
    let moved = rows.first { $0.stated != first.stated }
    return ProbeFinding(
      .equivalence, "latency", untold(worst), "samples", .good,
      moved.map(words)
        ?? "it states \(first.stated) samples and stays as late in \(rows.count) of \(moments.count) "
        + "settings of its controls; in others its waveform can't be found, or is meant to be late")
  }

  /// Returns true for a control that is there to delay the sound, as the time of an echo; a look-ahead is not.
  private static func delays(_ port: PluginDescription.Port) -> Bool {
    let words = "\(port.symbol) \(port.name)".lowercased()
    return ["delay", "echo", "time"].contains(where: words.contains)
      && !["look", "latency"].contains(where: words.contains)
  }

  /// A filter that turns moves a sound by less.
  private static let maxUntoldSamples = 2.0

  // MARK: Sound

  /// The first second of the voice.
  private var excerpt: Signal {
    Signal(Array(probe.voice.samples.prefix(48_000)), sampleRateHz: Self.rateHz)
  }

  private var turnedControls: [String: Double] { turnedControls(by: 1.0 / 3) }

  /// Returns all controls but a bypass, turned from their default towards the farther end of their range.
  private func turnedControls(by share: Double) -> [String: Double] {
    var values: [String: Double] = [:]
    for port in description.ports(.control) where port.bypassValue == nil {
      guard let low = port.minimum, let high = port.maximum, high > low else { continue }
      let preset = min(max(port.preset ?? low, low), high)
      let end = high - preset >= preset - low ? high : low
      values[port.symbol] = port.isSwitch ? low + high - preset : preset + share * (end - preset)
    }
    return values
  }

  private func started(
    blockSize: Int? = nil, semitones: Double? = nil,
    turningTo turns: [(atSeconds: Double, score: ResolvedScore)] = [],
    changing change: (inout HostSession) -> Void = { _ in }
  ) throws -> HostedSound {
    var settings = bench.settings
    if let blockSize { settings["blockSize"] = .number(Double(blockSize)) }
    return try plugin.start(
      semitones.map { bench.followingScore(noteHz: 220, semitones: $0) } ?? probe.score,
      settings: settings, sampleRateHz: Self.rateHz, turningTo: turns,
      changing: change)
  }

  private func number(_ value: Double) -> String { String(format: "%g", value) }
}
