import EvaluationSupport
import Foundation
import Testing

/// A data set of a few short clips in the layout of the real one, with one file missing.
struct ToyDataset: CustomTestStringConvertible, Sendable {
  var name: String
  var build: @Sendable (ToyTree) -> Void
  /// The path of the missing file.
  var missing: String
  /// All imported ids, sorted.
  var ids: [String]
  /// The id of one clip.
  var clip: String
  /// The annotation files of that clip, written by hand from the layout's description.
  var truth: [String: String]
  var voice: String
  var licence: String

  var testDescription: String { name }

  static let all = [
    vocadito, mir1K, mdbStemSynth, ptdbTUG, dagstuhl, esmuc, choralSinging, vocalSet, gtSinger,
    vctk, libriSpeech, generic,
  ]
}

extension ToyDataset {
  static let vocadito = ToyDataset(
    name: "vocadito",
    build: { tree in
      for clip in 1...2 {
        tree.sound("Audio/vocadito_\(clip).wav", seconds: 0.5)
        tree.text("Annotations/Notes/vocadito_\(clip)_notesA1.csv", "0.1,220,0.2", "0.3,440,0.1")
        // The second annotator wrote the first note a semitone higher, and no second note.
        tree.text("Annotations/Notes/vocadito_\(clip)_notesA2.csv", "0.12,233.08188,0.15")
        tree.text("Annotations/Lyrics/vocadito_\(clip)_lyrics.txt", "la  lo", "la")
      }
      // Frames of 256 samples at 44.1 kHz.
      tree.text(
        "Annotations/F0/vocadito_1_f0.csv", "0.0,0.0", "0.005804989,220.5", "0.011609977,221")
      tree.text(
        "vocadito_metadata.csv", "track_id,singer_id,average_pitch,language", "1,S1,220,Hindi")
    },
    missing: "Annotations/F0/vocadito_2_f0.csv",
    ids: ["vocadito-1", "vocadito-2"], clip: "vocadito-1",
    truth: [
      "f0.csv": "time_s,f0_hz\n0.000000,0\n0.005805,220.5000\n0.011610,221.0000\n",
      "notes.csv": "onset_s,offset_s,f0_hz,uncertainty_cents\n"
        + "0.100000,0.300000,220.0000,100.0\n0.300000,0.400000,440.0000,\n",
      "lyrics.txt": "la lo la\n",
    ], voice: "unknown", licence: "CC-BY-4.0")

  static let mir1K = ToyDataset(
    name: "mir-1k",
    build: { tree in
      for clip in ["Ani_1_01", "fdps_2_03"] {
        tree.sound("Wavfile/\(clip).wav", seconds: 0.1, levels: [0.5, 0.25])
        tree.text("PitchLabel/\(clip).pv", "0", "69", "57.5", "0")
      }
      tree.text("Lyrics/Ani_1_01.txt", "一 二")
    },
    missing: "Lyrics/fdps_2_03.txt", ids: ["mir-1k-Ani_1_01", "mir-1k-fdps_2_03"],
    clip: "mir-1k-Ani_1_01",
    truth: [
      // The first of the 40 ms frames is centred at 20 ms; 57.5 is half a semitone over 220 Hz.
      "f0.csv": "time_s,f0_hz\n0.020000,0\n0.040000,440.0000\n0.060000,226.4465\n0.080000,0\n",
      "lyrics.txt": "一 二\n",
    ], voice: "unknown", licence: "LicenseRef-MIR-1K")

  static let mdbStemSynth = ToyDataset(
    name: "mdb-stem-synth",
    build: { tree in
      tree.sound("MDB-stem-synth/audio_stems/A_STEM_01.RESYN.wav", seconds: 0.1)
      tree.sound("MDB-stem-synth/audio_stems/B_STEM_02.RESYN.wav", seconds: 0.1)
      // Frames of 128 samples at 44.1 kHz.
      tree.text(
        "MDB-stem-synth/annotation_stems/A_STEM_01.RESYN.csv", "0.0,0.0", "0.002902494,100",
        "0.005804989,101.25")
    },
    missing: "annotation_stems/B_STEM_02.RESYN.csv",
    ids: ["mdb-stem-synth-A_STEM_01", "mdb-stem-synth-B_STEM_02"],
    clip: "mdb-stem-synth-A_STEM_01",
    truth: ["f0.csv": "time_s,f0_hz\n0.000000,0\n0.002902,100.0000\n0.005805,101.2500\n"],
    voice: "unknown", licence: "CC-BY-NC-4.0")

  static let ptdbTUG = ToyDataset(
    name: "ptdb-tug",
    build: { tree in
      tree.sound("SPEECH DATA/FEMALE/MIC/F01/mic_F01_sa1.wav", seconds: 0.05)
      tree.sound("SPEECH DATA/FEMALE/LAR/F01/lar_F01_sa1.wav", seconds: 0.05)
      tree.text(
        "SPEECH DATA/FEMALE/REF/F01/ref_F01_sa1.f0", "0 0 0.1 0.2", "200.5 1 0.1 0.2",
        "201 1 0.1 0.2")
      tree.text("SPEECH DATA/MALE/REF/M02/ref_M02_sx9.f0", "100 1 0.1 0.2")
    },
    missing: "MALE/MIC/M02/mic_M02_sx9.wav", ids: ["ptdb-tug-F01_sa1"], clip: "ptdb-tug-F01_sa1",
    // Rows every 10 ms, the first at 21.7 ms.
    truth: ["f0.csv": "time_s,f0_hz\n0.021700,0\n0.031700,200.5000\n0.041700,201.0000\n"],
    voice: "female", licence: "ODbL-1.0")

