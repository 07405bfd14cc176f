import AudioFile
import CommandSupport
import Foundation
import Harmonizer
import Instrument
import Music
import Platform

/// A running client with its recording: drained, shown and ended by the control thread.
final class LiveSession {
  /// The reason why a session ended.
  enum End {
    case time, interrupted
    case terminated
    case failed(any Error)
  }

  /// Figures of a session, for people and for `--json`.
  struct Summary: Encodable {
    var schema = "choir.live/1"
    var client: String
    var sampleRateHz: Double
    var blockSize: Int
    var seconds: Double
    var latencyMs: Double
    /// Periods that the server missed, whoever was late.
    var xruns: Int
    /// Blocks for which the client itself took too long.
    var lateBlocks: Int
    /// Longest block over its duration.
    var maxLoad: Double
    /// Allocations and locks of the process callback.
    var allocations: Int
    var droppedSamples: Int
    var recording: String?
    var recordedSeconds: Double?
    var truth: String?
  }

  let client: JackClient
  let engine: LiveInstrument
  private let presets: [Preset]
  private let controls: LiveControls
  private let stream: AudioFileStream?
  private var log: TruthLog
  private let truthPath: String?
  private(set) var view = LiveView.State()
  private let rateHz: Double
  private var held = HeldKeys()

  /// - Parameter recording: path of the file to record the output to; the truth log goes beside it.
  init(
    _ client: JackClient, _ engine: LiveInstrument, presets: [Preset], controls: LiveControls,
    recording: String?, truth: String?
  ) throws {
    (self.client, self.engine, self.presets, self.controls) = (client, engine, presets, controls)
    rateHz = client.sampleRateHz
    stream = try recording.map {
      try AudioFileStream(to: $0, channelCount: 2, sampleRateHz: client.sampleRateHz)
    }
    truthPath = truth
    // Program changes choose other choirs, whose latency and settings are their own.
    log = TruthLog(sampleRateHz: rateHz)
    if let choir = presets[0].harmonizer, presets.allSatisfy({ $0.harmonizer == choir }) {
      log = TruthLog(of: try Harmonizer(choir, sampleRateHz: rateHz), sampleRateHz: rateHz)
    }
    view.preset = presets[0].name
  }

  /// Runs until the time is over, a signal comes, or the server ends. Keeps the recording in any case.
  func run(seconds: Double?, show: (LiveView.State) -> Void) -> End {
    let stop = LiveStop()
    var end: End?
    while end == nil {
      usleep(50_000)
      do { try step() } catch { end = .failed(error) }
      if client.isGone { end = .failed(JackError.serverGone(reason: "")) }
      if let number = stop.signal { end = number == SIGINT ? .interrupted : .terminated }
      if let seconds, Double(engine.frameCount) >= seconds * rateHz { end = .time }
      show(view)
    }
    return end!
  }

  /// Takes over what the audio thread has left.
  private func step() throws {
    engine.player.collect()
    let input = engine.input.popAll()
    view.update(input, rateHz: rateHz)
    let output = engine.output.popAll()
    if let stream {
      let left = seconds.map { Int($0 * rateHz) - stream.frameCount } ?? .max
      try stream.write(interleaved: output.prefix(max(left, 0)).flatMap { [$0.x, $0.y] })
    }
    let moments = engine.truth.moments()
    if let last = moments.last?.startSample {
      view.voices = moments.filter { $0.startSample == last }.map(\.voice)
    }
    if truthPath != nil {
      for moment in moments { log.append(moment.voice, startSample: moment.startSample) }
    }
    for event in engine.events.popAll() { try perform(event) }
    if let moved { try engine.player.change(to: moved) }
    moved = nil
    view.load = max(view.load * 0.9, client.serverLoad)
    (view.maxLoad, view.xruns) = (client.maxLoad, client.xrunCount)
    view.seconds = Double(engine.frameCount) / rateHz
  }

  /// Length of the recording; unlimited unless set.
  var seconds: Double?

  /// The preset with what controllers have moved since the last step.
  private var moved: Preset?

  private func perform(_ event: JackMIDIEvent) throws {
    switch event.action {
    case .keys(.pedal), .bend, .resetControllers, nil: break
    case .control(let number, let value):
      moved = controls.moved(moved ?? engine.player.preset, number, to: value) ?? moved
    case .keys(let action): held.perform(action)
    case .silence: held.perform(.releaseAll)
    case .program(let number) where number < presets.count:
      let preset = presets[number]
      moved = nil
      try engine.player.change(to: preset)
      view.preset = preset.name
    case .program: break
    }
    view.keys = Set((0...127).filter { held.isSounding($0) })
  }

  /// Leaves the server and completes the recording.
  ///
  /// - Returns: the figures, and the end: a failure if the last sound could not be recorded.
  func finish(_ end: End) throws -> (Summary, End) {
    var end = end
    let (blockSize, xruns) = (client.blockSize, client.xrunCount)
    client.close()
    do { try step() } catch {
      if case .failed = end {} else { end = .failed(error) }
    }
    var recorded: Double?
    if let stream {
      if stream.frameCount == 0, case .failed(let cause) = end { throw cause }
      let clipped = try stream.finish()
      recorded = stream.durationSeconds
      Terminal.warnOfClipping(clipped, in: stream.path, "lower --dry, or record .wav")
      if let truthPath { try WholeFile.write(JSON.text(log), to: truthPath) }
    }
    let summary = Summary(
      client: client.name, sampleRateHz: rateHz, blockSize: blockSize,
      seconds: Double(engine.frameCount) / rateHz,
      latencyMs: Double(engine.player.latencySamples) / rateHz * 1000, xruns: xruns,
      lateBlocks: client.lateBlockCount,
      maxLoad: client.maxLoad, allocations: client.allocationCount,
      droppedSamples: engine.output.droppedCount + engine.input.droppedCount,
      recording: stream?.path, recordedSeconds: recorded,
      truth: stream == nil ? nil : truthPath)
    return (summary, end)
  }
}

/// Ctrl-C and SIGTERM as a wish to end.
final class LiveStop: @unchecked Sendable {
  private var sources: [any DispatchSourceSignal] = []
  private let queue = DispatchQueue(label: "live.stop")
  private var caught: Int32?

  init() {
    for number in [SIGINT, SIGTERM] {
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.caught = number }
      source.resume()
      sources.append(source)
    }
  }

  /// The signal that came.
  var signal: Int32? { queue.sync { caught } }
}
