"""Files as they are in the world: makes unusual files after public reports, and tries choir-eval on them.

Each case names the report that it follows, the right answer and where that comes from. Prints a table of them
(docs/notes/peers.md#unusual-files has the sum), and ends with 1 if an answer is wrong.

    judge/bin/pip install numpy soundfile mido
    judge/bin/python scripts/judge/files.py .build/debug/choir-eval

ffmpeg makes some of the files.
"""

import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np
import soundfile

RATE = 44_100
CASES = []
G = "github.com/"


def case(name, report, right, source):
    """Registers a function that makes files and returns a command and what its output must match."""
    def keep(make):
        CASES.append((name, report, right, source, make))
        return make
    return keep


def voice(hz=220.0, seconds=1.0, rate=RATE):
    t = np.arange(int(seconds * rate)) / rate
    x = sum(np.cos(2 * np.pi * k * hz * t + 0.3 * k * k) / k for k in range(1, 20))
    return 0.3 * x / np.abs(x).max()


def chunk(name, data):
    return name.encode() + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def wave(*chunks):
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def fmt(tag=1, channels=1, bits=16, rate=RATE, more=b""):
    frame = channels * bits // 8
    return chunk("fmt ", struct.pack("<HHIIHH", tag, channels, rate, rate * frame, frame, bits) + more)


def extensible(valid, bits, code=1):
    guid = struct.pack("<H", code) + bytes.fromhex("000000001000800000aa00389b71")
    return fmt(0xFFFE, bits=bits, more=struct.pack("<HHI", 22, valid, 4) + guid)


def pcm16(x):
    return np.round(x * 32767).astype("<i2").tobytes()


def pcm24(x):
    return np.round(x * (2**23 - 1)).astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *words], check=True)


# MIDI

def number(n):
    out = bytes([n & 127])
    while n := n >> 7:
        out = bytes([128 | n & 127]) + out
    return out


def on(key, channel=0, velocity=80):
    return bytes([0x90 | channel, key, velocity])


def off(key, channel=0):
    return bytes([0x80 | channel, key, 64])


def track(*events, end=b"\0\xff\x2f\0"):
    data = b"".join(number(t) + e for t, e in events) + end
    return b"MTrk" + struct.pack(">I", len(data)) + data


def midi(*tracks, form=1, count=None):
    return b"MThd" + struct.pack(">IHHH", 6, form, len(tracks) if count is None else count, 480) \
        + b"".join(tracks)


def tempo(bpm):
    return b"\xff\x51\x03" + struct.pack(">I", round(60e6 / bpm))[1:]


def sung(folder, data, seconds=2.0, name="a.mid"):
    """The keys of each voice, as the truth of the rendering has them."""
    soundfile.write(folder / "in.wav", voice(seconds=seconds), RATE)
    (folder / name).write_bytes(data)
    return ["harmonize", "in.wav", "out.wav", "--midi", name, "--truth", "/dev/stdout"]


def tuned(folder, text, coding="latin-1"):
    soundfile.write(folder / "in.wav", voice(), RATE)
    (folder / "a.scl").write_bytes(text.encode(coding))
    return ["harmonize", "in.wav", "out.wav", "--notes", "C5", "--tuning", "a.scl", "--truth", "/dev/stdout"]


def target(hz, tolerance=0.001):
    """Accepts a truth log in which a voice has this target."""
    def accepts(output):
        values = targets(output)
        return any(abs(v / hz - 1) < tolerance for v in values), sorted(set(round(v, 2) for v in values))[:4]
    return accepts


def targets(output):
    found = []

    def walk(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if "target" in key.lower() and "hz" in key.lower():
                    found.extend(v for v in (value if isinstance(value, list) else [value])
                                 if isinstance(v, (int, float)) and v > 0)
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)
    try:
        walk(json.loads(output))
    except ValueError:
        pass
    return found


def length(seconds, peak=None, hz=220):
    """Accepts an analysis of a whole sound at its pitch, and at its peak if that is given."""
    def accepts(output):
        found = json.loads(output)[0] if output.startswith("[") else {}
        good = abs(found.get("seconds", 0) - seconds) < 0.002 and abs(found.get("f0MedianHz", 0) - hz) < 0.5
        level = found.get("level", {}).get("samplePeakDbfs", -99)
        return good and (peak is None or abs(level - peak) < 0.1), \
            f"{found.get('seconds', 0):.5g} s, {found.get('f0MedianHz', 0):.1f} Hz, peak {level:.1f}"
    return accepts


def says(pattern):
    def accepts(output):
        found = re.search(pattern, " ".join(output.split()))
        return found is not None, (found.group(0) if found else output)[:160]
    return accepts


