import DSP
import Foundation
import Statistics

/// Finds the notes in the pitch of a voice.
///
/// 1. An unvoiced gap of `gapMs` or more separates notes; a shorter one is bridged. 2. Between
/// gaps, the pitch is approximated by steps. The area between pitch and steps, plus `changeCost`
/// for each change of step, is minimized. A vibrato of a semitone encloses less area than the
/// changes that would follow it cost; the notes of a run enclose more. 3. Neighbouring steps closer
/// than `minimumIntervalCents` are merged. 4. A step shorter than `minimumMs`, or one that rises or
/// falls steadily, is a slide. It is divided between its neighbours where that leaves the least
/// area; slides longer than `maxSlideMs` belong to no note.
///
/// - Input: any `PitchTrack`. Output: notes in order, without overlap.
/// - Cost: about 0.0001 of real time. Allocates.
/// - Source of 2: the L1 Potts functional, Storath, Weinmann and Unser, "Jump-penalized least
///   absolute values estimation of scalar or circle-valued signals", Information and Inference
///   6(3), 2017.
public struct NoteSegmenter: Sendable {
  /// Minimum duration of a note; shorter ones are slides.
  private static let minimumMs = 50.0
  /// Minimum unvoiced gap between two notes.
  private static let gapMs = 30.0
  /// Minimum interval between two notes that touch.
  private static let minimumIntervalCents = 60.0
  /// Cost of a change of pitch, in semitones times milliseconds. At 55, a vibrato of ±100 cents
  /// is one note from 3.5 Hz up. A note a semitone from its neighbours must last 55 ms on the way
  /// up or down, and 110 ms between two equal ones; larger intervals need proportionally less.
  private static let changeCost = 55.0
  /// Maximum duration of a slide that is divided between notes.
  private static let maxSlideMs = 300.0
  /// Minimum distance from its pitch at which a note begins with a glide.
  private static let glideCents = 50.0

  public init() {}

  public func notes(in track: PitchTrack) -> [Note] {
    phrases(of: track).flatMap { phrase in
      let semitones = track.f0Hz[phrase].map { $0 > 0 ? cents($0, over: 440) / 100 : nil }
      return notes(in: semitones, startingAt: phrase.lowerBound, hopSeconds: track.hopSeconds)
    }
  }

  /// The runs of frames between gaps; each begins and ends with a voiced frame.
  private func phrases(of track: PitchTrack) -> [Range<Int>] {
    let gap = Self.gapMs / 1000 / track.hopSeconds
    var phrases: [Range<Int>] = []
    for frame in track.f0Hz.indices where track.f0Hz[frame] > 0 {
      if let last = phrases.last, Double(frame - last.upperBound) < max(gap, 0.5) {
        phrases[phrases.count - 1] = last.lowerBound..<frame + 1
      } else {
        phrases.append(frame..<frame + 1)
      }
    }
    return phrases
  }

  /// The notes of one phrase.
  ///
  /// - Parameter contour: semitones above A4 at 440 Hz; `nil` in bridged gaps.
  private func notes(in contour: [Double?], startingAt start: Int, hopSeconds: Double) -> [Note] {
    func frames(_ ms: Double) -> Double { ms / 1000 / hopSeconds }
    let steps = NoteSegmenterSteps(changeCost: frames(Self.changeCost)).steps(of: contour)
    let held = merged(
      merged(steps, contour, withinFrames: 0).filter {
        Double($0.count) >= frames(Self.minimumMs) && !climbs(contour[$0])
      }, contour, withinFrames: frames(Self.minimumMs))
    guard !held.isEmpty else { return [] }
    let pitches = held.map { pitch(contour[$0]) }

    // The bounds of each held step's note, after the slides are divided.
    var bounds = held
    let maxSlide = Int(frames(Self.maxSlideMs))
    if held[0].lowerBound <= maxSlide { bounds[0] = 0..<held[0].upperBound }
    for next in held.indices.dropFirst() {
      let slide = held[next - 1].upperBound..<held[next].lowerBound
      guard slide.count <= maxSlide else { continue }
      let parting = parting(contour, slide, from: pitches[next - 1], to: pitches[next])
      bounds[next - 1] = bounds[next - 1].lowerBound..<parting
      bounds[next] = parting..<bounds[next].upperBound
    }
    if contour.count - held.last!.upperBound <= maxSlide {
      bounds[held.count - 1] = bounds.last!.lowerBound..<contour.count
    }
    return zip(bounds, pitches).map { bounds, pitch in
      var note = Note(
        // A frame covers half a hop to either side of its centre.
        onsetSeconds: max(0, Double(start + bounds.lowerBound) - 0.5) * hopSeconds,
        offsetSeconds: (Double(start + bounds.upperBound) - 0.5) * hopSeconds,
        pitchHz: 440 * exp2(pitch / 12))
      note.glide = glide(contour[bounds], to: pitch, hopSeconds: hopSeconds)
      return note
    }
  }

