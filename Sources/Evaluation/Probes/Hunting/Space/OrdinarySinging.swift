import DSP
import Singer

/// Random performances of one to four notes, as singers of all registers give them.
///
/// The shares are our own choices, within the ranges that recordings of singers have; a table in
/// docs/reference/hunt.md lists them. A rate in ordinary singing means a rate under these.
package enum OrdinarySinging {
  package static func point(_ random: inout SeededGenerator) -> HuntPoint {
    var point = HuntPoint.plain
    func chance(_ share: Double) -> Bool { random.uniform() < share }
    func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + random.uniform() * (range.upperBound - range.lowerBound)
    }
    func one(of values: [Double]) -> Double {
      values[Int(random.uniform() * Double(values.count))]
    }
    func one(of count: Int) -> Double { Double(Int(random.uniform() * Double(count))) }

    point[.seed] = 1 + one(of: 1000)
    point[.voice] = one(of: Voice.all.count)
    let voice = point.voice
    // The middle of a range is sung most.
    let height = (random.uniform() + random.uniform()) / 2
    point[.note] =
      (voice.lowestSemitones + height * (voice.highestSemitones - voice.lowestSemitones)).rounded()
    point[.notes] = 1 + one(of: 4)
    point[.seconds] = number(0.25...1)
    point[.leap] = one(of: [-7, -5, -4, -3, -2, -2, -1, 0, 1, 2, 2, 3, 4, 5, 7])
    point[.glideMs] = number(30...120)
    if chance(0.3) { point[.pauseMs] = number(50...250) }

    point[.vowel] = one(of: HuntParameter.vowels.count)
    if chance(0.6) { point[.before] = one(of: HuntParameter.consonants.count) }
    if chance(0.25) { point[.after] = one(of: HuntParameter.consonants.count) }

    let onset = random.uniform()
    point[.onset] = onset < 0.7 ? 0 : onset < 0.85 ? 3 : onset < 0.95 ? 1 : 2
    point[.onsetMs] = number(80...250)
    if chance(0.2) { point[.bend] = number(-2...2) }
    if chance(0.5) {
      point[.vibratoCents] = number(20...100)
      point[.vibratoHz] = number(4.5...6.5)
    }
    if chance(0.4) { point[.swellDb] = number(2...10) }

    if chance(0.5) { point[.jitterPercent] = number(0.1...1) }
    if chance(0.5) { point[.shimmerPercent] = number(0.5...4) }
    if chance(0.5) { point[.breathDb] = number(-34 ... -16) }
    if chance(0.5) { point[.pulseShape] = number(0.6...1.6) }

    if chance(0.7) { point[.levelDb] = number(-15...3) }
    if chance(0.3) { point[.noiseDb] = number(25...50) }

    point[.interval] = one(of: [-12, -9, -8, -7, -5, -4, -3, 3, 4, 5, 7, 8, 9, 12])
    if chance(0.3) { point[.second] = one(of: [-12, -8, -5, -4, 3, 5, 7, 9, 12]) }
    let playing = random.uniform()
    point[.playing] = playing < 0.7 ? 0 : playing < 0.9 ? 1 : playing < 0.95 ? 2 : 3
    point[.perSecond] = number(2...8)
    return point
  }
}
