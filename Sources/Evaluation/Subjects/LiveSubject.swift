import Corpus
import Effects
import Harmonizer
import HostProtocol
import Music

/// A subject that runs block by block and can be timed as on an audio thread: one of this package, or a
/// plugin in its host.
public protocol LiveSubject: Subject {
  /// Starts a running instance.
  ///
  /// - Throws: an error if the settings are invalid, or if their engine needs the whole recording.
  func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound
}

/// A running subject.
public protocol LiveSound: AnyObject {
  var latencySamples: Int { get }
  /// Returns to the state after the start.
  func reset()
  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>)
  /// The work of the last call, or of the start, if another process did it; `nil` for this one.
  var workElsewhere: BlockWork? { get }
  /// The failure after which the sound is silent; `nil` if there was none.
  var failure: (any Error)? { get }
  /// Memory that its process has allocated and not freed; `nil` for this process.
  var heapBytes: Int? { get }
}

extension LiveSound {
  public var workElsewhere: BlockWork? { nil }
  public var failure: (any Error)? { nil }
  public var heapBytes: Int? { nil }

  /// Returns the answer to a sound, processed block by block.
  ///
  /// - Parameter length: returns the length of the block that begins at a sample.
  /// - Throws: `failure`.
  public func played(
    _ input: [Float], length: (_ start: Int) -> Int = { _ in 128 }
  ) throws -> [Float] {
    var output = [Float](repeating: 0, count: input.count)
    var target = output.mutableSpan
    var start = 0
    while start < input.count {
      let range = start..<min(start + length(start), input.count)
      var part = target._mutatingExtracting(range)
      process(input.span.extracting(range), into: &part)
      start = range.upperBound
    }
    if let failure { throw failure }
    return output
  }
}

/// A running choir with its score.
final class LiveChoir: LiveSound {
  private var choir: ScoredChoir

  init(_ choir: consuming ScoredChoir) { self.choir = choir }

  var latencySamples: Int { choir.latencySamples }
  func reset() { choir.rewindToTime() }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    var right = MutableSpan<Float>()
    var stems = MutableSpan<Float>()
    choir.process(input, intoLeft: &output, right: &right, stems: &stems)
  }
}

/// A running tuner whose keys change at the starts of blocks.
final class LiveTuner: LiveSound {
  private var tuner: AutoTuner
  private let events: [NoteEvent]
  private let sampleRateHz: Double
  private var played = 0
  private var now = 0

  init(_ tuner: consuming AutoTuner, playing events: [ScoreEvent], sampleRateHz: Double) {
    self.tuner = tuner
    (self.events, self.sampleRateHz) = (NoteEvent.onOneKeyboard(events), sampleRateHz)
  }

  var latencySamples: Int { tuner.latencySamples }

  func reset() {
    tuner.reset()
    (played, now) = (0, 0)
  }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    while played < events.count, events[played].atSeconds * sampleRateHz <= Double(now) {
      tuner.perform(events[played].action)
      played += 1
    }
    tuner.process(input, into: &output)
    now += input.count
  }
}

/// A running subject followed by an effects rack, which processes both channels of the centred voice.
final class LiveEffects: LiveSound {
  private let source: any LiveSound
  private let rack: EffectsRack
  private var middle: [Float] = []

  init(_ source: any LiveSound, _ rack: EffectsRack) { (self.source, self.rack) = (source, rack) }

  var latencySamples: Int { source.latencySamples + rack.latencySamples }

  func reset() {
    source.reset()
    rack.reset()
  }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    // Grows with the first block only.
    if middle.count < input.count { middle = [Float](repeating: 0, count: input.count) }
    var held: [Float] = []
    swap(&held, &middle)
    defer { swap(&held, &middle) }
    var whole = held.mutableSpan
    var part = whole._mutatingExtracting(0..<input.count)
    source.process(input, into: &part)
    rack.process(part.span, into: &output)
  }
}
