#!/usr/bin/env python3
"""Cuts the recordings of people that come with the corpus, and annotates their pitch by a jury.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 pyworld==0.3.5 librosa==0.11.0 \\
        soundfile==0.14.0 numpy==2.4.6 scipy==1.17.1 pysptk==1.0.1 matplotlib
    judge/bin/python scripts/corpus/annotate.py cut FOLDER      # the makers' files, as FLAC or WAV
    judge/bin/python scripts/corpus/annotate.py pitch           # NAME.f0.csv and the rest
    judge/bin/python scripts/corpus/annotate.py plot FOLDER     # pictures of what the jury says

Corpus/people holds what a person decided: recordings.csv, which part of which file and the range to
look for a pitch in; labels.csv, the notes, words and phones; corrections.csv, where the jury is
overruled, and why. `cut` and `pitch` write to Corpus/audio/people, and the checksums to the rows of
Corpus/manifest.csv.

Five trackers read every 5 ms: choir-eval, Praat's autocorrelation, pYIN, WORLD's Harvest and SPTK's
SWIPE'. Where three or more lie within 50 cents of one of them, the pitch is their median and
uncertainty_cents is the distance of the farthest of them. Where three or more hear no voice, the pitch
is 0. Any other frame has no row: it is not known. A correction of a stretch is one of

    unknown     leave the stretch out
    unvoiced    no voice
    near HZ     the median of the trackers within 300 cents of HZ, at least two

A recording whose range is empty gets no pitch: a quartet has four at a time. Where the makers' pitch was
checked by a person (`TAKE.f0.csv` beside the take), `cut` puts it into Corpus/people/given, and it
stands instead of the jury; `pitch` says how far they agree.
"""

import argparse
import csv
import hashlib
import io
import pathlib
import subprocess
import tempfile

import librosa
import numpy as np
import parselmouth
import pysptk
import pyworld
import soundfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "Corpus"
PEOPLE, AUDIO = CORPUS / "people", CORPUS / "audio" / "people"
HOP_S = 0.005
AGREE_CENTS, NEAR_CENTS = 50, 300
KINDS = ("f0", "lyrics", "notes", "phones", "words")
FIELDS = {"f0": "time_s,f0_hz,uncertainty_cents", "notes": "onset_s,offset_s,f0_hz,uncertainty_cents",
          "phones": "onset_s,offset_s,label", "words": "onset_s,offset_s,label"}


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def suffix(kind):
    return ".lyrics.txt" if kind == "lyrics" else f".{kind}.csv"


def write(path, header, rows):
    path.write_text("\n".join([header, *(",".join(row) for row in rows)]) + "\n", encoding="utf-8")


# Sound


def cut(row, folder):
    """Writes the excerpt as 16 bits; 24 bits are rounded with triangular dither of a fixed seed."""
    take = next(path for ending in ("flac", "wav") if (path := folder / f"{row['take']}.{ending}").exists())
    sound, rate = soundfile.read(take, always_2d=True)
    sound = sound.mean(axis=1)[round(float(row["start_s"]) * rate):round(float(row["end_s"]) * rate)]
    if soundfile.info(take).subtype != "PCM_16":
        random = np.random.default_rng(int.from_bytes(row["id"].encode()[:8], "big"))
        sound = sound + (random.random(len(sound)) - random.random(len(sound))) / 2**15
    samples = np.clip(np.rint(sound * 2**15), -(2**15), 2**15 - 1).astype(np.int16)
    AUDIO.mkdir(parents=True, exist_ok=True)
    soundfile.write(AUDIO / f"{row['id']}.flac", samples, rate, subtype="PCM_16")
    given = folder / f"{row['take']}.f0.csv"
    if given.exists() and row["lowest_hz"]:
        points = np.loadtxt(given, delimiter=",", skiprows=1)
        start, end = float(row["start_s"]), float(row["end_s"])
        (PEOPLE / "given").mkdir(exist_ok=True)
        write(PEOPLE / "given" / f"{row['id']}.f0.csv", "time_s,f0_hz", (
            (f"{time - start:.6f}", f"{hz:.4f}" if hz else "0")
            for time, hz in points if start <= time < end))


# Jury


