import DSP
import Foundation

func sine(hz: Double, amplitude: Double = 1, seconds: Double, sampleRateHz: Double = 48_000)
  -> [Float]
{
  (0..<Int(seconds * sampleRateHz)).map {
    Float(amplitude * sin(2 * .pi * hz * Double($0) / sampleRateHz))
  }
}

/// White noise, uniform within ±`amplitude`.
func noise(amplitude: Double = 1, seconds: Double, seed: UInt64 = 1) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  return (0..<Int(seconds * 48_000)).map { _ in
    Float(amplitude * (2 * generator.uniform() - 1))
  }
}

/// The level of an amplitude in dB.
func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }

/// The amplitude of a level in dB.
func amplitude(_ db: Double) -> Double { pow(10, db / 20) }
