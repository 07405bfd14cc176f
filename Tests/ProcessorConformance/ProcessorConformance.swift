import AllocationProbe
import DSP

/// Checks a processor against the contract of `BlockProcessor`.
///
/// Each function returns its findings as text, none if the contract holds, so that a test reads
/// `#expect(conformance.findings() == [])`.
public struct ProcessorConformance<Processor: BlockProcessor & ~Copyable> {
  /// Maximum difference in samples between the stated and the measured mean delay.
  public var latencyTolerance = 1.0
  /// Maximum time in samples for which the output may differ after a bad input sample.
  public var recoverySamples = 48_000
  public var sampleRateHz = 48_000.0

  private let make: () throws -> Processor

  public init(_ make: @escaping () throws -> Processor) { self.make = make }

  /// Checks all but the latency, whose measurement depends on the processor's effect on sound.
  public func findings() throws -> [String] {
    try blockSizeFindings() + resetFindings() + finiteFindings() + realtimeFindings()
  }

  /// Checks that any block size gives the same bits.
  public func blockSizeFindings() throws -> [String] {
    let input = testSignal()
    var whole = try make()
    let expected = whole.render(input, blockSize: input.count)
    return try [1, 7, 64, 128, 1000].compactMap { size in
      var processor = try make()
      let output = processor.render(input, blockSize: size)
      return difference(expected, output).map { "blocks of \(size) differ at sample \($0)" }
    }
  }

  /// Checks that `reset` equals a fresh processor.
  public func resetFindings() throws -> [String] {
    let input = testSignal()
    var processor = try make()
    let fresh = processor.render(input)
    processor.reset()
    let again = processor.render(input)
    return difference(fresh, again).map { ["after reset, sample \($0) differs"] } ?? []
  }

  /// Checks that the output stays finite for any input, and recovers.
  public func finiteFindings() throws -> [String] {
    let clean = testSignal() + testSignal() + testSignal()
    var reference = try make()
    let expected = reference.render(clean)
    return try [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude].flatMap { bad in
      var input = clean
      input[1000] = bad
      var processor = try make()
      let output = processor.render(input)
      var found: [String] = []
      if let at = output.firstIndex(where: { !$0.isFinite }) {
        found.append("an input of \(bad) makes sample \(at) \(output[at])")
      }
      let settled = 1000 + recoverySamples
      if difference(Array(expected[settled...]), Array(output[settled...])) != nil {
        found.append("an input of \(bad) is still heard \(recoverySamples) samples later")
      }
      return found
    }
  }

  /// Checks that `process` and `reset` neither allocate nor lock, from the first block on.
  ///
  /// Another processor works first: the runtime describes a generic type where a program first uses
  /// it, which allocates once. Under sanitizers nothing is counted.
  public func realtimeFindings() throws -> [String] {
    var first = try make()
    _ = countCalls(processing: testSignal(), &first)
    var processor = try make()
    let count = countCalls(processing: testSignal(), &processor)
    return count == 0 ? [] : ["\(count) allocations, releases or locks while processing"]
  }

  /// Checks that the stated latency is the mean delay: the amplitude-weighted centre of the output
  /// after each of `impulses`. The processor must respond within `spacing` samples.
  public func latencyFindings(impulses: Int = 400, spacing: Int = 9973) throws -> [String] {
    var processor = try make()
    var input = [Float](repeating: 0, count: impulses * spacing)
    for i in 0..<impulses { input[i * spacing] = 1 }
    let output = processor.render(input)
    var (moment, weight) = (0.0, 0.0)
    for (i, value) in output.enumerated() {
      moment += Double(abs(value)) * Double(i % spacing)
      weight += Double(abs(value))
    }
    let measured = moment / weight
    let stated = Double(processor.latencySamples)
    return abs(measured - stated) <= latencyTolerance
      ? [] : ["states a latency of \(stated) samples, measured \(measured)"]
  }

  /// Counts allocations, releases and locks during one pass over `input`.
  private func countCalls(processing input: [Float], _ processor: inout Processor) -> Int {
    var output = [Float](repeating: 0, count: input.count)
    let source = input.span
    var target = output.mutableSpan
    allocation_probe_start()
    for start in stride(from: 0, to: input.count, by: 128) {
      let block = start..<min(start + 128, input.count)
      var part = target._mutatingExtracting(block)
      processor.process(source.extracting(block), into: &part)
    }
    processor.reset()
    return allocation_probe_stop()
  }

  /// A second of two tones with noise, and silence.
  private func testSignal() -> [Float] {
    var noise = SeededGenerator(seed: 1)
    let count = Int(sampleRateHz)
    return (0..<count).map { i in
      if i > count / 2 && i < count * 3 / 4 { return 0 }
      let phase = Double(i) / sampleRateHz * 2 * .pi
      let tones = 0.3 * triangle(phase * 220) + 0.2 * triangle(phase * 331)
      return Float(tones) + Float(noise.uniform() - 0.5) * 0.1
    }
  }

  /// The first sample that differs, bit by bit, so that even the sign of a zero counts, or that only
  /// one of them has.
  private func difference(_ a: [Float], _ b: [Float]) -> Int? {
    let first = zip(a, b).enumerated().first { $0.element.0.bitPattern != $0.element.1.bitPattern }
    return first?.offset ?? (a.count == b.count ? nil : min(a.count, b.count))
  }
}

private func triangle(_ phase: Double) -> Double {
  let turn = (phase / (2 * .pi)).truncatingRemainder(dividingBy: 1)
  return 4 * abs(turn - 0.5) - 1
}