def analyze(folder, name, data=None):
    if data is not None:
        (folder / name).write_bytes(data)
    return ["analyze", name, "--json", "--only", "level", "--quiet"]


PEAK = 20 * math.log10(0.3)


# Sound

@case("ALAC in M4A", G + "bastibe/python-soundfile/issues/389", "read", "how it was made")
def _(folder):
    soundfile.write(folder / "s.wav", voice(), RATE)
    ffmpeg("-i", str(folder / "s.wav"), "-c:a", "alac", str(folder / "a.m4a"))
    return analyze(folder, "a.m4a"), length(1, PEAK)


@case("WAV whose recorder crashed (data 0, RIFF 4088, JUNK)", G + "pasrom/meeting-transcriber/pull/384",
      "read to the end, with a remark", "ffmpeg")
def _(folder):
    data = b"RIFF" + struct.pack("<I", 4088) + b"WAVE" + chunk("JUNK", bytes(4044)) + fmt() \
        + b"data" + bytes(4) + pcm16(voice())
    return analyze(folder, "a.wav", data), length(1, PEAK)


@case("the same: the remark", G + "silverstein/minutes/issues/519", "said", "-")
def _(folder):
    data = wave(fmt()) + b"data" + bytes(4) + pcm16(voice())
    return analyze(folder, "a.wav", data), says("header does not give the length")


@case("WAV with a LIST chunk of zeros (Zoom R24)", G + "libsndfile/libsndfile/issues/370", "read", "ffmpeg")
def _(folder):
    return analyze(folder, "a.wav", wave(fmt(), chunk("LIST", bytes(393_164)), chunk("data", pcm16(voice())))), \
        length(1, PEAK)


@case("24 bit, odd number of bytes, no pad byte", G + "libsndfile/libsndfile/issues/887", "read", "RIFF")
def _(folder):
    x = voice()[:-1]
    data = wave(fmt(bits=24)) + b"data" + struct.pack("<I", 3 * len(x)) + pcm24(x)
    return analyze(folder, "a.wav", data), length(len(x) / RATE, PEAK)


@case("chunk of odd length before the sound", G + "mono/taglib-sharp/issues/101", "read", "RIFF")
def _(folder):
    return analyze(folder, "a.wav", wave(fmt(), chunk("axml", b"x" * 495), chunk("data", pcm16(voice())))), \
        length(1, PEAK)


@case("part of a frame at the end of the sound", G + "haruki7049/zigggwavvv/pull/76", "whole frames", "ffmpeg")
def _(folder):
    stereo = np.repeat(voice(), 2)
    return analyze(folder, "a.wav", wave(fmt(channels=2), chunk("data", pcm16(stereo)[:-2]))), \
        length(1 - 1 / RATE, PEAK)


@case("24 valid bits in 32", G + "InstaZDLL/WaveFlow/pull/520", "full scale is the container's", "Microsoft")
def _(folder):
    x = np.round(voice() * 2**23).astype("<i4") << 8
    return analyze(folder, "a.wav", wave(extensible(24, 32), chunk("data", x.tobytes()))), length(1, PEAK)


@case("format chunk with 24 bytes of extension", G + "jstrait/wavefile/issues/37", "read", "Microsoft")
def _(folder):
    guid = struct.pack("<H", 1) + bytes.fromhex("000000001000800000aa00389b71") + bytes(2)
    head = fmt(0xFFFE, more=struct.pack("<HHI", 24, 16, 4) + guid)
    return analyze(folder, "a.wav", wave(head, chunk("data", pcm16(voice())))), length(1, PEAK)


@case("MP3 in WAV", G + "taglib/taglib/pull/14", "read", "ffmpeg")
def _(folder):
    soundfile.write(folder / "s.wav", voice(), RATE)
    ffmpeg("-i", str(folder / "s.wav"), "-c:a", "libmp3lame", "-b:a", "192k", str(folder / "a.wav"))
    def accepts(output):
        found = json.loads(output)[0] if output.startswith("[") else {}
        return 1 <= found.get("seconds", 0) < 1.1 and abs(found.get("f0MedianHz", 0) - 220) < .5, \
            f"{found.get('seconds')} s" if found else output[:160]
    return analyze(folder, "a.wav"), accepts


@case("NIST SPHERE named .WAV (TIMIT)", G + "athena-team/athena/issues/108", "read, or named", "the header")
def _(folder):
    soundfile.write(folder / "a.sph", voice(), RATE, format="NIST", subtype="PCM_16")
    (folder / "a.WAV").write_bytes((folder / "a.sph").read_bytes())
    return ["analyze", "a.WAV"], says("holds NIST SPHERE under another format's name")


