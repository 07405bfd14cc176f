import DSP
import Effects
import Foundation

/// The clicks of one parameter swept over its range, up and down within a second, beside a tone of
/// 3 kHz and its overtones: the loudest 85 ms, in dB relative to the loudest 85 ms of the output.
///
/// At 48 kHz aliases of the overtones of 3 kHz are multiples of 3 kHz as well. Energy farther than
/// 500 Hz from all of these counts as a click.
func sweepClicksDb<Settings: EffectSettings>(
  _ settings: Settings, _ parameter: Parameter<Settings>
) throws -> Double {
  guard case .number(let place, let range) = parameter.value else { return -.infinity }
  let tone = sine(hz: 3000, amplitude: 0.5, seconds: 1.4)
  let output = try StereoRun(settings).render(tone, blockSize: 64) { link, start in
    let seconds = Double(start) / 48_000 - 0.2
    guard (0...1).contains(seconds) else { return }
    var moved = settings
    let share = seconds < 0.5 ? 2 * seconds : 2 - 2 * seconds
    moved[keyPath: place] = range.lowerBound + share * (range.upperBound - range.lowerBound)
    link.apply(moved)
  }
  let count = 4096
  var (clicks, loudest) = (0.0, 0.0)
  for end in stride(from: 9600, through: output.count, by: count / 2) {
    let spectrum = LineSpectrum(Array(output[..<end].suffix(count)), count: count)
    clicks = max(clicks, spectrum.between(multiplesOf: 256, reach: 43))  // 500 Hz
    loudest = max(loudest, spectrum.power.reduce(0, +))
  }
  return powerDb(clicks / loudest)
}
