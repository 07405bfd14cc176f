import AllocationProbe
import DSP
import Foundation
import Testing

@Suite struct ComplexTransformTests {
  private func sequence(_ count: Int) -> [ComplexFloat] {
    (0..<count).map { index in
      let (real, imaginary) = (index * 7919 % 241, index * 104 % 97)
      return ComplexFloat(Float(real) / 241, Float(imaginary) / 97)
    }
  }

  /// Returns the transform of a sequence.
  private func transformed(
    _ values: [ComplexFloat], _ direction: ComplexTransform.Direction
  ) -> [ComplexFloat] {
    var transform = ComplexTransform(count: values.count, direction)
    var input = transform.input
    for k in values.indices { input[k] = values[k] }
    transform.run()
    let output = transform.output
    return values.indices.map { output[$0] }
  }

  /// A sine of three turns forward has all its energy in bin 3, and none in its mirror image.
  @Test func aTurnFillsItsBin() {
    let turns = (0..<120).map { n in
      let angle = 2 * Double.pi * 3 * Double(n) / 120
      return ComplexFloat(Float(cos(angle)), Float(sin(angle)))
    }
    for (k, bin) in transformed(turns, .forward).enumerated() {
      // The tolerance is that of single precision over 120 additions.
      #expect(abs(bin.re - (k == 3 ? 120 : 0)) < 1e-4)
      #expect(abs(bin.im) < 1e-4)
    }
  }

  @Test func inverseUndoesForward() {
    let values = sequence(240)
    let back = transformed(transformed(values, .forward), .inverse)
    for (value, found) in zip(values, back) {
      #expect(abs(found.re / 240 - value.re) < 1e-6)
      #expect(abs(found.im / 240 - value.im) < 1e-6)
    }
  }

  @Test func inputIsKept() {
    var transform = ComplexTransform(count: 16, .inverse)
    var input = transform.input
    input[5] = ComplexFloat(1, -2)
    transform.run()
    let kept = transform.input
    for k in 0..<16 { #expect(kept[k] == (k == 5 ? ComplexFloat(1, -2) : ComplexFloat(0, 0))) }
  }

  @Test func runningNeverAllocates() {
    var transform = ComplexTransform(count: 1024, .forward)
    transform.run()
    allocation_probe_start()
    transform.run()
    #expect(allocation_probe_stop() == 0)
  }
}
