"""Hostile cases, format by format: files in a folder, a command on them, and whether it may succeed."""

import pathlib
import re
import shutil
import sqlite3
from dataclasses import dataclass, field

import mutation
import sounds


# The commands of `choir`; all others are those of `choir-eval`.
INSTRUMENT = {"harmonize", "autotune", "effects", "presets", "chords", "synth", "live", "play", "project", "timing"}


@dataclass
class Case:
    """A command in a folder of its own."""

    arguments: list
    # What was done to which file.
    damage: str
    # Why success would be wrong; None where the damage may leave something usable.
    must_refuse: str | None = None
    # Files of sound and numbers that the command may write, to be looked at when it succeeds.
    outputs: list = field(default_factory=list)
    # Standard output goes to a full device: success would hide that it was lost.
    output_is_lost: bool = False


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


# Sound


def audio(random, folder, seeds):
    whole = {**seeds.sounds, **sounds.uncompressed()}
    kind = random.random()
    must_refuse = None
    if kind < 0.15:
        name, data = sounds.bad_rates(random)
        damage, must_refuse = "bad rate", "the sample rate is outside 8 to 192 kHz"
    elif kind < 0.25:
        name, data = sounds.bad_samples(random)
        damage = "bad samples"
    elif kind < 0.4:
        # Cut within the sound, where its header says that there is more.
        name = random.choice(sorted(sounds.uncompressed()))
        data = whole[name][: random.randrange(100, len(whole[name]) - 64)]
        damage, must_refuse = "cut", "the file ends before its header says"
    else:
        name = random.choice(sorted(whole))
        data, damage = mutation.bytes_mutated(random, whole[name])
    write(folder / name, data)
    write(folder / "good.wav", whole["pcm16.wav"])
    shift = random.choice(["-12", "-5", "4", "7", "12"])
    command = random.choice([
        ["analyze", name, "--json"],
        ["analyze", name, "--write", "f0,notes,formants"],
        ["harmonize", name, "out.wav", "--intervals", shift, "--engine",
         random.choice(["delayline", "psola", "vocoder", "offline"])],
        ["autotune", name, "out.wav", "--key", "A minor"],
        ["effects", name, "out.wav", "--chain", random.choice(["compressor > reverb", "chorus", "dry", "echo"])],
        ["compare", "good.wav", name, "--json"],
        ["corpus", "add", name, "--corpus", "C", "--licence", "CC0-1.0", "--voice", "alto", "--shows", "x",
         "--attribution", "y", "--id", "new"],
    ])
    return Case(command, f"{name}: {damage}", must_refuse, ["out.wav", "f0.csv", "notes.csv", "formants.csv"])


# YAML, and the texts beside it

PLAN = """\
name: small
title: Small
subject: reference
recordings: [tone]
conditions: [clean, "noise(snrDb=20,colour=pink)"]
scores:
  - id: third
    intervalsSemitones: [4, -5]
settings:
  engine: [delayline]
  windowMs: [20]
  crossfadeMs: [5, 10]
constraints: [crossfadeMs <= windowMs / 2]
listen: [tone]
limitSeconds: 600
"""

SCORES = ["""\
id: chords
title: Chords by name
lowestNote: C3
chords:
  - {atSeconds: 0, chord: C}
  - {atSeconds: 0.1, chord: "Am7"}
  - {atSeconds: 0.2, chord: G7/B}
  - {atSeconds: 0.3, chord: rest}
""", """\
id: notes
notes:
  - {atSeconds: 0.0, press: [C3, G3, 64]}
  - {atSeconds: 0.1, press: [F4], release: [64]}
  - {atSeconds: 0.2, pedal: down}
  - {atSeconds: 0.3, release: [C3, G3, F4]}
""", """\
id: pads
pads:
  - {atSeconds: 0.1, chord: Am, forSeconds: 0.2, strumMs: 20, strum: up}
pedal:
  - {fromSeconds: 0.1, toSeconds: 0.3}
""", """\
id: degrees
key: C major
degrees: [-6, 3, 5]
""", """\
id: tuned
tuned: C major
"""]

SUBJECT = """\
id: copy
title: Gives back what it gets
kind: command
command: [cp, "{input}", "{output}"]
versionCommand: [cp, --version]
latencyMs: 12.5
timeoutSeconds: 5
memoryMB: 512
lengthToleranceMs: 100
settings:
  gain: 1
"""

GATE = """\
plan: plan.yaml
baseline: small.tsv
cells: 4
budgets:
  - {metric: pitch.abs_error, max: 25}
  - {metric: voice.missing, max: 0.1}
  - {metric: cpu.realtime_factor, of: median, max: 0.05}
"""

