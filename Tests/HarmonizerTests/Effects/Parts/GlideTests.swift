import Testing

@testable import Effects

@Suite struct GlideTests {
  @Test func arrivesWithoutAKink() {
    var glide = Glide(10, timeConstantSamples: 100)
    #expect(glide.next() == 10)
    glide.aim(at: 20)
    var values = [10.0]
    for _ in 0..<4000 { values.append(glide.next()) }
    #expect(values.last == 20)
    // Two equal one-pole filters in series are steepest after one time constant, at 1/e of the step
    // per time constant.
    let steps = zip(values.dropFirst(), values).map { $0 - $1 }
    #expect(abs(steps.max()! - 10 / 2.718 / 100) < 0.001)
    // The first step of a single filter would be 1 % of the distance.
    #expect(steps[0] < 0.0002 * 10)
  }
}
