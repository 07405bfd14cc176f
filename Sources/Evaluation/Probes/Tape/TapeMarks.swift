import Analyzer
import DSP
import Foundation
import Platform
import Statistics

/// The marks of a tape in some channels of a recording.
struct TapeMarks {
  private let channels: [Signal]
  private let sheet: TapeSheet
  private let search: MarkSearch

  init(in channels: [Signal], of sheet: TapeSheet) {
    (self.channels, self.sheet) = (channels, sheet)
    search = MarkSearch(in: channels)
  }

  // MARK: The tape's own clock

  /// Smallest dropout that is looked for among marks found by their envelope, which shifters move by some
  /// milliseconds. Those found by their waveform are exact.
  static let minStep = (envelope: 0.015, waveform: 0.001)
  /// Marks that follow each other and identify a tape of which the rest is missing: fewer are enough if
  /// the recording has no others.
  private static let minNeighbours = (alone: 3, besideOthers: 5)
  /// Share of the marks that identifies a tape; nearly all if the speed is wrong as well.
  private static let minShare = (atSpeed: 0.66, atAny: 0.9)
  private static let maxSpeedError = 0.01

  /// Finds the marks and their clock.
  ///
  /// - Parameter mayRepeat: true if a second copy of the tape is an echo of the system's.
  /// - Throws: a `Refusal` if this is no recording of the tape, or not all of it.
  func fit(mayRepeat: Bool) throws -> MarkFit {
    let candidates = search.candidates()
    let certain = MarkFit.matched(candidates, to: sheet.marks)
    let extended = MarkFit.extended(certain, candidates, sheet.marks)
    let repetition = mayRepeat ? nil : repetition(of: certain)
    guard isTape(extended, among: candidates) else { throw stranger(candidates, repetition) }
    if let repetition { throw repetition }
    let found = MarkFit.completed(extended, candidates, sheet.marks)
    var fit = MarkFit(found, marks: sheet.marks, minStep: Self.minStep.envelope)
    // The second time, the mark is as long as this clock made it.
    var speed = 1.0
    for _ in 0..<2 {
      guard let exact = exactly(found, speed: speed) else { break }
      fit = MarkFit(exact, marks: sheet.marks, minStep: Self.minStep.waveform)
      speed = fit.speed
    }
    guard abs(fit.speed - 1) <= Self.maxSpeedError else {
      throw Refusal(Self.wrongSpeed(fit.speed))
    }
    if let problem = gap(found, fit) { throw Refusal(problem) }
    return fit
  }

  /// Returns whether marks lie as those of this tape. A few of another may, by chance and at some speed.
  private func isTape(_ found: [MarkFit.Found], among candidates: [MarkSearch.Candidate]) -> Bool {
    let found = found.filter { $0.correlation > MarkSearch.chanceCorrelation }
    guard found.count >= 3, let first = found.first, let last = found.last else { return false }
    let share = Double(found.count) / Double(sheet.marks.count)
    let speed = MarkFit.speed(of: found, sheet.marks)
    if share >= Self.minShare.atAny || Self.isTape(shareOfMarks: share, speed: speed) {
      return true
    }
    guard Self.isNearSpeed(speed) else { return false }
    let others =
      candidates.count { $0.correlation >= MarkSearch.clearCorrelation }
      - found.count { $0.correlation >= MarkSearch.clearCorrelation }
    let needed = others > 0 ? Self.minNeighbours.besideOthers : Self.minNeighbours.alone
    return found.count >= needed && last.mark - first.mark == found.count - 1
  }

  /// Returns whether marks that were found at a speed identify the tape.
  static func isTape(shareOfMarks share: Double, speed: Double) -> Bool {
    share >= minShare.atSpeed && isNearSpeed(speed)
  }

  private static func isNearSpeed(_ speed: Double) -> Bool {
    abs(speed - 1) <= 1.5 * maxSpeedError
  }

  // MARK: The system behind the dry channel

  /// Longest delay of a system.
  private static let maxDelaySeconds = 1.0

  /// Finds the marks again that another channel has.
  func fit(behind clock: MarkFit) throws -> MarkFit {
    // All marks: the waveform of one that the clock leaves out may have been spoilt.
    let half = Self.maxDelaySeconds / 2
    let found = sheet.marks.enumerated().compactMap { mark, time in
      search.best(
        nearSeconds: clock.recordedSeconds(ofTape: time) + half - 0.05, withinSeconds: half
      ).map {
        MarkFit.Found(mark: mark, atSeconds: $0.atSeconds, correlation: $0.correlation)
      }
    }
    guard found.count >= 2 else {
      throw Refusal(
        "the dry channel has the tape, but the others have no mark of it; check that the system's "
          + "output is recorded, and that it is not muted")
    }
    let fit = MarkFit(found, marks: sheet.marks, minStep: Self.minStep.envelope)
    if let problem = gap(found, fit) { throw Refusal(problem) }
    return fit
  }

