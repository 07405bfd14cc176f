"""Checks what the gate writes, and the examples, against the schemas of others.

SARIF by models that were generated from the schema of 2.1.0 (names, types, enumerations, ranges), and by
the schema itself where its file is given; JUnit by junit-10.xsd of Jenkins' xUnit plugin, which comes
with pytest's sources; workflows by the schemas of GitHub and GitLab. A small gate is made for it that
passes, and one in which everything is wrong at once. Takes half a minute.

    python3 -m venv judge && judge/bin/pip install check-jsonschema pydantic-sarif lxml
    judge/bin/pip download --no-deps --no-binary pytest --dest judge pytest==9.2.0
    judge/bin/python scripts/judge/formats.py .build/debug/choir-eval judge/pytest-9.2.0.tar.gz \\
        [sarif-schema-2.1.0.json]
"""

import hashlib
import json
import math
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile
import wave

import jsonschema
from lxml import etree
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif

ROOT = pathlib.Path(__file__).parents[2]
RATE = 48_000
WORKFLOWS = {
    "vendor.github-workflows": "examples/github-actions/gate.yml",
    "vendor.gitlab-ci": "examples/gitlab/.gitlab-ci.yml",
}
SUBJECT = """
id: mine
kind: command
command: [sh, -c, '{line}', sh, "{{input}}", "{{output}}", "{{semitones}}"]
timeoutSeconds: 20
"""
PLAN = """
name: tiny
title: Two sounds, and names that formats must escape <&">
subject: mine.yaml
recordings: [a, b]
scores: [{id: same, intervalsSemitones: [0]}]
metrics: [level.change, samples.non_finite, clipping.share]
"""
GATE = """
plan: ../plans/tiny.yaml
baseline: tiny.tsv
budgets: [{metric: clipping.share, min: %s}]
"""
# 6 dB softer where the sound is long, a crash where it is short, and some work for nothing.
WRONG = ('i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; '
         'if [ $(stat -c %s "$1") -gt {size} ]; then {choir} effects "$1" "$2" '
         '--chain "eq(lowShelfHz=20000,lowShelfDb=-6)" >&2; else kill -SEGV $$; fi')
# The trial of costs hears a third sound, which nothing may spoil.
PHRASE = ('i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; cp "$1" "$2"')


def buzz(path, seconds):
    """A tone of 220 Hz with overtones, 16 bits."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for i in range(int(seconds * RATE)):
            t = 2 * math.pi * 220 * i / RATE
            value = sum(math.sin(k * t) / k for k in range(1, 20)) * 6000
            file.writeframesraw(struct.pack("<h", int(value)))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bench(folder):
    """A corpus, a plan, a gate and a subject."""
    for name in ("Corpus/audio", "Corpus/plans", "Corpus/gates"):
        (folder / name).mkdir(parents=True)
    rows = "id,file,source,sha256,licence,attribution,voice,kind,shows\n"
    for name, seconds in (("a", 0.8), ("b", 0.6)):
        digest = buzz(folder / f"Corpus/audio/{name}.wav", seconds)
        rows += f"{name},{name}.wav,test,{digest},CC0-1.0,nobody,tenor,sung,x\n"
    (folder / "Corpus/manifest.csv").write_text(rows)
    (folder / "Corpus/plans/tiny.yaml").write_text(PLAN)
    subject(folder, "mine.yaml", 'cp "$1" "$2"')
    subject(folder, "old.yaml", 'cp "$1" "$2"')
    gate(folder, least=0)


def subject(folder, name, line):
    (folder / name).write_text(SUBJECT.format(line=line))


def gate(folder, least):
    (folder / "Corpus/gates/tiny.yaml").write_text(GATE % least)


def run(program, folder, expected, *words):
    """Runs the command, which must end as expected."""
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    if done.returncode != expected:
        sys.exit(f"{words} exited with {done.returncode}, not {expected}:\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def written(program, folder, expected, *more):
    """SARIF and JUnit of a run of the gate."""
    run(program, folder, expected, "gate", "Corpus/gates/tiny.yaml", "--output", "g.sarif",
        "--output", "g.xml", *more)
    return (folder / "g.sarif").read_text(), (folder / "g.xml").read_bytes()


def judge_sarif(text, schema):
    """What is wrong with a log; nothing, one hopes."""
    log = json.loads(text)
    Sarif.model_validate(log, strict=False)
    if schema is not None:
        jsonschema.validators.validator_for(schema)(schema).validate(log)
    results = log["runs"][0]["results"]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    for one in results:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"], one
    return sorted({one["ruleId"] for one in results})


def judge_junit(data, xsd):
    tree = etree.fromstring(data)
    xsd.assertValid(tree)
    return {name: len(tree.findall(f".//{name}"))
            for name in ("testcase", "failure", "error", "skipped")}


def main(program, pytest, schema=None):
    program = str(pathlib.Path(program).resolve())
    with tarfile.open(pytest) as archive:
        name = next(n for n in archive.getnames() if n.endswith("/junit-10.xsd"))
        xsd = etree.XMLSchema(etree.parse(archive.extractfile(name)))
    if schema is not None:
        schema = json.loads(pathlib.Path(schema).read_text())
    for kind, path in WORKFLOWS.items():
        subprocess.run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", kind,
                        str(ROOT / path)], check=True, stdout=subprocess.DEVNULL)
        print(f"{path}: as {kind} has it")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bench(folder)
        run(program, folder, 0, "accept", "Corpus/gates/tiny.yaml", "--reason", "first <&\">")
        sarif, junit = written(program, folder, 0)
        print("a pass:", judge_sarif(sarif, schema), judge_junit(junit, xsd))
        gate(folder, least=0.5)
        subject(folder, "mine.yaml", PHRASE)
        sarif, junit = written(program, folder, 1, "--baseline", "old.yaml")
        rules, counts = judge_sarif(sarif, schema), judge_junit(junit, xsd)
        assert "cpu.realtime_factor" in rules and "clipping.share" in rules, rules
        print("dearer, and a budget broken:", rules, counts)
        subject(folder, "mine.yaml", WRONG.format(size=4 * int(0.7 * RATE), choir=pathlib.Path(program).with_name("choir")))
        sarif, junit = written(program, folder, 1, "--strict")
        rules, counts = judge_sarif(sarif, schema), judge_junit(junit, xsd)
        assert "gate.cell-failed" in rules and "level.change" in rules and counts["error"], rules
        print("softer, and a crash:", rules, counts)
    print("every format is as its schema has it"
          + ("" if schema else "; SARIF by models of its schema"))


if __name__ == "__main__":
    main(*sys.argv[1:])
