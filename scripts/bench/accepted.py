"""Shared parts of the gate's trials: baselines that are accepted once, and verdicts of every pair of them."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOYS = ROOT / "scripts/bench/toys"
BUILD = Path(os.environ.get("CHOIR_BUILD", ROOT / ".build/debug"))
if "CHOIR_BUILD" not in os.environ and subprocess.run(["scripts/bench/build", "choir-dev"], cwd=ROOT).returncode:
    sys.exit(2)


def run(folder, *words):
    """Runs a command; returns what it printed."""
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def accept(folder, name, subject, recordings, metrics=None, corpus=ROOT / "Corpus", bench=True, gate_keys=""):
    """Accepts a baseline of a subject with its noise, unless the folder has it; returns the gate's file.

    `subject` is the text of its file but for the id, `recordings` and `metrics` are as in a plan, `bench` as in a
    gate, `gate_keys` are more lines of the gate."""
    gate = folder / f"{name}.yaml"
    if not gate.with_suffix(".noise.tsv").exists():
        (folder / f"{name}.subject.yaml").write_text(f"id: {name}\n{subject}\ntimeoutSeconds: 600\n")
        (folder / f"{name}.plan.yaml").write_text(
            f"name: trials\nsubject: {name}.subject.yaml\nrecordings: [{recordings}]\n"
            "scores: [{id: two, intervalsSemitones: [-5, 4]}]\n" + (f"metrics: {metrics}\n" if metrics else ""))
        gate.write_text(
            f"plan: {name}.plan.yaml\nbaseline: {name}.tsv\n" + ("" if bench else "bench: false\n") + gate_keys)
        run(folder, BUILD / "choir-eval", "accept", gate.name, "--reason", "trials", "--corpus", corpus, "--quiet")
    print(f"accepted {folder.name} {name}", file=sys.stderr, flush=True)
    return gate.name


def judged(folder, gates, candidates):
    """Yields the names of gate and candidate, the outcome, the number of takes, and the causes, of every pair."""
    for line in run(folder, BUILD / "choir-dev", "gate-pairs", "pairs", *gates, "--candidates", *candidates).splitlines():
        gate, candidate, outcome, takes, *causes = line.split("\t")
        yield gate, candidate, outcome, takes, causes


def chosen(parser, text, known, what):
    """Returns the names in a list with commas; ends the program with the known ones if one is unknown."""
    names = [name for name in text.split(",") if name]
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"no {what} is called {', '.join(unknown)}; choose among {', '.join(known)}")
    return names