  /// Returns where the envelope of a mark lies, by the same search in any channel.
  func envelopeSeconds(ofMark mark: Int, _ fit: MarkFit) -> Double {
    let time = fit.recordedSeconds(ofTape: sheet.marks[mark])
    return search.best(nearSeconds: time, withinSeconds: 0.05)?.atSeconds ?? time
  }

  // MARK: Waveforms

  /// Sound around a mark in which its waveform is looked for.
  private static let marginSeconds = 0.05
  /// Share of the marks whose waveform must come out to be used.
  private static let minExactShare = 0.8

  /// Returns the delay of a mark's waveform from a place; `nil` if it does not come out.
  private func waveform(of found: MarkFit.Found, _ mark: Signal) -> WaveformDelay? {
    let rateHz = mark.sampleRateHz
    let margin = Int(Self.marginSeconds * rateHz)
    let first = Int(found.atSeconds * rateHz) - margin
    let silence = [Float](repeating: 0, count: margin)
    let sent = Signal(silence + mark.samples + silence, sampleRateHz: rateHz)
    return channels.compactMap { channel in
      let range = first..<first + sent.count
      let samples = range.map { channel.samples.indices.contains($0) ? channel.samples[$0] : 0 }
      return try? WaveformDelay(
        of: Signal(samples, sampleRateHz: rateHz), from: sent,
        longestMs: Self.marginSeconds * 1000)
    }.max { abs($0.correlation) < abs($1.correlation) }
  }

  /// The mark as it is recorded by a clock; its middle stays where it is.
  private func mark(speed: Double) -> Signal {
    let mark = TapeMark.sound(rateHz: channels[0].sampleRateHz)
    let half = TapeMark.seconds / 2
    return abs(speed - 1) > Self.maxSpeedError
      ? mark : mark.delayed { ($0 - half) * (1 - 1 / speed) }
  }

  /// Returns the marks where their waveforms lie; `nil` if too few come out.
  private func exactly(_ found: [MarkFit.Found], speed: Double) -> [MarkFit.Found]? {
    let mark = mark(speed: speed)
    let exact = found.compactMap { found -> MarkFit.Found? in
      guard let waveform = waveform(of: found, mark) else { return nil }
      var exact = found
      let start = (found.atSeconds * mark.sampleRateHz).rounded(.down) / mark.sampleRateHz
      exact.atSeconds = start + waveform.delayMs / 1000
      return exact
    }
    return Double(exact.count) >= Self.minExactShare * Double(found.count) && exact.count >= 2
      ? exact : nil
  }

  /// True if most marks are inverted, false if most are not; `nil` if their waveforms don't come out.
  func isInverted(_ fit: MarkFit) -> Bool? {
    let mark = mark(speed: fit.speed)
    let signs = fit.found.compactMap { waveform(of: $0, mark)?.correlation }
    guard Double(signs.count) >= Self.minExactShare * Double(fit.found.count) else { return nil }
    return signs.count { $0 < 0 } * 2 > signs.count
  }

  // MARK: What is wrong

  /// Speeds at which a tape is looked for, from half to twice: marks correlate by 0.77 at 3 % beside each.
  private static let otherSpeeds = (-12...12).filter { $0 != 0 }.map { pow(1.06, Double($0)) }

  /// Says what a recording is that is not one of this tape.
  private func stranger(_ candidates: [MarkSearch.Candidate], _ repetition: Refusal?) -> Refusal {
    let rateHz = channels[0].sampleRateHz
    guard channels.contains(where: { $0.rms > 1e-5 }) else {
      return Refusal("is silent; check the cable, the channel and the level of the recorder")
    }
    func speed(in channels: [Signal]) -> Double? {
      let candidates = MarkSearch(in: channels).candidates()
        .filter { $0.correlation >= MarkSearch.clearCorrelation }
      let found = MarkFit.matched(candidates, to: sheet.marks)
      return isTape(found, among: candidates) ? MarkFit.speed(of: found, sheet.marks) : nil
    }
    for other in Self.otherSpeeds {
      let slower = channels.map { Signal($0.samples, sampleRateHz: other * rateHz) }
      if let rest = speed(in: slower) { return Refusal(Self.wrongSpeed(other * rest)) }
    }
    if speed(in: channels.map { Signal($0.samples.reversed(), sampleRateHz: rateHz) }) != nil {
      return Refusal("plays the tape backwards; play it, or the recording, forwards")
    }
    if let repetition { return repetition }
    if let percent = lostPercent(candidates) {
      return Refusal(
        "lacks sound in many places: its marks are up to \(fixed(percent, 0)) % closer than on the tape; "
          + "record with larger buffers and nothing else running")
    }
    let strong = candidates.filter { $0.correlation >= MarkSearch.clearCorrelation }
    if strong.count >= 3 {
      return Refusal(
        "is a recording of another tape, or lacks much sound: it has marks at "
          + "\(Self.places(strong.map(\.atSeconds))), whose distances are not those of this sheet; name the "
          + "sheet that was made with the tape, or record with larger buffers")
    }
    return Refusal(
      "has no marks of a tape\(strong.isEmpty ? "" : " beside \(counted(strong.count, "mark"))"): it holds "
        + "other sound, other sound covers the marks, or much sound is lost; record the tape alone from its "
        + "beginning, without noise suppression and echo cancellation")
  }

