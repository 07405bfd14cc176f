/// The coefficients that interpolate at four times within a sample step, to find peaks between
/// samples.
///
/// - Source: ITU-R BS.1770-4, Annex 2, table 1.
public enum TruePeakInterpolator {
  /// Twelve coefficients for each of the four phases.
  public static let phases: [[Float]] = {
    let first: [Float] = [
      0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875,
      0.1373291015625, 0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250,
      0.0148925781250, -0.0083007812500,
    ]
    let second: [Float] = [
      -0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500,
      0.4650878906250, 0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625,
      0.0330810546875, -0.0189208984375,
    ]
    return [first, second, second.reversed(), first.reversed()]
  }()
}