SCALA = """\
! scale.scl
!
A scale of seven
 7
!
 9/8
 5/4
 4/3
 701.955
 5/3
 15/8
 2/1
"""


def yaml(random, folder, seeds):
    shutil.copytree(seeds.corpus, folder / "C")
    texts = {
        "plan.yaml": (PLAN, ["run", "plan.yaml", "--corpus", "C", "--store", "s.sqlite", "--json"]),
        "score.yaml": (random.choice(SCORES),
                       ["harmonize", "good.wav", "out.wav", "--sequence", "score.yaml"]),
        "subject.yaml": (SUBJECT, random.choice([
            ["subjects", "subject.yaml"],
            ["run", "plan2.yaml", "--subject", "subject.yaml", "--corpus", "C", "--store", "s.sqlite"]])),
        "gate.yaml": (GATE, ["gate", "gate.yaml", "--corpus", "C", "--store", "s.sqlite", "--json"]),
        "scale.scl": (SCALA, ["harmonize", "good.wav", "out.wav", "--degrees", "3", "--key", "C major",
                              "--tuning", "scale.scl"]),
        "preset.json": (seeds.preset, ["harmonize", "good.wav", "out.wav", "--intervals", "4", "--preset", "preset.json"]),
    }
    name = random.choice(sorted(texts))
    text, command = texts[name]
    write(folder / "plan.yaml", PLAN)
    write(folder / "plan2.yaml", re.sub(r"settings:(.|\n)*?listen", "listen", PLAN))
    write(folder / "small.tsv", seeds.baseline)
    write(folder / "good.wav", seeds.sounds["pcm16.wav"])
    must_refuse = None
    kind = random.random()
    if kind < 0.2 and mutation.NUMBER.search(text):
        value = random.choice(mutation.NO_NUMBERS)
        data, damage = mutation.with_number(random, text, [value]).encode(), f"{value} for a number"
        must_refuse = f"{value} stands for a number"
    elif kind < 0.27 and name in ("plan.yaml", "score.yaml", "subject.yaml", "gate.yaml"):
        data, damage = (text + "wrongKey: 1\n").encode(), "unknown key"
        must_refuse = "a key that does not exist"
    elif kind < 0.32 and name not in ("preset.json", "scale.scl"):  # these may be UTF-16
        data, damage = mutation.utf16(random, text), "UTF-16 or -32"
        must_refuse = "the text is not UTF-8"
    else:
        data, damage = mutation.text_mutated(random, text)
    write(folder / name, data)
    return Case(command, f"{name}: {damage}", must_refuse, ["out.wav"])


# MIDI


def midi(random, folder, seeds):
    data = sounds.midi()
    must_refuse = None
    if random.random() < 0.2:
        # Within a track, whose length says that there is more.
        data, damage = data[: random.randrange(24, len(data) - 1)], "cut"
        must_refuse = "a track is shorter than it says"
    else:
        data, damage = mutation.bytes_mutated(random, data)
    write(folder / "notes.mid", data)
    write(folder / "good.wav", seeds.sounds["pcm16.wav"])
    command = random.choice([
        ["harmonize", "good.wav", "out.wav", "--midi", "notes.mid", "--stems", "stems", "--truth", "truth.csv"],
        ["harmonize", "good.wav", "out.wav", "--midi", "notes.mid", "--allocate", "oldest"],
        ["autotune", "good.wav", "out.wav", "--midi", "notes.mid", "--truth", "truth.csv"],
    ])
    return Case(command, f"notes.mid: {damage}", must_refuse, ["out.wav", "truth.csv"])


# TextGrid and the other annotations beside a sound

TEXTGRID = """\
File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 0.4
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 0.4
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 0.2
            text = "la"
        intervals [2]:
            xmin = 0.2
            xmax = 0.4
            text = "lo"
    item [2]:
        class = "IntervalTier"
        name = "phones"
        xmin = 0
        xmax = 0.4
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 0.1
            text = "l"
        intervals [2]:
            xmin = 0.1
            xmax = 0.4
            text = "a"
"""


