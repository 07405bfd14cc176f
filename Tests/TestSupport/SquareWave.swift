/// A square wave of full scale that begins with its upper half.
public func squareWave(periodSamples: Int, count: Int) -> [Float] {
  (0..<count).map { $0 % periodSamples < periodSamples / 2 ? 1 : -1 }
}
