import DSP
import Music

/// Plays a sequence on an instrument with keys, accurate to the sample.
///
/// An event falls on the sample nearest to its time. Every time is computed from the beginning, so
/// nothing drifts. Blocks are cut at events: any block size gives the same bits.
///
/// - Allocates: in `init` only.
public struct SequencePlayer: ~Copyable, @unchecked Sendable {
  /// Events that are played in a row, once or repeatedly.
  struct Section: BitwiseCopyable {
    var first: Int
    var end: Int
    var passes: Int
    /// Offset of the section's first pass from the times of its events.
    var offsetSeconds: Double
  }

  private let events: RealtimeArray<NoteEvent>
  private let sections: RealtimeArray<Section>
  private let loopSeconds: Double
  private let sampleRateHz: Double
  private var section = 0
  private var pass = 0
  private var place = 0
  private var now = 0

  /// - Parameter events: simultaneous ones in the order in which they are played. Events beyond 30
  ///   years, or at a time that is not a number, are ignored.
  public init(_ events: [NoteEvent], sampleRateHz: Double) {
    // Sorting keeps the order of equals.
    let sorted = events.filter { abs($0.atSeconds) < 1e9 }.sorted { $0.atSeconds < $1.atSeconds }
    self.init(
      sorted, [Section(first: 0, end: sorted.count, passes: 1, offsetSeconds: 0)],
      loopSeconds: 0, sampleRateHz: sampleRateHz)
  }

  public init(_ sequence: NoteSequence, sampleRateHz: Double) throws(SequenceError) {
    try sequence.validate()
    let loopSeconds: Double
    var (events, sections): ([NoteEvent], [Section]) = ([], [])
    func add(_ spans: [NoteSequence.Span], passes: Int = 1, offset: Double = 0) {
      let more = NoteSequence.events(of: spans)
      sections.append(
        Section(
          first: events.count, end: events.count + more.count, passes: passes,
          offsetSeconds: offset))
      events += more
    }
    let spans = sequence.spans
    if let loop = sequence.loop, loop.times != 1 {
      let start = sequence.seconds(atBeats: loop.fromBeats)
      let end = sequence.seconds(atBeats: loop.toBeats)
      loopSeconds = end - start
      let first = spans.filter { $0.start < end }
      let again = first.filter { $0.start >= start }
      func ending(_ span: NoteSequence.Span) -> NoteSequence.Span {
        var span = span
        span.end = min(span.end, end)
        span.bends.removeAll { $0.atSeconds >= end }
        return span
      }
      add(first.map(ending))
      if let times = loop.times {
        add(again.map(ending), passes: times - 2, offset: loopSeconds)
        add(spans.filter { $0.start >= start }, offset: Double(times - 1) * loopSeconds)
      } else {
        add(again.map(ending), passes: again.isEmpty ? 0 : .max, offset: loopSeconds)
      }
    } else {
      loopSeconds = 0
      add(spans)
    }
    self.init(events, sections, loopSeconds: loopSeconds, sampleRateHz: sampleRateHz)
  }

  private init(
    _ events: [NoteEvent], _ sections: [Section], loopSeconds: Double, sampleRateHz: Double
  ) {
    (self.loopSeconds, self.sampleRateHz) = (loopSeconds, sampleRateHz)
    self.events = RealtimeArray(events)
    self.sections = RealtimeArray(sections)
    skipEmpty()
  }

  /// True after the last event.
  public var isOver: Bool { @_noLocks get { section >= sections.count } }

  @_noLocks public mutating func reset() {
    (section, pass, place, now) = (0, 0, 0, 0)
    skipEmpty()
  }

  // MARK: Event by event

  /// Returns the number of samples until the next event: 0 if it is due, at most `limit`.
  @_noLocks public func samplesUntilNext(limit: Int) -> Int {
    guard !isOver else { return limit }
    let (section, event) = (sections[section], events[place])
    let seconds = event.atSeconds + section.offsetSeconds + Double(pass) * loopSeconds
    return min(max(nearestOf(seconds * sampleRateHz) - now, 0), limit)
  }

  /// Sends every event that is due. It locks only if the receiver does.
  @_semantics("no_performance_analysis")
  public mutating func tell<Receiver: KeyReceiver & ~Copyable>(
    _ receiver: inout Receiver
  ) {
    while !isOver, samplesUntilNext(limit: 1) == 0 {
      receiver.perform(events[place].action)
      place += 1
      skipEmpty()
    }
  }

  /// Advances the clock, but not beyond the next event.
  @_noLocks public mutating func advance(samples: Int) { now += samples }

  /// Moves from the end of a pass to the next event.
  @_noLocks private mutating func skipEmpty() {
    while section < sections.count {
      let here = sections[section]
      if pass < here.passes, here.first < here.end, place < here.end { return }
      if here.first < here.end, pass + 1 < here.passes {
        (pass, place) = (pass + 1, here.first)
        return
      }
      section += 1
      pass = 0
      if section < sections.count { place = sections[section].first }
    }
  }

  // MARK: Block by block

  /// Plays a sample player.
  @_semantics("no_performance_analysis")  // cutting a span is no lock, but the compiler can't tell
  public mutating func process(
    _ instrument: inout SamplePlayer, into output: inout MutableSpan<Float>
  ) {
    var start = 0
    while start < output.count {
      tell(&instrument)
      let end = start + samplesUntilNext(limit: output.count - start)
      var part = output._mutatingExtracting(start..<end)
      instrument.process(into: &part)
      advance(samples: end - start)
      start = end
    }
  }

  /// Plays a sample player in stereo.
  @_semantics("no_performance_analysis")
  public mutating func process(
    _ instrument: inout SamplePlayer, intoLeft left: inout MutableSpan<Float>,
    right: inout MutableSpan<Float>
  ) {
    precondition(left.count == right.count, "counts differ")
    var start = 0
    while start < left.count {
      tell(&instrument)
      let end = start + samplesUntilNext(limit: left.count - start)
      var leftPart = left._mutatingExtracting(start..<end)
      var rightPart = right._mutatingExtracting(start..<end)
      instrument.process(intoLeft: &leftPart, right: &rightPart)
      advance(samples: end - start)
      start = end
    }
  }

  /// Plays the keys of a processor: a harmonizer or a tuner.
  @_semantics("no_performance_analysis")
  public mutating func process<Processor: BlockProcessor & KeyReceiver & ~Copyable>(
    _ input: Span<Float>, through processor: inout Processor,
    into output: inout MutableSpan<Float>
  ) {
    precondition(input.count == output.count, "counts differ")
    var start = 0
    while start < input.count {
      tell(&processor)
      let end = start + samplesUntilNext(limit: input.count - start)
      var part = output._mutatingExtracting(start..<end)
      processor.process(input.extracting(start..<end), into: &part)
      advance(samples: end - start)
      start = end
    }
  }
}