  private func repetition(of found: [MarkFit.Found]) -> Refusal? {
    let candidates = search.candidates(apartSeconds: TapeMark.burstSeconds)
    return MarkFit.secondStart(beside: found, candidates, sheet.marks).map { later in
      Refusal(
        "has the tape twice at once, \(fixed(abs(later), 2)) s apart; record one playback, without the "
          + "monitor's sound, or add --by-cable if the system itself repeats what it plays")
    }
  }

  /// Share of the time between two marks that a recorder may lose. Of another tape, distances are as often
  /// longer as shorter.
  private static let maxLostShare = 0.1

  /// Returns by how much the marks are closer than on the tape, in percent, where lost sound explains all
  /// distances; `nil` if it does not.
  private func lostPercent(_ candidates: [MarkSearch.Candidate]) -> Double? {
    let marks = sheet.marks
    /// The chain of most marks that ends at a candidate, by the mark that the candidate is.
    var chains = candidates.map { _ in
      [(count: Int, lost: Double)](repeating: (1, 0), count: marks.count)
    }
    for (place, candidate) in candidates.enumerated() {
      for mark in marks.indices {
        for (earlier, neighbour) in candidates[..<place].enumerated() {
          for before in max(0, mark - 2)..<mark {
            let distance = marks[mark] - marks[before]
            let lost = 1 - (candidate.atSeconds - neighbour.atSeconds) / distance
            let chain = chains[earlier][before]
            if lost * distance > -Self.minStep.envelope, lost < Self.maxLostShare,
              chain.count >= chains[place][mark].count
            {
              chains[place][mark] = (chain.count + 1, max(chain.lost, lost))
            }
          }
        }
      }
    }
    let best = chains.joined().max { $0.count < $1.count }
    guard let best, Double(best.count) >= Self.minShare.atSpeed * Double(marks.count) else {
      return nil
    }
    return best.lost * 100
  }

  private static func wrongSpeed(_ speed: Double) -> String {
    let percent = fixed(abs(1 / speed - 1) * 100, 1)
    return
      "plays the tape \(percent) % too \(speed < 1 ? "fast" : "slow"), and at most 1 % is corrected; "
      + "set player and recorder to one sample rate (a file of 44.1 kHz played at 48 kHz is 8.8 % fast)"
  }

  /// Says which marks are missing, and why; `nil` if nearly all are there. `lost` of the middle are those
  /// of parts that are left out.
  private func gap(_ found: [MarkFit.Found], _ fit: MarkFit) -> String? {
    let (first, last) = (found[0].mark, found[found.count - 1].mark)
    func time(_ mark: Int) -> Double { fit.recordedSeconds(ofTape: sheet.marks[mark]) }
    if first > 0 {
      return time(0) < 0
        ? "begins \(fixed(-time(0))) s after the tape's first mark; start the recorder before the player"
        : "lacks the first \(counted(first, "mark")), to \(fixed(time(first))) s: the system was muted or "
          + "asleep; let it run before the tape starts"
    }
    if last < sheet.marks.count - 1 {
      let missing = counted(sheet.marks.count - 1 - last, "mark")
      let recorded = channels.map(\.durationSeconds).max() ?? 0
      if time(last + 1) + TapeMark.seconds > recorded {
        return "ends at \(fixed(recorded)) s, before the last \(missing) of the tape; record all "
          + "\(fixed(sheet.durationSeconds)) s"
      }
      let after = time(last + 1)..<recorded
      let level = TapeLevels.rms(channels, after)
      let marks = TapeLevels.rms(channels, time(last)..<time(last) + TapeMark.seconds)
      // Music with marks too weak to find is not silence: 40 dB below a mark is.
      return level < marks / 100
        ? "is silent from \(fixed(time(last + 1))) s on, if not before: the system went to sleep, or its "
          + "playback stopped; keep it awake"
        : "lacks the last \(missing), from \(fixed(time(last + 1))) s; play the tape to its end, and "
          + "switch off whatever changes the sound over time"
    }
    let missing = sheet.marks.indices.filter { mark in !found.contains { $0.mark == mark } }
    // A slip in ten is no fault of the recorder.
    guard missing.count > max(1, sheet.marks.count / 10) else { return nil }
    return
      "lacks \(missing.count) of \(sheet.marks.count) marks, at \(Self.places(missing.map(time))); the "
      + "sound breaks off there, or something else is in it: record again without other programs"
  }

  private static func places(_ seconds: [Double]) -> String {
    let shown = seconds.prefix(5).map { fixed($0) }.joined(separator: ", ")
    return shown + (seconds.count > 5 ? ", …" : "") + " s"
  }
}