@case("NIST SPHERE named .sph", G + "zzw922cn/Automatic_Speech_Recognition/issues/2", "read", "libsndfile")
def _(folder):
    soundfile.write(folder / "a.sph", voice(), RATE, format="NIST", subtype="PCM_16")
    return analyze(folder, "a.sph"), length(1, PEAK)


@case("two MP3 files joined", G + "JamesHeinrich/getID3/issues/120", "2 s, or refused", "how it was made")
def _(folder):
    for name, hz in (("a", 220), ("b", 220)):
        soundfile.write(folder / "s.wav", voice(hz), RATE)
        ffmpeg("-i", str(folder / "s.wav"), "-c:a", "libmp3lame", "-b:a", "192k", str(folder / f"{name}.mp3"))
    (folder / "ab.mp3").write_bytes((folder / "a.mp3").read_bytes() + (folder / "b.mp3").read_bytes())
    def accepts(output):
        found = json.loads(output)[0] if output.startswith("[") else {}
        seconds = found.get("seconds", 0)
        return 1.95 < seconds < 2.2 or "choir-eval: " in output, f"{seconds} s" if found else output[:160]
    return analyze(folder, "ab.mp3"), accepts


@case("text named .wav", G + "alphacep/vosk-api/issues/1384", "refused: no sound", "-")
def _(folder):
    (folder / "a.wav").write_text("no sound\n" * 50)
    return ["analyze", "a.wav"], says("is not sound that this toolkit or ffmpeg")


@case("M4A without its index, as after a crash", G + "Dimowner/AudioRecorder/issues/136", "refused with the cause",
      "ffmpeg")
def _(folder):
    soundfile.write(folder / "s.wav", voice(), RATE)
    ffmpeg("-i", str(folder / "s.wav"), "-c:a", "aac", str(folder / "a.m4a"))
    data = (folder / "a.m4a").read_bytes()
    (folder / "a.m4a").write_bytes(data[:data.rindex(b"moov") - 4])
    return ["analyze", "a.m4a"], says("moov atom not found")


# MIDI

@case("data byte above 127", G + "mido/mido/issues/63", "refused with the place", "MIDI 1.0")
def _(folder):
    return sung(folder, midi(track((0, on(60)), (480, bytes([0x80, 200, 0]))))), \
        says("damaged at byte 29: 0xC8 found, expected a data byte below 0x80")


@case("running status after a meta event", G + "gomidi/midi/issues/20", "refused with the place", "RP-001")
def _(folder):
    return sung(folder, midi(track((0, on(60)), (9, b"\xff\x01\x02%+"), (480, bytes([60, 0]))))), \
        says("0x3C found, expected a status byte")


@case("bytes between the end of a track and the next", G + "craigsapp/midifile/issues/31", "all notes",
      "the chunk's length")
def _(folder):
    first = track((0, on(60)), (480, off(60)), end=b"\0\xff\x2f\0\x85\x01\x02")
    return sung(folder, midi(first, track((0, on(67)), (480, off(67))))), target(391.995)


@case("MIDI in RIFF (.rmi)", G + "FluidSynth/fluidsynth/issues/1356", "read", "RP-029")
def _(folder):
    file = midi(track((0, on(67)), (480, off(67))))
    body = b"RMID" + chunk("data", file)
    return sung(folder, b"RIFF" + struct.pack("<I", len(body)) + body, name="a.rmi"), target(391.995)


@case("corrupt pitch values", G + "craffel/pretty-midi/issues/34", "refused with the place", "MIDI 1.0")
def _(folder):
    return sung(folder, midi(track((0, bytes([0x97, 253, 75]))))), says("0xFD found, expected a data byte")


# Scala

STEPS = ["16/15", "9/8", "6/5", "5/4", "4/3", "45/32", "3/2", "8/5", "5/3", "9/5", "15/8", "2/1"]
JUST_C5 = 440 * 3 / 5 * 2  # A4 is 5/3 above C4


@case("empty line among the pitches", G + "surge-synthesizer/surge/issues/3830", "refused with the line",
      "each pitch is on a line")
def _(folder):
    return tuned(folder, "! x\njust\n12\n" + "\n".join(STEPS[:3] + [""] + STEPS[3:]) + "\n"), says("line 7: ''")


@case("text after a pitch", G + "sugarlabs/musicblocks/issues/8871", "ignored", "the format's page")
def _(folder):
    return tuned(folder, "! x\njust\n12\n" + "\n".join(f" {s}   E\\ ! x" for s in STEPS) + "\n"), target(JUST_C5)


@case("blanks around the slash", G + "AudioKit/AudioKit/pull/951", "ignored", "the format's page")
def _(folder):
    return tuned(folder, "! x\njust\n12\n" + "\n".join(s.replace("/", " / ") for s in STEPS) + "\n"), target(JUST_C5)


