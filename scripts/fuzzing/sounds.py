"""Small sound files written by hand in several formats, to be damaged."""

import math
import struct

RATE = 16_000
SECONDS = 0.4


def voice(rate=RATE, seconds=SECONDS, hz=220.0):
    """A steady tone of twelve harmonics: something that every part of the toolkit takes for a voice."""
    return [
        0.2 * sum(math.sin(2 * math.pi * hz * k * i / rate) / k for k in range(1, 13) if hz * k < rate / 2)
        for i in range(int(rate * seconds))
    ]


def pcm16(samples, order="<"):
    return struct.pack(f"{order}{len(samples)}h", *(int(32767 * max(-1, min(1, x))) for x in samples))


def pcm24(samples):
    return b"".join(struct.pack("<i", int(8388607 * max(-1, min(1, x))))[:3] for x in samples)


def float32(samples, order="<"):
    return struct.pack(f"{order}{len(samples)}f", *samples)


def wav(data, rate=RATE, code=1, bits=16, channels=1):
    frame = channels * bits // 8
    form = struct.pack("<HHIIHH", code, channels, rate & 0xFFFFFFFF, rate * frame & 0xFFFFFFFF, frame, bits)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def extended(rate):
    """An 80-bit float, as AIFF has its rate; infinity and not-a-number too."""
    if rate != rate:
        return b"\x7f\xff\xc0" + bytes(7)
    if math.isinf(rate):
        return b"\x7f\xff\x80" + bytes(7)
    if rate <= 0:
        return bytes(10)
    mantissa, exponent = math.frexp(rate)
    return struct.pack(">HQ", exponent + 16382, min(2**64 - 1, int(mantissa * 2**64)))


def aiff(samples, rate=RATE):
    data = pcm16(samples, ">")
    comm = struct.pack(">hIh", 1, len(samples), 16) + extended(rate)
    ssnd = struct.pack(">II", 0, 0) + data
    body = b"AIFFCOMM" + struct.pack(">I", len(comm)) + comm + b"SSND" + struct.pack(">I", len(ssnd)) + ssnd
    return b"FORM" + struct.pack(">I", len(body)) + body


def au(samples, rate=RATE):
    data = pcm16(samples, ">")
    return b".snd" + struct.pack(">IIIII", 24, len(data), 3, rate, 1) + data


def caf(samples, rate=RATE):
    desc = struct.pack(">d4sIIIII", rate, b"lpcm", 0, 2, 1, 1, 16)
    data = struct.pack(">I", 0) + pcm16(samples, ">")
    return (b"caff" + struct.pack(">HH", 1, 0) + b"desc" + struct.pack(">q", len(desc)) + desc
            + b"data" + struct.pack(">q", len(data)) + data)


def uncompressed():
    """Sound files by name; a file of these that was cut short can be told from a whole one."""
    tone = voice()
    both = [x for pair in zip(tone, tone) for x in pair]
    return {
        "pcm16.wav": wav(pcm16(tone)),
        "pcm24.wav": wav(pcm24(tone), bits=24),
        "float.wav": wav(float32(tone), code=3, bits=32),
        "stereo.wav": wav(pcm16(both), channels=2),
        "tone.aiff": aiff(tone),
        "tone.au": au(tone),
        "tone.caf": caf(tone),
    }


def bad_rates(random):
    """A sound file that states a rate nobody records at."""
    tone = voice()
    rate = random.choice([0, 1, 2, 7, 100, 7_999, 192_001, 384_000, 2**31 - 1, 2**31, 2**32 - 1])
    odd = random.choice([float("nan"), float("inf"), float("-inf"), -48_000.0, 0.0, 1e-300, 1e300])
    return random.choice([
        ("rate.wav", wav(pcm16(tone), rate=rate)),
        ("rate.wav", wav(float32(tone), rate=rate, code=3, bits=32)),
        ("rate.aiff", aiff(tone, rate=random.choice([float(rate), float("nan"), float("inf")]))),
        ("rate.au", au(tone, rate=rate)),
        ("rate.caf", caf(tone, rate=odd)),
    ])


def bad_samples(random):
    """A sound of 32-bit floats, some of which are no numbers or beyond any loudness."""
    tone = voice()
    for _ in range(random.choice([1, 5, 1000])):
        tone[random.randrange(len(tone))] = random.choice([float("nan"), float("inf"), -float("inf"), 1e30, -3e38])
    return "samples.wav", wav(float32(tone), code=3, bits=32)


def midi(random=None):
    """A cadence in two tracks, with a tempo, a pedal and a bend."""
    tempo = b"\x00\xff\x51\x03\x07\xa1\x20" + b"\x00\xff\x58\x04\x04\x02\x18\x08" + b"\x00\xff\x2f\x00"
    notes = b""
    for start, chord in [(0, (48, 64, 67)), (96, (53, 60, 69)), (96, (55, 62, 71))]:
        for i, key in enumerate(chord):
            notes += bytes([start if i == 0 else 0, 0x90, key, 80])
        notes += b"\x10\xb0\x40\x7f" + b"\x10\xe0\x00\x50" + b"\x10\xe0\x00\x40" + b"\x10\xb0\x40\x00"
        for key in chord:
            notes += bytes([8, 0x80, key, 0])
    notes += b"\x00\xff\x2f\x00"
    tracks = [tempo, notes]
    return b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), 96) + b"".join(
        b"MTrk" + struct.pack(">I", len(track)) + track for track in tracks)
