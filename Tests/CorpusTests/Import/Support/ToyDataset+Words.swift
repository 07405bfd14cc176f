import EvaluationSupport
import Foundation

/// Data sets with words or phones.
extension ToyDataset {
  static let vocalSet = ToyDataset(
    name: "vocalset",
    build: { tree in
      let stem = "f1_arepggios_belt_c_a"  // misspelt, as some are
      tree.sound("FULL/female1/arpeggios/belt/\(stem).wav", seconds: 0.5)
      tree.sound("FULL/male2/scales/trill/m2_scales_trill_a.wav", seconds: 0.5)
      // The same sound in another tree.
      tree.sound("data_by_singer/female1/arpeggios/belt/\(stem).wav", seconds: 0.5)
      tree.text(
        "Annotated VocalSet/extended 1/with file header/belt/\(stem).csv",
        "Sequence,Type,Start time,End time,Ground Truth MIDI code", "1,Silence,0,0.1,",
        "2,Sound,0.1,0.4,60")
    },
    missing: "", ids: ["vocalset-f1_arepggios_belt_c_a", "vocalset-m2_scales_trill_a"],
    clip: "vocalset-f1_arepggios_belt_c_a",
    truth: ["notes.csv": "onset_s,offset_s,f0_hz\n0.100000,0.400000,261.6256\n"],
    voice: "female", licence: "CC-BY-4.0")

  static let gtSinger = ToyDataset(
    name: "gtsinger",
    build: { tree in
      let song = "English/EN-Alto-1/Breathy/my song"
      for group in ["Breathy_Group", "Control_Group", "Paired_Speech_Group"] {
        tree.sound("\(song)/\(group)/0000.wav", seconds: 0.5)
        tree.data(
          "\(song)/\(group)/0000.TextGrid",
          Data(TextGridTests.short.replacingOccurrences(of: "\n", with: "\r\n").utf8))
      }
      tree.text(
        "\(song)/Breathy_Group/0000.json",
        #"[{"word": "so", "note": [69, 0], "note_start": [0.1, 0.3], "note_end": [0.3, 0.4]}]"#)
    },
    missing: "English/EN-Alto-1/Breathy/my song/Control_Group/0000.json",
    ids: ["Breathy_Group", "Control_Group", "Paired_Speech_Group"].map {
      "gtsinger-English_EN-Alto-1_Breathy_my-song_\($0)_0000"
    },
    clip: "gtsinger-English_EN-Alto-1_Breathy_my-song_Breathy_Group_0000",
    truth: [
      "notes.csv": "onset_s,offset_s,f0_hz\n0.100000,0.300000,440.0000\n",
      "phones.csv": "onset_s,offset_s,label\n0.100000,0.200000,s\n0.200000,0.450000,ow\n",
      "words.csv": "onset_s,offset_s,label\n0.100000,0.450000,\"so \"\"there\"\"\"\n",
    ], voice: "alto", licence: "CC-BY-NC-SA-4.0")

  static let vctk = ToyDataset(
    name: "vctk",
    build: { tree in
      tree.sound("wav48_silence_trimmed/p225/p225_001_mic1.flac", seconds: 0.2)
      tree.sound("wav48_silence_trimmed/p225/p225_001_mic2.flac", seconds: 0.2)
      tree.sound("wav48_silence_trimmed/p226/p226_002_mic1.flac", seconds: 0.2)
      tree.text("txt/p225/p225_001.txt", "Please call Stella.")
      tree.text("speaker-info.txt", "ID  AGE  GENDER  ACCENTS", "p225  23  F  English")
    },
    missing: "txt/p226/p226_002.txt", ids: ["vctk-p225_001", "vctk-p226_002"],
    clip: "vctk-p225_001", truth: ["lyrics.txt": "Please call Stella.\n"],
    // No file of the copy says CC BY 4.0.
    voice: "female", licence: "LicenseRef-vctk-unconfirmed")

  static let libriSpeech = ToyDataset(
    name: "librispeech",
    build: { tree in
      tree.sound("LibriSpeech/test-clean/61/70968/61-70968-0000.flac", seconds: 0.2)
      tree.sound("LibriSpeech/test-clean/61/70970/61-70970-0000.flac", seconds: 0.2)
      tree.text(
        "LibriSpeech/test-clean/61/70968/61-70968.trans.txt", "61-70968-0000 HE BEGAN",
        "61-70968-0001 GIVE")
      tree.text("LibriSpeech/SPEAKERS.TXT", "; ID |SEX| …", "61   | M | test-clean | 8 | Paul")
      tree.text("LibriSpeech/LICENSE.TXT", "Creative Commons Attribution 4.0 International")
    },
    missing: "test-clean/61/70970/61-70970.trans.txt",
    ids: ["librispeech-61-70968-0000", "librispeech-61-70970-0000"],
    clip: "librispeech-61-70968-0000", truth: ["lyrics.txt": "HE BEGAN\n"], voice: "male",
    licence: "CC-BY-4.0")
}
