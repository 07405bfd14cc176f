import DSP
import Foundation

// Functions of the C library for the audio thread; none of them locks or allocates.

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
