import DSP

extension Subject {
  /// Renders a request after a silence of `LeadIn.seconds`, which is cut off again, as every cell is rendered.
  ///
  /// A file may begin in the midst of a voice. A singer never does, so what a subject makes of such a beginning
  /// says nothing about it. Sounds that were rendered elsewhere stay as they are.
  package func renderAfterSilence(_ request: RenderRequest) throws -> Rendering {
    guard !wasRenderedElsewhere else { return try render(request) }
    return try LeadIn(request, seconds: LeadIn.seconds).rendering(by: self)
  }
}

/// A request with silence before its sound.
///
/// A score that follows the clock would be played early, so such a request stays as it is.
struct LeadIn {
  /// Longer than the windows with which the engines of this package begin. Other lengths were not tried. What it
  /// changes is in docs/notes/gate.md#silence-first.
  static let seconds = 0.1

  var request: RenderRequest
  private let count: Int

  init(_ request: RenderRequest, seconds: Double) {
    self.request = request
    let rateHz = request.signal.sampleRateHz
    count = request.score.followsLead ? Int(seconds * rateHz) : 0
    guard count > 0 else { return }
    let silence = Double(count) / rateHz
    func later(_ score: ResolvedScore) -> ResolvedScore {
      ResolvedScore(score.score, lead: score.lead.preceded(bySilenceOf: silence))
    }
    self.request.signal.samples.insert(contentsOf: repeatElement(0, count: count), at: 0)
    self.request.score = later(request.score)
    self.request.turns = request.turns.map { ($0.atSeconds + silence, later($0.score)) }
  }

  /// Renders the request, and cuts the silence off with its share of the processor time. The times of logs would
  /// be those of the longer sound.
  func rendering(by subject: any Subject) throws -> Rendering {
    var rendering = try subject.render(request)
    guard count > 0 else { return rendering }
    rendering.changeSounds { $0.dropFirst(count) }
    let share = Double(request.signal.count - count) / Double(request.signal.count)
    rendering.cpuSeconds = rendering.cpuSeconds.map { $0 * share }
    (rendering.truthLog, rendering.tuningLog) = (nil, nil)
    return rendering
  }
}

extension Rendering {
  /// Changes the samples of the mix, its sides and the stems. A wrong length stays wrong, so that it is found.
  mutating func changeSounds(_ change: ([Float]) -> some Sequence<Float>) {
    func changed(_ sound: Signal) -> Signal {
      Signal(Array(change(sound.samples)), sampleRateHz: sound.sampleRateHz)
    }
    mix = changed(mix)
    stems = stems.map(changed)
    stereo = stereo.map { StereoSound(left: changed($0.left), right: changed($0.right)) }
  }
}
