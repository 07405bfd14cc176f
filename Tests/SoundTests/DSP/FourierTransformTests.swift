import AllocationProbe
import DSP
import Foundation
import Testing

@Suite struct FourierTransformTests {
  /// A cosine at bin k gives n/2 there and 0 elsewhere.
  @Test(arguments: [16, 100, 1024, 4096])
  func aCosineFillsItsBin(count: Int) {
    var transform = FourierTransform(count: count)
    let cosine = (0..<count).map { Float(cos(2 * .pi * 3 * Double($0) / Double(count))) }
    transform.forward(cosine.span)
    let bins = transform.spectrum
    for k in 0..<bins.count {
      let expected = k == 3 ? Float(count) / 2 : 0
      // The tolerance is that of single precision over `count` additions.
      #expect(abs(bins[k].re - expected) < 1e-6 * Float(count))
      #expect(abs(bins[k].im) < 1e-6 * Float(count))
    }
  }

  @Test func shortInputIsPadded() {
    var transform = FourierTransform(count: 8)
    let before = [Float](repeating: 3, count: 8)
    transform.forward(before.span)  // must have no effect on the next call
    let impulse: [Float] = [1]
    transform.forward(impulse.span)
    let bins = transform.spectrum
    for k in 0..<5 { #expect(bins[k] == ComplexFloat(1, 0)) }
  }

  @Test func inverseUndoesForward() {
    var transform = FourierTransform(count: 240)
    let input = (0..<240).map { Float(($0 * 7919) % 241) / 241 }
    transform.forward(input.span)
    transform.inverse()
    let output = transform.samples
    for i in 0..<240 { #expect(abs(output[i] / 240 - input[i]) < 1e-6) }
  }

  @Test func executingNeverAllocates() {
    var transform = FourierTransform(count: 1024)
    let input = [Float](repeating: 0.5, count: 1024)
    let span = input.span
    transform.forward(span)
    transform.inverse()
    allocation_probe_start()
    transform.forward(span)
    transform.inverse()
    #expect(allocation_probe_stop() == 0)
  }

  @Test func transformsOfOneLengthMayBeMadeAndRunSideBySide() async {
    await withTaskGroup(of: Float.self) { group in
      for _ in 0..<32 {
        group.addTask {
          var transform = FourierTransform(count: 333)
          let ones = [Float](repeating: 1, count: 333)
          transform.forward(ones.span)
          return transform.spectrum[0].re
        }
      }
      for await sum in group { #expect(sum == 333) }
    }
  }
}