def at(times, places, f0):
    """Pitch at instants: on a line of semitones between voiced frames, 0 if the nearest is unvoiced."""
    nearest = np.clip(np.searchsorted((places[1:] + places[:-1]) / 2, times), 0, len(places) - 1)
    voiced = f0 > 0
    line = 2 ** np.interp(times, places, np.log2(np.where(voiced, f0, 1)))
    whole = np.interp(times, places, voiced.astype(float)) > 1 - 1e-9
    value = np.where(whole, line, np.maximum(f0[nearest], 0))
    return np.where((times < places[0] - HOP_S) | (times > places[-1] + HOP_S), 0, value)


def own(program, sound, rate, low, high):
    with tempfile.NamedTemporaryFile(suffix=".wav") as wav, tempfile.NamedTemporaryFile(suffix=".csv") as out:
        soundfile.write(wav.name, sound, rate, subtype="FLOAT")
        subprocess.run(
            [program, "analyze", "--force", wav.name, "--hop-ms", str(1000 * HOP_S), "--write", "f0", "--output", out.name],
            check=True, capture_output=True)
        columns = np.genfromtxt(out.name, delimiter=",", names=True)
    f0 = columns["f0_hz"]
    return columns["time_s"], np.where((f0 >= low) & (f0 <= high), f0, 0)


def praat(sound, rate, low, high):
    track = parselmouth.Sound(sound, rate).to_pitch_ac(
        time_step=HOP_S, pitch_floor=low, pitch_ceiling=high)
    return track.xs(), track.selected_array["frequency"]


def pyin(sound, rate, low, high):
    hop = round(HOP_S * rate)
    length = 2 ** int(np.ceil(np.log2(4 * rate / low)))
    f0, voiced, _ = librosa.pyin(sound, fmin=low, fmax=high, sr=rate, frame_length=length, hop_length=hop)
    return np.arange(len(f0)) * hop / rate, np.where(voiced, f0, 0)


def harvest(sound, rate, low, high):
    f0, times = pyworld.harvest(sound, rate, f0_floor=low, f0_ceil=high, frame_period=1000 * HOP_S)
    return times, f0


def swipe(sound, rate, low, high):
    hop = round(HOP_S * rate)
    f0 = pysptk.swipe(sound, rate, hop, min=low, max=high)
    return np.arange(len(f0)) * hop / rate, f0


def jury(program, row, cache=None):
    """The times, and by tracker the pitch at each; kept in the folder `cache`, if there is one."""
    if cache:
        key = hashlib.sha256((AUDIO / f"{row['id']}.flac").read_bytes())
        key.update(f"{row['lowest_hz']} {row['highest_hz']}".encode())
        cache.mkdir(parents=True, exist_ok=True)
        path = cache / f"{key.hexdigest()[:32]}.npz"
        if not path.exists():
            times, tracks = jury(program, row)
            np.savez(path, times=times, **tracks)
        with np.load(path) as stored:
            return stored["times"], {name: stored[name] for name in stored.files if name != "times"}
    sound, rate = soundfile.read(AUDIO / f"{row['id']}.flac")
    times = np.arange(0, len(sound) / rate, HOP_S)
    low, high = float(row["lowest_hz"]), float(row["highest_hz"])
    tracks = {
        "choir-eval": own(program, sound, rate, low, high), "praat": praat(sound, rate, low, high),
        "pyin": pyin(sound, rate, low, high), "harvest": harvest(sound, rate, low, high),
        "swipe": swipe(sound, rate, low, high)}
    return times, {name: at(times, *track) for name, track in tracks.items()}


def cluster(pitches, width, least):
    """Median of the largest group within `width` cents of one member, and its farthest member's cents."""
    best = ()
    for hz in pitches:
        group = [other for other in pitches if abs(1200 * np.log2(other / hz)) <= width]
        if len(group) > len(best):
            best = group
    if len(best) < least:
        return None
    middle = float(2 ** np.median(np.log2(best)))
    return middle, max(abs(1200 * np.log2(hz / middle)) for hz in best)


def verdict(heard):
    """Pitch and uncertainty of one frame; pitch 0 is unvoiced, `None` unknown."""
    voiced = [hz for hz in heard if hz > 0]
    majority = len(heard) // 2 + 1
    if len(heard) - len(voiced) >= majority:
        return 0.0, None
    return cluster(voiced, AGREE_CENTS, majority)


