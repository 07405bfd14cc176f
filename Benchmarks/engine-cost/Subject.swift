import CDelayLine
import Harmonizer

/// A harmonizing engine to be timed, which makes copies of a voice block by block.
protocol Subject: AnyObject {
  func reset()
  /// - Parameter range: the samples of `input` to process, at most a block.
  func process(_ input: [Float], _ range: Range<Int>)
}

/// An engine of the harmonizer.
final class BankSubject<Bank: PitchShifter & ~Copyable>: Subject {
  private var bank: Bank
  private var output: [Float]

  init(_ bank: consuming Bank, blockSize: Int) {
    output = [Float](repeating: 0, count: bank.voiceCount * blockSize)
    self.bank = bank
  }

  func reset() { bank.reset() }

  func process(_ input: [Float], _ range: Range<Int>) {
    var voices = output.mutableSpan
    bank.process(input.span, range, into: &voices)
  }
}

/// A delay line in C for each voice, as in apps: 1024 samples, half of them crossfade.
final class DelayLinesInC: Subject {
  private let lines: UnsafeMutableBufferPointer<delay_line>
  private let shiftsSemitones: [Float]
  private var output: [Float]

  init(shiftsSemitones: [Double], blockSize: Int) {
    self.shiftsSemitones = shiftsSemitones.map { Float($0) }
    lines = .allocate(capacity: shiftsSemitones.count)
    lines.initialize(repeating: delay_line())
    output = [Float](repeating: 0, count: blockSize)
  }

  deinit { lines.deallocate() }

  func reset() { for line in lines.indices { delay_line_reset(&lines[line]) } }

  func process(_ input: [Float], _ range: Range<Int>) {
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let sound = input.baseAddress, let voice = output.baseAddress else { return }
        for line in lines.indices {
          delay_line_process(
            &lines[line], sound + range.lowerBound, voice, Int32(range.count),
            shiftsSemitones[line],
            1024, 512)
        }
      }
    }
  }
}

/// The same delay line optimized: the least that the method costs.
final class LeanDelayLinesInC: Subject {
  private let lines: UnsafeMutableBufferPointer<lean_delay_line>
  private let shiftsSemitones: [Float]
  private var output: [Float]

  init(shiftsSemitones: [Double], blockSize: Int) {
    self.shiftsSemitones = shiftsSemitones.map { Float($0) }
    lines = .allocate(capacity: shiftsSemitones.count)
    lines.initialize(repeating: lean_delay_line())
    output = [Float](repeating: 0, count: blockSize)
  }

  deinit { lines.deallocate() }

  func reset() { for line in lines.indices { lean_delay_line_reset(&lines[line]) } }

  func process(_ input: [Float], _ range: Range<Int>) {
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let sound = input.baseAddress, let voice = output.baseAddress else { return }
        for line in lines.indices {
          lean_delay_line_process(
            &lines[line], sound + range.lowerBound, voice, Int32(range.count),
            shiftsSemitones[line],
            1024, 512)
        }
      }
    }
  }
}
