extension Reverb.Settings {
  /// Preset rooms by name, from small to large.
  public static let presets: [(name: String, settings: Reverb.Settings)] = [
    ("vocal booth", room(0.3, metres: 6, preDelayMs: 0, highDecay: 0.6)),
    ("small room", room(0.5, metres: 10, preDelayMs: 0, highDecay: 0.6)),
    ("chamber", room(1.0, metres: 13, preDelayMs: 4, highDecay: 0.55)),
    ("plate", room(1.6, metres: 17, preDelayMs: 0, lowDecay: 0.8, highDecay: 0.8)),
    ("medium hall", room(1.8, metres: 21, preDelayMs: 10, highDecay: 0.5)),
    ("large hall", room(2.6, metres: 30, preDelayMs: 15, lowDecay: 1.2, highDecay: 0.45)),
    ("cathedral", room(6.0, metres: 40, preDelayMs: 20, lowDecay: 1.2, highDecay: 0.3)),
  ]

  private static func room(
    _ decaySeconds: Double, metres: Double, preDelayMs: Double, lowDecay: Double = 1.1,
    highDecay: Double
  ) -> Reverb.Settings {
    var settings = Reverb.Settings()
    settings.decaySeconds = decaySeconds
    settings.roomMetres = metres
    settings.preDelayMs = preDelayMs
    settings.lowDecay = lowDecay
    settings.highDecay = highDecay
    return settings
  }
}