def textgrid(random, folder, seeds):
    must_refuse = None
    name = "tone.TextGrid" if random.random() < 0.8 else "tone.lab"
    text = TEXTGRID if name == "tone.TextGrid" else "0.0 0.1 l\n0.1 0.25 a\n0.25 0.4 o\n"
    if name == "tone.TextGrid" and random.random() < 0.2:
        # Before the last interval, which the header counts.
        data, damage = text[: random.randrange(60, text.rindex("text ="))].encode(), "cut"
        must_refuse = "the grid ends before the intervals it counts"
    else:
        data, damage = mutation.text_mutated(random, text)
    write(folder / "in" / name, data)
    write(folder / "in/tone.wav", seeds.sounds["pcm16.wav"])
    command = random.choice([
        ["corpus", "add", "in/tone.wav", "--corpus", "C", "--licence", "CC0-1.0", "--voice", "alto", "--shows", "x",
         "--attribution", "y"],
        ["corpus", "import", "generic", "in", "--corpus", "C", "--licence", "CC0-1.0"],
    ])
    return Case(command, f"{name}: {damage}", must_refuse, [
        "C/audio/added/tone.words.csv", "C/audio/added/tone.phones.csv", "C/audio/in/in-tone.words.csv",
        "C/audio/in/in-tone.phones.csv"])


# Tables

F0 = "time_s,f0_hz\n" + "".join(f"{i * 0.01:.2f},{220 + i % 3}\n" for i in range(40))
NOTES = "onset_s,offset_s,f0_hz,uncertainty_cents\n0.0,0.2,220,5\n0.2,0.4,247,5\n"
PHONES = "onset_s,offset_s,label\n0.0,0.2,a\n0.2,0.4,o\n"


def table(random, folder, seeds):
    must_refuse = None
    kind = random.random()
    write(folder / "in/tone.wav", seeds.sounds["pcm16.wav"])
    add = ["corpus", "add", "in/tone.wav", "--corpus", "C", "--licence", "CC0-1.0", "--voice", "alto", "--shows", "x",
           "--attribution", "y"]
    if kind < 0.5:
        name, text = random.choice([("in/tone.f0.csv", F0), ("in/tone.notes.csv", NOTES), ("in/tone.phones.csv", PHONES)])
        command = add
        if random.random() < 0.25:
            value = random.choice(["nan", "inf", "-inf", "1e999", "abc"])
            text = mutation.with_number(random, text.replace("\n0.0,", "\n0.00,", 1), [value])
            must_refuse = f"{value} stands for a number"
    elif kind < 0.7:
        shutil.copytree(seeds.corpus, folder / "C")
        write(folder / "plan.yaml", PLAN)
        name, text = "C/manifest.csv", seeds.manifest
        command = random.choice([
            ["corpus", "list", "--corpus", "C", "--json"], ["corpus", "verify", "--corpus", "C"],
            add, ["run", "plan.yaml", "--corpus", "C", "--store", "s.sqlite", "--dry-run"]])
    elif kind < 0.85:
        shutil.copytree(seeds.corpus, folder / "C")
        write(folder / "plan.yaml", PLAN)
        write(folder / "gate.yaml", GATE)
        name, text = "small.tsv", seeds.baseline
        command = ["gate", "gate.yaml", "--corpus", "C", "--store", "s.sqlite", "--format",
                   random.choice(["text", "json", "markdown", "junit", "sarif"])]
    else:
        name, text = "voices.csv", random.choice([
            "time_s,f0_hz\n0,220\n0.4,220\n", "voice,time_s,f0_hz\n1,0.0,220\n1,0.2,220\n2,0.0,277\n"])
        command = ["analyze", "in/tone.wav", "--voices-f0", "voices.csv", "--write", "voices", "--output", "out.csv"]
    if must_refuse:
        data, damage = text.encode(), must_refuse
    else:
        data, damage = mutation.text_mutated(random, text)
    write(folder / name, data)
    return Case(command, f"{name}: {damage}", must_refuse, ["out.csv"])


# Stores

HOSTILE_SQL = [
    None, b"", b"\x00\xff" * 8, "", "nan", "x" * 100_000, -1, 0, 2**31, 2**63 - 1, -(2**63), 1e308, float("inf"),
    "\x1b[31mred", "2024-99-99", "{}", "[[[[", "null", b"\x7f\xf8" * 4,
]