@case("697//441", G + "cuthbertLab/music21/pull/2003", "refused with the line", "the format's page")
def _(folder):
    return tuned(folder, "! x\nx\n2\n697//441\n2/1\n"), says("line 4: '697//441' is no pitch")


@case("pitches below 1/1", G + "nysthi/nysthi/issues/31", "read: 10/20 is an octave down", "the format's page")
def _(folder):
    return tuned(folder, "! x\nx\n12\n" + "\n".join(["10/20"] + STEPS[1:]) + "\n"), target(JUST_C5)


@case("no pitches at all", G + "surge-synthesizer/surge/issues/828", "refused with the line", "nothing repeats")
def _(folder):
    return tuned(folder, "! x\nx\n0\n"), says("line 3: '0' is no count")


# Truth

def imported(folder, files):
    (folder / "set").mkdir()
    soundfile.write(folder / "set" / "a.wav", voice(), RATE)
    for name, data in files.items():
        (folder / "set" / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return ["corpus", "import", "generic", "set", "--corpus", "corpus", "--quiet"]


def grid(text="ah", start="0"):
    return ('File type = "ooTextFile"\nObject class = "TextGrid"\n\n'
            f'xmin = {start}\nxmax = 1\ntiers? <exists>\nsize = 1\nitem []:\n    item [1]:\n'
            f'        class = "IntervalTier"\n        name = "phones"\n        xmin = {start}\n        xmax = 1\n'
            f'        intervals: size = 1\n        intervals [1]:\n            xmin = {start}\n'
            f'            xmax = 1\n            text = "{text}"\n')


SHORT = ('File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n1\n"IntervalTier"\n"phones"\n0\n1\n'
         '1\n0\n1\n"t"\n')
COMMENTED = ('"ooTextFile"\n"TextGrid"\n0 1 ! time domain of TextGrid\n<exists>\n1 tiers\n"IntervalTier" "phones" '
             '! type and name\n0 1 ! time domain\n1 interval coming\n0 1 "t" ! interval 1\n')

for title, link, data in (
    ("TextGrid with a byte order mark", "Legisign/Praat-textgrids/issues/11", b"\xef\xbb\xbf" + grid().encode()),
    ("TextGrid in UTF-16", "bbTomas/rPraat/issues/1", grid("ö").encode("utf-16")),
    ("short TextGrid", "mlml/autovot/issues/63", SHORT.encode()),
    ("TextGrid with comments", "FieldDB/PraatTextGridJS/issues/3", COMMENTED.encode()),
    ("TextGrid from -0 on", "timmahrt/praatIO/issues/34", grid(start="-0").encode()),
):
    @case(title, G + link, "read: one phone", "Praat's manual")
    def _(folder, data=data):
        return imported(folder, {"a.TextGrid": data}), says("truth: phones 1")


@case("pitch in cents", G + "s603122001/Vocal-Melody-Extraction/issues/2", "refused", "mir_eval: 20 to 5000 Hz")
def _(folder):
    rows = "".join(f"{i / 100},{5851 - i}\n" for i in range(100))
    return imported(folder, {"a.f0.csv": "time_s,f0_hz\n" + rows}), says("median pitch is 58\\d\\d.* Hz")


@case("pitch with semicolons", G + "rwc-music/rwc-annotations/issues/252", "read", "how it was made")
def _(folder):
    rows = "".join(f"{i / 100};220\n" for i in range(100))
    return imported(folder, {"a.f0.csv": "t;f\n" + rows}), says("truth: f0 1")


@case("pitch that begins after 0", G + "tandav/pitch-detectors/issues/37", "read", "how it was made")
def _(folder):
    rows = "".join(f"{i / 100},220\n" for i in range(30, 100))
    return imported(folder, {"a.f0.csv": "time_s,f0_hz\n" + rows}), says("truth: f0 1")


def main(program):
    program = str(pathlib.Path(program).resolve())
    wrong = 0
    print("| case | report | right, by | answer |\n| --- | --- | --- | --- |")
    for name, report, right, source, make in CASES:
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            words, accepts = make(folder)
            user = pathlib.Path(program).with_name("choir") if words[0] == "harmonize" else program
            done = subprocess.run([user, *words], cwd=folder, capture_output=True, text=True, errors="replace")
            try:
                outputs = [text.strip() for text in (done.stdout, done.stderr)]
                answers = [accepts(text) for text in outputs if text not in ("", "[]")]
                good, answer = next((a for a in answers if a[0]), answers[0])
            except (ValueError, KeyError, IndexError) as problem:
                good, answer = False, f"{problem}: {done.stdout[:80]}{done.stderr[:200]}"
            wrong += not good
            mark = "" if good else "**WRONG** "
            print(f"| {name} | {report} | {right}; {source} | {mark}{answer} |")
    print(f"\n{len(CASES)} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