  /// The slide from the first pitch of a note to the first within `glideCents` of the note's own,
  /// or beyond it; `nil` if the first already is.
  private func glide(
    _ contour: ArraySlice<Double?>, to pitch: Double, hopSeconds: Double
  ) -> Note.Glide? {
    guard let begin = contour.firstIndex(where: { $0 != nil }), let first = contour[begin] else {
      return nil
    }
    let distance = first - pitch
    let near = Self.glideCents / 100
    let arrival = contour[begin...].firstIndex { frame in
      frame.map { abs($0 - pitch) <= near || ($0 - pitch) * distance < 0 } ?? false
    }
    guard abs(distance) > near, let arrival else { return nil }
    return Note.Glide(
      fromCents: 100 * distance, seconds: Double(arrival - contour.startIndex) * hopSeconds)
  }

  private func pitch(_ contour: ArraySlice<Double?>) -> Double {
    Statistics.median(contour.compactMap { $0 })!
  }

  /// Merges neighbours nearer than the minimum interval, the nearest first, across gaps of up to
  /// `withinFrames`.
  private func merged(
    _ steps: [Range<Int>], _ contour: [Double?], withinFrames gap: Double
  ) -> [Range<Int>] {
    var steps = steps
    while true {
      let distances = zip(steps, steps.dropFirst()).map { left, right in
        Double(right.lowerBound - left.upperBound) <= gap
          ? abs(pitch(contour[left]) - pitch(contour[right])) : .infinity
      }
      guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }),
        distances[nearest] < Self.minimumIntervalCents / 100
      else { return steps }
      steps[nearest] = steps[nearest].lowerBound..<steps[nearest + 1].upperBound
      steps.remove(at: nearest + 1)
    }
  }

  /// True if the pitch rises or falls steadily, by a semitone or more.
  ///
  /// Two conditions must hold. A straight line explains most of the variance, which excludes a
  /// cycle of vibrato. The middle is at least half as steep, which excludes a note held between two
  /// slides.
  private func climbs(_ contour: ArraySlice<Double?>) -> Bool {
    let points = contour.enumerated().compactMap { place, pitch in pitch.map { (place, $0) } }
    guard points.count >= 8 else { return false }
    let whole = Line(points)
    let middle = Line(Array(points[points.count / 4..<points.count - points.count / 4]))
    return abs(whole.slope) * Double(contour.count) >= 1 && whole.explained >= 0.8
      && middle.slope / whole.slope >= 0.5
  }

  /// The frame of `slide` that best separates pitches near `left` from those near `right`.
  private func parting(
    _ contour: [Double?], _ slide: Range<Int>, from left: Double, to right: Double
  ) -> Int {
    var (area, least, best) = (0.0, 0.0, slide.lowerBound)
    for frame in slide {
      if let pitch = contour[frame] { area += abs(pitch - left) - abs(pitch - right) }
      if area < least { (least, best) = (area, frame + 1) }
    }
    return best
  }
}

/// The least squares line through points.
private struct Line {
  let slope: Double
  /// Share of the variance that the line explains, 0 to 1.
  let explained: Double

  init(_ points: [(Int, Double)]) {
    let count = Double(points.count)
    let meanX = points.reduce(0.0) { $0 + Double($1.0) } / count
    let meanY = points.reduce(0.0) { $0 + $1.1 } / count
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for (x, y) in points {
      let (dx, dy) = (Double(x) - meanX, y - meanY)
      (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy)
    }
    slope = xx > 0 ? xy / xx : 0
    explained = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0
  }
}
