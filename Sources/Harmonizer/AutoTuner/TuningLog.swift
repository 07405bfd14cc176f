/// Decisions of an auto-tuner, instant by instant: the truth that its output is judged by.
public struct TuningLog: Codable, Equatable, Sendable {
  /// A stretch of the input on one note.
  public struct Note: Codable, Equatable, Sendable {
    public var key: Int
    public var targetHz: Double
    /// The first instant on the note, and the last.
    public var startSample: Int
    public var endSample: Int
  }

  public let sampleRateHz: Double
  /// Delay from input to output.
  public let latencySamples: Int
  public private(set) var notes: [Note] = []
  public private(set) var moments: [TuningMoment] = []

  public init(of tuner: borrowing AutoTuner) {
    (sampleRateHz, latencySamples) = (tuner.sampleRateHz, tuner.latencySamples)
  }

  /// Notes what `tuner` has decided since it was last asked. Allocates.
  public mutating func record(_ tuner: inout AutoTuner) {
    while let moment = tuner.nextMoment() { add(moment) }
  }

  /// - Parameter moment: after all that are there.
  mutating func add(_ moment: TuningMoment) {
    let before = moments.last?.key
    moments.append(moment)
    guard let key = moment.key, let targetHz = moment.targetHz else { return }
    if key == before, let last = notes.indices.last {
      notes[last].endSample = moment.sample
    } else {
      notes.append(
        Note(key: key, targetHz: targetHz, startSample: moment.sample, endSample: moment.sample))
    }
  }
}

/// Decision of an auto-tuner for one instant of the sound.
public struct TuningMoment: Codable, Equatable, Sendable, BitwiseCopyable {
  /// Sample of the input; the output has it later by the tuner's latency.
  public var sample: Int
  /// Pitch that the tracker estimated; 0 where there was no voice.
  public var leadHz: Double
  /// The note that the voice was on, and its frequency; `nil` where none.
  public var key: Int?
  public var targetHz: Double?
  /// Shift of the voice; positive is up.
  public var correctionCents: Double

  @_noLocks init(
    sample: Int, leadHz: Double, key: Int?, targetHz: Double?, correctionCents: Double
  ) {
    (self.sample, self.leadHz, self.correctionCents) = (sample, leadHz, correctionCents)
    (self.key, self.targetHz) = (key, targetHz)
  }
}
