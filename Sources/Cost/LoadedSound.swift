import Subjects

/// A live sound that costs a known share more: beside its own blocks a twin goes on, at a slower
/// pace, with what was heard at first, for nobody to hear. What comes out is the same.
final class LoadedSound: LiveSound {
  private let source: any LiveSound
  private let twin: any LiveSound
  private let share: Double
  private var owedSamples = 0.0
  /// What the twin hears, over and over.
  private var heard: [Float]
  private var kept = 0
  private var place = 0
  private var unheard: [Float]

  /// - Parameters:
  ///   - twin: of the same making.
  ///   - mostSamples: that are kept to be heard again; at least a block.
  init(_ source: any LiveSound, twin: any LiveSound, share: Double, mostSamples: Int) {
    (self.source, self.twin, self.share) = (source, twin, share)
    heard = [Float](repeating: 0, count: mostSamples)
    unheard = heard
  }

  var latencySamples: Int { source.latencySamples }

  /// The twin goes on where it was, so that in time it does all of a sound that is played again.
  func reset() { source.reset() }

  func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    source.process(input, into: &output)
    keep(input)
    owedSamples += share * Double(input.count)
    while owedSamples >= Double(input.count), kept >= input.count {
      owedSamples -= Double(input.count)
      if place + input.count > kept { place = 0 }
      let (part, sound) = (place..<place + input.count, heard)
      var target = unheard.mutableSpan
      var ear = target._mutatingExtracting(0..<input.count)
      twin.process(sound.span.extracting(part), into: &ear)
      place += input.count
    }
  }

  private func keep(_ input: Span<Float>) {
    let room = min(input.count, heard.count - kept)
    for i in 0..<room { heard[kept + i] = input[i] }
    kept += room
  }
}
