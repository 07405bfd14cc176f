import DSP
import Foundation

func sine(hz: Double, amplitude: Double = 1, seconds: Double, sampleRateHz: Double = 48_000)
  -> [Float]
{
  (0..<Int(seconds * sampleRateHz)).map {
    Float(amplitude * sin(2 * .pi * hz * Double($0) / sampleRateHz))
  }
}

func noise(amplitude: Double = 1, seconds: Double, seed: UInt64 = 1, sampleRateHz: Double = 48_000)
  -> [Float]
{
  var generator = SeededGenerator(seed: seed)
  return (0..<Int(seconds * sampleRateHz)).map { _ in
    Float(amplitude * (2 * generator.uniform() - 1))
  }
}
