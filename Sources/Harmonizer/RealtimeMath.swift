import Foundation

// What the audio thread needs of the C library, vouched for: none of it locks or allocates.

/// The greatest whole number not above `value`, which must fit an `Int`.
@inline(__always) @_noLocks func floorOf(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) > value ? whole - 1 : whole
}

/// The whole number next to `value`, which must fit an `Int`; of two as near, the greater.
@inline(__always) @_noLocks func nearestOf(_ value: Double) -> Int { floorOf(value + 0.5) }

/// Frequency ratio of an interval.
@_semantics("no_performance_analysis")
func frequencyRatio(ofSemitones semitones: Double) -> Double { exp2(semitones / 12) }

/// Interval of a frequency ratio, which must be positive.
@_semantics("no_performance_analysis")
func semitones(ofFrequencyRatio ratio: Double) -> Double { 12 * log2(ratio) }

/// Sine of a whole turn times `turns`.
@_semantics("no_performance_analysis")
func sineOf(turns: Double) -> Double { sin(2 * .pi * turns) }

/// Cosine of a whole turn times `turns`.
@_semantics("no_performance_analysis")
func cosineOf(turns: Double) -> Double { cos(2 * .pi * turns) }
