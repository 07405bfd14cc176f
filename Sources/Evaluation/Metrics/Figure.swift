extension Metric {
  /// The definition of a figure, which stands once: its name, unit, direction and text, and the change
  /// that matters to a listener.
  ///
  /// Runs and comparisons of two sounds, documents, grades and gates take it from here.
  public struct Figure: Sendable {
    public let id: String
    /// Version; raised whenever known inputs get other values.
    public let version: Int
    public let unit: String
    public let direction: Direction
    /// Summary in one line; it begins with a title.
    public let summary: String
    /// Minimum effect: the smallest change that matters, in the figure's unit. It is `nil` for cost and
    /// for a figure that only describes, as the rate of a tremolo says nothing about its depth.
    public let minimumEffect: Double?
    /// Best value of a figure without direction: 1 for a formant's ratio, 0 for a bias. It is `nil`
    /// for figures with a direction and for those that only describe.
    public let ideal: Double?

    /// - Parameters:
    ///   - effect: minimum effect, if it is not that of the unit.
    ///   - ideal: best value of a figure without direction, if it is not 1 for a ratio and 0 otherwise.
    ///   - describes: true if it describes a property without measuring how much of it there is.
    init(
      _ id: String, version: Int = 1, unit: String, _ direction: Direction, _ summary: String,
      effect: Double? = nil, ideal: Double? = nil, describes: Bool = false
    ) {
      (self.id, self.version, self.unit) = (id, version, unit)
      (self.direction, self.summary) = (direction, summary)
      minimumEffect = describes ? nil : effect ?? Self.minimumEffects[unit]
      self.ideal = describes || direction != .target ? nil : ideal ?? (unit == "ratio" ? 1 : 0)
    }

    /// Minimum effects by unit:
    /// - 2 cents: the difference limen of trained listeners for complex tones, 0.1 to 0.2 % (Moore,
    ///   "An Introduction to the Psychology of Hearing", chapter 6);
    /// - 2 %: just above the smallest audible shift of a formant of a steady vowel, 1.5 % at best
    ///   (Kewley-Port and Watson, "Formant-frequency discrimination for isolated English vowels",
    ///   1994);
    /// - 0.5 dB: the just audible change of level (Jesteadt, Wier and Green, 1977);
    /// - 0.5 dB/octave: a sixth of what is just noticed (docs/reference/metrics.md#audibility); another
    ///   starting phase of the grains of `scripts/bench/gate-trials` moves it by up to 0.46;
    /// - 0.25 ms: twelve samples at 48 kHz, far below audibility and above the error of alignment;
    /// - a share of 0.01: one frame in a hundred;
    /// - 0.2 of a count: one event more in one of five recordings;
    /// - LU as dB; dBFS, ratio, Hz and asper are choices of this project.
    private static let minimumEffects = [
      "cents": 2, "%": 2, "dB": 0.5, "LU": 0.5, "dB/octave": 0.5, "dBFS": 3, "ms": 0.25,
      "share": 0.01, "ratio": 0.02, "Hz": 0.25, "asper": 0.05, "count": 0.2,
    ]
  }
}
