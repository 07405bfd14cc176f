import AudioFile
import DSP
import Testing

@Suite struct AudioFileTests {
  @Test func monoIsTheMeanOfTheChannels() {
    let file = AudioFile(channels: [[1, 0, -1], [0, 0.5, -1]], sampleRateHz: 44_100)
    #expect(file.mono == Signal([0.5, 0.25, -1], sampleRateHz: 44_100))
    #expect(file.channel(1) == Signal([0, 0.5, -1], sampleRateHz: 44_100))
  }

  /// A channel and its opposite cancel each other in the mean; a channel and silence do not.
  @Test func theLoudestChannelStandsForOnesThatCancel() {
    let voice: [Float] = [1, 0.5, -1]
    func channel(_ others: [Float]...) -> Int? {
      AudioFile(channels: others, sampleRateHz: 8000).voiceChannel
    }
    #expect(channel(voice.map { -0.9 * $0 }, voice) == 1)
    #expect(channel(voice, [0, 0, 0]) == nil && channel(voice, voice) == nil)
    #expect(channel(voice) == nil && channel([0, 0, 0], [0, 0, 0]) == nil)
    // Without anything in common, and half a period apart but for the second harmonic.
    #expect(channel([1, 0, 1, 0], [0, 1, 0, -1]) == nil)
    #expect(channel([1, 0.4, -1, 0.4], [-1, 0.4, 1, 0.4]) == 0)
  }

  @Test func monoOfOneChannelIsThatChannel() {
    let signal = Signal([0.1, -0.2], sampleRateHz: 8000)
    #expect(AudioFile(signal).mono == signal)
  }

  @Test func onlyWhatClipsIsScaledDown() {
    let full = Signal([0.9995, -1], sampleRateHz: 8000)
    #expect(full.withoutClipping == full)
    let loud = Signal([1, -2], sampleRateHz: 8000)
    #expect(loud.withoutClipping.samples == [0.4995, -0.999])
  }

  @Test func lengthCountsFramesAndNotSamples() {
    let file = AudioFile(
      channels: Array(repeating: Array(repeating: 0, count: 4000), count: 3), sampleRateHz: 8000)
    #expect(file.frameCount == 4000)
    #expect(file.durationSeconds == 0.5)
  }

  @Test(arguments: [
    ("a.wav", AudioFormat.wav), ("B.WAV", .wav), ("x/y.z/c.aif", .aiff), ("d.ogg", .vorbis),
    ("e.opus", .opus), ("f.mp3", .mp3), ("g.flac", .flac), ("h.CAF", .caf),
    ("i.snd", .au), ("j.w64", .w64), ("k.m4a", .foreign), ("l.aac", .foreign),
  ])
  func theNameTellsTheFormat(path: String, format: AudioFormat) {
    #expect(AudioFormat(extensionOf: path) == format)
  }

  @Test(arguments: ["wav", ".wav", "a.txt", "folder.wav/a", "a."])
  func aNameWithoutAKnownExtensionHasNoFormat(path: String) {
    #expect(AudioFormat(extensionOf: path) == nil)
  }
}
