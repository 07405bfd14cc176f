extension Vocoder {
  /// Predicted delay of the vocoder, to compare with measurements: the same for every pitch and
  /// shift.
  ///
  /// - Source: derived in `docs/reference/engines.md`.
  public struct Law: Equatable, Sendable {
    public let settings: Settings

    public init(_ settings: Settings) { self.settings = settings }

    /// Half a window until a frame has heard enough, half of the part that is heard (its middle, whole
    /// hops), and the hop in which its work is done.
    public var delayMs: Double {
      let overlap = Double(settings.overlap)
      let heard = (overlap / 2).rounded(.down) / overlap
      return settings.windowMs * (0.5 + heard / 2 + 1 / overlap)
    }
  }
}
