"""Measures impulse responses of reverbs: a second opinion, apart from the project's own code.

    python3 -m venv judge
    judge/bin/pip install numpy==2.4.6 scipy==1.17.1 soundfile==0.14.0
    judge/bin/python scripts/peers/reverb.py RESPONSE.wav ... [--decay-seconds 2]

A response is what a reverb, all wet, gives for one sample of 1 and silence after it. For each file:

    125 ... 8000   T30 in seconds in the octave (Schroeder's integral, backward filter of order 6,
                   line through -5 to -35 dB); decay curves of all channels are added up
    dense_ms       when the normalized echo density of Abel and Huang (2006) first is 0.9, left channel
    deviation_db   standard deviation of the levels of the late spectrum from 200 to 8000 Hz, decay
                   taken out, 0.15 s on, up to 0.5 s; noise has 5.57. For decays alike at all
                   frequencies; needs --decay-seconds
    repetition     largest autocorrelation of the same stretch between 1 and 200 ms
    common         correlation of left and right
"""

import argparse

import numpy as np
import soundfile
from scipy.signal import butter, sosfilt
from scipy.special import erfc

OCTAVES_HZ = (125, 250, 500, 1000, 2000, 4000, 8000)


def decay_seconds(channels, octave_hz, rate):
    band = [octave_hz / 2**0.5, octave_hz * 2**0.5]
    sos = butter(3, band, "bandpass", fs=rate, output="sos")
    curve = sum(np.cumsum(sosfilt(sos, x[::-1]) ** 2)[::-1] for x in channels)
    level_db = 10 * np.log10(curve / curve[0] + 1e-30)
    start, end = np.argmax(level_db < -5), np.argmax(level_db < -35)
    if end == 0:
        return None
    slope = np.polyfit(np.arange(start, end) / rate, level_db[start:end], 1)[0]
    return -60 / slope


def dense_ms(response, rate, share=0.9):
    count = int(0.02 * rate)
    window = np.hanning(count) / np.hanning(count).sum()
    for middle in range(count // 2, len(response) - count, rate // 200):
        part = response[middle - count // 2 : middle - count // 2 + count]
        deviation = np.sqrt((window * part**2).sum())
        if (window * (abs(part) > deviation)).sum() / erfc(0.5**0.5) > share:
            return 1000 * middle / rate
    return None


def late(response, rate, decay_s):
    """Deviation of the spectrum in dB, and the largest autocorrelation."""
    start = int(0.15 * rate)
    count = min(int(min(0.8 * decay_s, 0.5) * rate), len(response) - start)
    steady = response[start : start + count] * 10 ** (3 * np.arange(count) / rate / decay_s)
    steady *= np.hanning(count)
    hz = np.fft.rfftfreq(count, 1 / rate)
    level_db = 20 * np.log10(abs(np.fft.rfft(steady)) + 1e-12)
    deviation = np.std(level_db[(hz > 200) & (hz < 8000)])
    hz = np.fft.rfftfreq(2 * count, 1 / rate)
    power = abs(np.fft.rfft(steady, 2 * count)) ** 2 * ((hz > 200) & (hz < 8000))
    correlation = np.fft.irfft(power)
    correlation /= correlation[0]
    return deviation, abs(correlation[rate // 1000 : rate // 5]).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("responses", nargs="+")
    parser.add_argument("--decay-seconds", type=float)
    arguments = parser.parse_args()
    print(*OCTAVES_HZ, "dense_ms", "deviation_db", "repetition", "common", "file", sep="\t")
    for path in arguments.responses:
        sound, rate = soundfile.read(path, always_2d=True)
        channels = list(sound.T)
        row = [decay_seconds(channels, hz, rate) for hz in OCTAVES_HZ]
        row.append(dense_ms(channels[0], rate))
        if arguments.decay_seconds:
            row += late(channels[0], rate, arguments.decay_seconds)
        else:
            row += [None, None]
        row.append(np.corrcoef(sound[:, 0], sound[:, 1])[0, 1] if len(channels) > 1 else None)
        print(*("-" if v is None else f"{v:.3f}" for v in row), path, sep="\t")


if __name__ == "__main__":
    main()