def corrected(correction, heard):
    what, *value = correction["what"].split()
    if what == "unknown":
        return None
    if what == "unvoiced":
        return 0.0, None
    assert what == "near", correction
    near = [hz for hz in heard if hz > 0 and abs(1200 * np.log2(hz / float(value[0]))) <= NEAR_CENTS]
    return cluster(near, AGREE_CENTS, 2)


def judged(row, times, tracks):
    """The verdict on every frame, and how many the jury decided and a person corrected."""
    corrections = [c for c in table(PEOPLE / "corrections.csv") if c["id"] == row["id"]]
    frames, counts = [], {"voiced": 0, "unvoiced": 0, "unknown": 0, "corrected": 0}
    for index, time in enumerate(times):
        heard = [track[index] for track in tracks.values()]
        said = verdict(heard)
        for correction in corrections:
            if float(correction["start_s"]) <= time < float(correction["end_s"]):
                counts["corrected"] += 1
                said = corrected(correction, heard)
        counts["unknown" if said is None else "voiced" if said[0] else "unvoiced"] += 1
        frames.append(said)
    return frames, counts


# Annotations


def points(row, times, frames):
    """The pitch to write: a person's where the makers give one, else the jury's."""
    given = PEOPLE / "given" / f"{row['id']}.f0.csv"
    if given.exists():
        return [(float(p["time_s"]), float(p["f0_hz"]), None) for p in table(given)]
    return [(time, *said) for time, said in zip(times, frames) if said is not None]


def of_note(label, pitch):
    """The median pitch of the middle three fifths of a note, and half the distance of its quartiles."""
    onset, offset = float(label["onset_s"]), float(label["offset_s"])
    edge = 0.2 * (offset - onset)
    inside = [hz for time, hz, _ in pitch if hz > 0 and onset + edge <= time <= offset - edge]
    if not inside:
        raise SystemExit(f"{label['id']}: no pitch is known in the note at {onset} s; label it otherwise")
    low, middle, high = 1200 * np.log2(np.percentile(inside, (25, 50, 75)))
    return 2 ** (middle / 1200), (high - low) / 2


def annotations(row, times, frames):
    """The text of each file by kind."""
    files = {}
    pitch = points(row, times, frames) if frames is not None else []
    if frames is not None:
        files["f0"] = [
            (f"{time:.6f}", f"{hz:.4f}" if hz else "0", "" if cents is None else f"{cents:.2f}")
            for time, hz, cents in pitch]
    labels = [label for label in table(PEOPLE / "labels.csv") if label["id"] == row["id"]]
    for label in labels:
        kind, span = label["kind"], (f"{float(label['onset_s']):.3f}", f"{float(label['offset_s']):.3f}")
        if kind == "notes":
            hz, cents = of_note(label, pitch)
            files.setdefault(kind, []).append((*span, f"{hz:.4f}", f"{cents:.2f}"))
        else:
            files.setdefault(kind, []).append((*span, label["label"]))
    texts = {}
    for kind, rows in files.items():
        texts[kind] = "\n".join([FIELDS[kind], *(",".join(row) for row in rows)]) + "\n"
    if row["lyrics"]:
        texts["lyrics"] = row["lyrics"].replace(" / ", "\n") + "\n"
    return texts


def update_manifest():
    """Writes the checksums of the recordings of people into their rows; other rows stay as they are."""
    path = CORPUS / "manifest.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    header = lines[0].split(",")
    for number, line in enumerate(lines):
        row = dict(zip(header, next(csv.reader([line]))))
        if not row["file"].startswith("people/"):
            continue
        sound = AUDIO.parent / row["file"]
        beside = {kind: sound.with_suffix(suffix(kind)) for kind in KINDS}
        row["sha256"] = digest(sound)
        row["truth"] = " ".join(f"{kind}={digest(file)}" for kind, file in beside.items() if file.exists())
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow(row.values())
        lines[number] = out.getvalue()
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def agreement(row, times, frames):
    """How the jury's voiced frames lie to the makers' pitch, in words; nothing without one."""
    given = PEOPLE / "given" / f"{row['id']}.f0.csv"
    if not given.exists():
        return ""
    theirs = np.array([(float(p["time_s"]), float(p["f0_hz"])) for p in table(given)])
    known = [(time, said[0]) for time, said in zip(times, frames) if said and said[0] > 0]
    pitch = at(np.array([time for time, _ in known]), theirs[:, 0], theirs[:, 1])
    both = pitch > 0
    cents = 1200 * np.log2(np.array([hz for _, hz in known])[both] / pitch[both])
    return (
        f"; of the makers' pitch: median {np.median(cents):+.1f} cents, "
        f"{100 * np.mean(np.abs(cents) <= 50):.1f} % within 50 cents, voiced both "
        f"{100 * np.mean(both):.1f} %")