  static let dagstuhl = ToyDataset(
    name: "dagstuhl-choirset",
    build: { tree in
      let take = "DCS_LI_QuartetA_Take03"
      for sound in ["A2_LRX", "S1_DYN", "S1_LRX", "Stereo_STM"] {
        tree.sound("audio_wav_22050_mono/\(take)_\(sound).wav", seconds: 0.1)
      }
      // By hand for the larynx microphone; holds for the singer's other microphone too.
      tree.text(
        "annotations_csv_F0_manual/\(take)_S1_LRX.csv", "0.0116,440", "0.0174,441",
        "0.0232,442")
      // By pYIN, whose guess in an unvoiced frame is negative.
      tree.text(
        "annotations_csv_F0_PYIN/\(take)_A2_LRX.csv", "0.0,-220.0,0.01", "0.01002,220.0,0.9",
        "0.02004,221.0,0.9")
      tree.text("annotations_csv_scorerepresentation/\(take)_Stereo_STM_S.csv", "0.01,0.09,69")
    },
    missing: "annotations_csv_scorerepresentation/DCS_LI_QuartetA_Take03_Stereo_STM_A.csv",
    ids: ["A2_LRX", "S1_DYN", "S1_LRX"].map { "dagstuhl-choirset-LI_QuartetA_Take03_\($0)" },
    clip: "dagstuhl-choirset-LI_QuartetA_Take03_S1_DYN",
    truth: [
      "f0.csv": "time_s,f0_hz\n0.011600,440.0000\n0.017400,441.0000\n0.023200,442.0000\n",
      "notes.csv": "onset_s,offset_s,f0_hz\n0.010000,0.090000,440.0000\n",
    ], voice: "soprano", licence: "CC-BY-4.0")

  static let esmuc = ToyDataset(
    name: "esmuc-choir",
    build: { tree in
      tree.sound("SC1_FT_take3_A1.wav", seconds: 0.2)
      tree.text("SC1_FT_take3_A1.f0", "0.00 0", "0.01 220.5", "0.02 221")
      tree.text("SC1_FT_take3_A1.lab", "0.01 220 0.1", "0.11 0 0.02")
      tree.sound("SC1_FT_take3_T2.wav", seconds: 0.2)
      tree.text("SC1_FT_take3_T2.f0", "0.00 0", "0.01 110", "0.02 110")
      tree.sound("WU1_FT_take1_S1.wav", seconds: 0.2)
    },
    missing: "SC1_FT_take3_T2.lab",
    ids: ["esmuc-choir-SC1_FT_take3_A1", "esmuc-choir-SC1_FT_take3_T2"],
    clip: "esmuc-choir-SC1_FT_take3_A1",
    truth: [
      "f0.csv": "time_s,f0_hz\n0.000000,0\n0.010000,220.5000\n0.020000,221.0000\n",
      "notes.csv": "onset_s,offset_s,f0_hz\n0.010000,0.110000,220.0000\n",
    ], voice: "alto", licence: "CC-BY-4.0")

  static let choralSinging = ToyDataset(
    name: "choral-singing",
    build: { tree in
      tree.sound("CSD_ER_alto_1.wav", seconds: 0.2)
      tree.sound("CSD_ER_bass_4.wav", seconds: 0.2)
      tree.text("CSD_ER_bass_4.f0", "0.0 0", "0.01 110", "0.02 110.5")
      tree.text("CSD_ER_bass_notes.lab", "0.0 110 0.15")
      tree.text("CSD_mix_1.f0", "0.0 0")  // no singer's
      // The licence counts only if a file of the data confirms it.
      tree.text("README.txt", "Licensed under CC BY 4.0.")
    },
    missing: "CSD_ER_alto_notes.lab",
    ids: ["choral-singing-ER_alto_1", "choral-singing-ER_bass_4"],
    clip: "choral-singing-ER_bass_4",
    truth: [
      "f0.csv": "time_s,f0_hz\n0.000000,0\n0.010000,110.0000\n0.020000,110.5000\n",
      "notes.csv": "onset_s,offset_s,f0_hz\n0.000000,0.150000,110.0000\n",
    ], voice: "bass", licence: "CC-BY-4.0")

  static let generic = ToyDataset(
    name: "generic",
    build: { tree in
      tree.sound("mine/a, b.wav", seconds: 0.2)
      tree.text("mine/a, b.f0.csv", "time_s,f0_hz,uncertainty_cents", "0,0,", "0.01,100,2.5")
      tree.text("mine/a, b.notes.csv", "onset_s,offset_s,f0_hz", "0.01,0.1,100")
      tree.text("mine/a, b.lab", "0 500000 a", "500000 1900000 b")
      tree.text("mine/a, b.txt", "ah  bee")
    },
    missing: "", ids: ["toy-mine-a--b"], clip: "toy-mine-a--b",
    truth: [
      "f0.csv": "time_s,f0_hz,uncertainty_cents\n0.000000,0,\n0.010000,100.0000,2.5\n",
      "notes.csv": "onset_s,offset_s,f0_hz\n0.010000,0.100000,100.0000\n",
      // Units of 100 ns: only then the last label ends near 0.2 s.
      "phones.csv": "onset_s,offset_s,label\n0.000000,0.050000,a\n0.050000,0.190000,b\n",
      "lyrics.txt": "ah bee\n",
    ], voice: "unknown", licence: "LicenseRef-unknown")
}
