import Analyzer
import AudioFile
import Foundation

/// The channels of a recording: the level and faults of each, and the sound in which the voice is judged.
///
/// That is the mean of the channels, unless they cancel each other there or most of them are silent; then
/// it is the loudest channel.
struct RecordingChannels {
  let file: String
  /// Level of all channels together, by BS.1770; `nil` if not requested.
  let level: Level?
  /// Measurements of each channel.
  let each: [ChannelProfile]
  /// Channel in which the voice is judged, from 0; `nil` for the mean.
  let judged: Int?
  /// Level of the mean relative to the loudest channel; `nil` if one of them is silent, and for one channel.
  let meanDb: Double?

  init(of file: String, _ parts: VoiceProfile.Parts) throws {
    self.file = file
    let mean = try MonoFile(opening: file)
    let sounds =
      mean.channelCount == 1
      ? [mean] : try (0..<mean.channelCount).map { try MonoFile(opening: file, channel: $0) }
    let needsLevel = parts.contains(.level) || sounds.count > 1
    let levels = needsLevel ? try Level.ofChannels(sounds) : nil
    level = parts.contains(.level) ? levels?.all : nil
    let shown = parts.contains(.level)
    each = try sounds.indices.map { channel in
      try ChannelProfile(
        of: sounds[channel], level: shown ? levels?.each[channel] : nil,
        withFaults: parts.contains(.faults))
    }
    let rmsDbfs = levels?.each.map { $0.rmsDbfs ?? -.infinity } ?? []
    guard sounds.count > 1, let loudest = rmsDbfs.max(), loudest.isFinite else {
      (judged, meanDb) = (nil, nil)
      return
    }
    let meanDbfs = try Level(of: mean).rmsDbfs
    meanDb = meanDbfs.map { $0 - loudest }
    func power(_ dbfs: Double) -> Double { pow(10, dbfs / 10) }
    judged = AudioFile.voiceChannel(meanPower: meanDbfs.map(power) ?? 0, powers: rmsDbfs.map(power))
  }

  /// Opens the sound in which the voice is judged.
  func voice() throws -> MonoFile { try MonoFile(opening: file, channel: judged) }

  /// Defects of all channels; `nil` if not requested.
  var defects: SignalDefects? {
    let all = each.compactMap(\.defects)
    guard var sum = all.first else { return nil }
    for other in all.dropFirst() {
      sum.nonFiniteCount += other.nonFiniteCount
      sum.nonFinite += other.nonFinite
      sum.clips += other.clips
      sum.dropouts += other.dropouts
      if abs(other.dcOffset) > abs(sum.dcOffset) { sum.dcOffset = other.dcOffset }
      sum.noiseFloorDbfs = [sum.noiseFloorDbfs, other.noiseFloorDbfs].compactMap(\.self).max()
    }
    sum.clippedShare = all.map(\.clippedShare).reduce(0, +) / Double(all.count)
    return sum
  }

  /// Clicks of all channels, channel by channel; `nil` if no channel could be measured.
  var clicks: [Clicks.Click]? {
    let all = each.compactMap(\.clicks)
    return all.isEmpty ? nil : Array(all.joined())
  }

  /// A sentence about the sound in which the voice is judged; `nil` for one channel.
  var remark: String? {
    guard each.count > 1 else { return nil }
    guard let judged else { return "\(each.count) channels; the voice is judged in their mean" }
    let mean = meanDb.map { "is \(String(format: "%.1f", -$0)) dB softer" } ?? "is silent"
    return
      "\(each.count) channels; the voice is judged in channel \(judged + 1), the loudest, because the "
      + "mean of all channels \(mean)"
  }
}