# Pictures


def plot(row, times, tracks, frames, target):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    sound, rate = soundfile.read(AUDIO / f"{row['id']}.flac")
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(17, 10), sharex=True, height_ratios=(2, 1))
    length = int(2 ** np.round(np.log2(0.04 * rate)))
    ceiling = min(4000, 6 * float(row["highest_hz"] or 900))
    noisy = sound + 1e-6 * np.random.default_rng(1).standard_normal(len(sound))
    top.specgram(
        noisy, NFFT=length, noverlap=length * 7 // 8, Fs=rate, pad_to=4 * length, cmap="gray_r",
        vmin=-130, vmax=-35)
    top.set_ylim(0, ceiling)
    colours = dict(zip(("choir-eval", "praat", "pyin", "harvest", "swipe"), ("C0", "C1", "C2", "C3", "C4")))
    for name, track in (tracks or {}).items():
        where = track > 0
        for axis in (top, bottom):
            axis.plot(times[where], track[where], ".", ms=3, color=colours[name], label=name)
    if frames:
        known = np.array([said[0] if said and said[0] > 0 else np.nan for said in frames])
        bottom.plot(times, known, "k-", lw=0.8, label="jury")
        unknown = np.array([said is None for said in frames])
        bottom.plot(times[unknown], np.full(unknown.sum(), float(row["lowest_hz"])), "r|", ms=14)
        bottom.set_yscale("log")
        bottom.set_ylim(float(row["lowest_hz"]) * 0.95, float(row["highest_hz"]) * 1.05)
        bottom.legend(fontsize=6, loc="upper right", ncols=6)
    for label in table(PEOPLE / "labels.csv"):
        if label["id"] == row["id"]:
            height = {"notes": 0.9, "words": 0.97, "phones": 0.83}[label["kind"]] * ceiling
            top.axvline(float(label["onset_s"]), color="b", lw=0.4)
            top.axvline(float(label["offset_s"]), color="r", lw=0.4)
            top.text(float(label["onset_s"]), height, label["label"] or "note", color="b", fontsize=8)
    top.set_title(row["id"])
    seconds = len(sound) / rate
    for axis in (top, bottom):
        axis.set_xlim(0, seconds)
        axis.grid(alpha=0.3)
        axis.xaxis.set_major_locator(plt.MultipleLocator(0.1 if seconds < 4.2 else 0.2))
    bottom.tick_params(axis="x", labelrotation=90, labelsize=7)
    figure.tight_layout()
    figure.savefig(target, dpi=75)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", choices=("cut", "pitch", "plot"))
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--choir-eval", default=str(ROOT / ".build/release/choir-eval"))
    parser.add_argument("--only", nargs="*", help="ids")
    parser.add_argument("--cache", type=pathlib.Path, help="folder to keep the trackers' answers in")
    arguments = parser.parse_args()
    if arguments.work != "pitch" and not arguments.folder:
        parser.error(f"{arguments.work} needs a folder")
    for row in table(PEOPLE / "recordings.csv"):
        if arguments.only and row["id"] not in arguments.only:
            continue
        if arguments.work == "cut":
            cut(row, arguments.folder)
            continue
        times, tracks = jury(arguments.choir_eval, row, arguments.cache) if row["lowest_hz"] else (None, None)
        frames, counts = judged(row, times, tracks) if tracks else (None, {})
        if arguments.work == "plot":
            arguments.folder.mkdir(parents=True, exist_ok=True)
            plot(row, times, tracks, frames, arguments.folder / f"{row['id']}.png")
            continue
        texts = annotations(row, times, frames)
        for kind in KINDS:
            file = AUDIO / f"{row['id']}{suffix(kind)}"
            file.unlink(missing_ok=True)
            if kind in texts:
                file.write_text(texts[kind], encoding="utf-8")
        print(
            f"{row['id']}: " + ", ".join(f"{count} {name}" for name, count in counts.items())
            + (agreement(row, times, frames) if frames else "no pitch"), flush=True)
    if arguments.work != "plot":
        update_manifest()


if __name__ == "__main__":
    main()
