import DSP
import Foundation
import TwoTaps

// Transposes raw 32-bit floats, one channel: two-taps SEMITONES RATE_HZ < in.raw > out.raw

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard numbers.count == 2, abs(numbers[0]) <= 24, numbers[1] >= 8000 else {
  FileHandle.standardError.write(Data("usage: two-taps SEMITONES RATE_HZ\n".utf8))
  exit(64)
}
let input = FileHandle.standardInput.readDataToEndOfFile()
let samples = input.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
var shifter = TwoTapShifter(semitones: numbers[0], windowMs: 40, sampleRateHz: numbers[1])
let output = shifter.render(samples, blockSize: 128)
FileHandle.standardOutput.write(output.withUnsafeBytes { Data($0) })