def store(random, folder, seeds):
    shutil.copytree(seeds.corpus, folder / "C")
    path = folder / "s.sqlite"
    must_refuse = None
    shutil.copy(seeds.store, path)
    kind = random.random()
    if kind < 0.35:
        data, damage = mutation.bytes_mutated(random, path.read_bytes())
        path.write_bytes(data)
    elif kind < 0.42:
        data = path.read_bytes()
        path.write_bytes(random.randbytes(16) + data[16:])
        damage, must_refuse = "another magic", "the file is no store"
    elif kind < 0.5:
        data = path.read_bytes()
        path.write_bytes(data[: 4096 * random.randrange(1, len(data) // 4096 - 1) + random.randrange(4096)])
        damage = "cut"
    else:
        damage = edit(random, path)
    shutil.copy(seeds.store, folder / "good.sqlite")
    write(folder / "plan.yaml", PLAN)
    at = ["--store", "s.sqlite", "--corpus", "C"]
    command = random.choice([
        ["report", *at, "--output", "R"], ["report", *at, "--format", "markdown"], ["export", *at],
        ["explain", "tone", "pitch.abs_error", *at, "--json", "--output", "E"],
        ["compare", "s.sqlite", "good.sqlite", "--json", "--corpus", "C"],
        ["merge", "s.sqlite", "--store", "new.sqlite"], ["merge", "good.sqlite", "--store", "s.sqlite"],
        ["run", "plan.yaml", *at, "--json"],
        ["report", "small", *at, "--baseline", "small", "--format", "markdown"],
    ])
    return Case(command, f"store: {damage}", must_refuse, ["R/cells.csv", "R/report.json"])


def edit(random, path):
    """Sets columns to what no program would write there; whatever SQLite itself refuses is tried again."""
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("PRAGMA writable_schema = ON")
        if random.random() < 0.08:
            statement = random.choice([
                "PRAGMA user_version = 2147483647",
                "PRAGMA user_version = 6",
                "PRAGMA user_version = 0",
            ])
            db.execute(statement)
            return statement
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        for _ in range(20):
            name = random.choice(tables)
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
            column, value = random.choice(columns), random.choice(HOSTILE_SQL)
            try:
                change = random.random()
                if change < 0.1:
                    db.execute(f"DELETE FROM {name}")
                    return f"{name} emptied"
                if change < 0.15:
                    db.execute(f"DROP TABLE {name}")
                    return f"{name} dropped"
                if change < 0.2:
                    db.execute(f"ALTER TABLE {name} RENAME COLUMN {column} TO other")
                    return f"{name}.{column} renamed"
                changed = db.execute(f"UPDATE OR IGNORE {name} SET {column} = ?", (value,)).rowcount
                if changed:
                    return f"{name}.{column} = {str(value)[:30]!r}"
            except (sqlite3.Error, OverflowError):
                continue
        return "none"


# Flags

HOSTILE_WORDS = [
    "nan", "inf", "-inf", "NaN", "infinity", "1e308", "-1e308", "1e999", "1e13", "1e-320", "0", "-0", "-1", "1",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "2147483648", "abc", "", " ", "1;2", "1,2,3",
    "0x10", "１２", "\x1b[31mred\x1b[0m", "--", "-", "=", "%s%n", "a" * 5000, "..", ".", "no/such/folder/x",
    "C4,E4,G4", "Z9", "1/0", "0/8", "9/8", "-1/2", "1/9223372036854775807",
    "9223372036854775807/9223372036854775807", "blockSize=1e300", ",", "x=", "=x", "x=nan", "windowMs=nan",
    "windowMs=1e308", "blockSize=abc", "blockSize=0", "latency=inf", "é", "\u202e", "good.wav", "plan.yaml", "s.sqlite",
]
NO_NUMBER_WORDS = ["nan", "inf", "-inf", "NaN", "infinity", "1e999", "abc", "", "0x1p", "1;2", "%s%n"]
# Options that take a number, by how their names end.
NUMERIC = re.compile(
    r"-(ms|hz|cents|semitones|db|mb|percent|seconds)$|^--(jobs|limit|rate|block|seed|trials|null-trials|voices|dry|spread|"
    r"strictness|amount|transpose|jitter|share|scale-notes|lead-share|min-intelligibility|sustain-gain)$")

BASES = [
    ["run", "plan.yaml", "--corpus", "C", "--store", "new.sqlite"],
    ["run", "plan.yaml", "--corpus", "C", "--store", "s.sqlite", "--dry-run"],
    ["merge", "s.sqlite", "--store", "new.sqlite"],
    ["tune", "plan.yaml", "--corpus", "C", "--store", "s.sqlite"],
    ["report", "--corpus", "C", "--store", "s.sqlite", "--output", "R"],
    ["report", "--corpus", "C", "--store", "s.sqlite", "--format", "markdown"],
    ["export", "--corpus", "C", "--store", "s.sqlite"],
    ["compare", "good.wav", "other.wav"],
    ["compare", "s.sqlite", "good.sqlite", "--corpus", "C"],
    ["gate", "gate.yaml", "--corpus", "C", "--store", "g.sqlite"],
    ["accept", "gate.yaml", "--corpus", "C", "--reason", "fuzz", "--dry-run"],
    ["explain", "tone", "pitch.abs_error", "--corpus", "C", "--store", "s.sqlite", "--output", "E"],
    ["probe", "reference", "--only", "latency", "--corpus", "C"],
    ["timing", "--dry-run"],
    ["subjects", "--corpus", "F"],
    ["corpus", "list", "--corpus", "C"],
    ["corpus", "verify", "--corpus", "C"],
    ["corpus", "add", "other.wav", "--corpus", "C", "--licence", "CC0-1.0", "--voice", "alto", "--shows", "x",
     "--attribution", "y"],
    ["corpus", "import", "generic", "in", "--corpus", "C", "--licence", "CC0-1.0"],
    ["metrics", "list"],
    ["metrics", "show", "pitch.abs_error"],
    ["harmonize", "good.wav", "out.wav", "--intervals", "4,7"],
    ["harmonize", "good.wav", "out.wav", "--chord", "C:maj7", "--voices", "4"],
    ["harmonize", "good.wav", "out.wav", "--intervals", "4", "--engine", "delayline"],
    ["autotune", "good.wav", "out.wav", "--key", "A minor"],
    ["harmonize", "good.wav", "out.wav", "--progression", "C | F G", "--tempo", "240", "--click"],
    ["chords", "C4,E4,G4"],
    ["chords", "--progression", "I vi | ii V", "--key", "C major"],
    ["effects", "good.wav", "out.wav", "--chain", "compressor > reverb"],
    ["presets", "list"],
    ["presets", "show", "megaphone"],
    ["analyze", "good.wav"],
    ["analyze", "good.wav", "--json", "--write", "f0"],
    ["synth", "vowel-a-bass"],
    ["doctor", "--corpus", "C"],
]
# Options whose work takes long for reasons of its own.
LEFT_OUT = {"--help", "--version", "--cost", "--all", "--adaptive"}


def flags(random, folder, seeds):
    shutil.copytree(seeds.corpus, folder / "C")
    write(folder / "plan.yaml", PLAN)
    write(folder / "gate.yaml", GATE)
    write(folder / "small.tsv", seeds.baseline)
    write(folder / "good.wav", seeds.sounds["pcm16.wav"])
    write(folder / "other.wav", seeds.sounds["float.wav"])
    write(folder / "in/tone.wav", seeds.sounds["pcm16.wav"])
    shutil.copy(seeds.store, folder / "s.sqlite")
    shutil.copy(seeds.store, folder / "good.sqlite")
    base = list(random.choice(BASES))
    if random.random() < 0.08:
        return Case(base, "standard output on a full device", None, output_is_lost=True)
    words = 2 if base[0] in ("corpus", "metrics", "presets") else 1
    options = [o for o in seeds.options(base[:words]) if o not in LEFT_OUT]
    if base[0] in ("synth", "timing", "subjects"):
        # Without what is in the base they work long or write much.
        options = [o for o in options if o not in ("--engine", "--only", "--full")]
    must_refuse = None
    for _ in range(random.choice([1, 1, 1, 2])):
        if not options or random.random() < 0.1:
            place = random.randrange(words, len(base) + 1)
            base[place:place] = [random.choice(HOSTILE_WORDS)]
            continue
        option = random.choice(options)
        if NUMERIC.search(option) and random.random() < 0.4:
            value = random.choice(NO_NUMBER_WORDS)
            must_refuse = f"{option} is {value!r}"
        else:
            value = random.choice(HOSTILE_WORDS)
        base += [f"{option}={value}"] if random.random() < 0.5 or value.startswith("-") else [option, value]
    return Case(base, "flags", must_refuse, ["out.wav", "f0.csv", "R/cells.csv", "R/report.json"])


KINDS = {
    "audio": audio, "yaml": yaml, "midi": midi, "textgrid": textgrid, "csv": table, "sqlite": store, "flags": flags,
}


@dataclass
class Seeds:
    """What the toolkit made itself: sounds, a corpus of one recording, a store of one run, its gate's baseline."""

    sounds: dict
    corpus: pathlib.Path
    store: pathlib.Path
    baseline: str
    manifest: str
    preset: str
    help_of: object
    known: dict = field(default_factory=dict)

    def options(self, words):
        """Every option of a command that takes a value, as its help names them."""
        key = tuple(words)
        if key not in self.known:
            self.known[key] = sorted(set(re.findall(r"^\s+(--[a-z0-9-]+) <", self.help_of(words), re.MULTILINE)))
        return self.known[key]
