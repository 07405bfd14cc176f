#!/usr/bin/env python3
"""Makes a store of many cells, to see how long reading takes: numbers are drawn, not measured.

  scripts/bench/large-store.py EMPTY.sqlite OUT.sqlite [--cells 100000] [--runs 1]

EMPTY is a store that choir-eval made (one `run` of any plan), of which the tables, one run and the
kind of its cells are copied; its first voice recording's cell stands for all others.
"""

import argparse
import hashlib
import json
import random
import shutil
import sqlite3

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("store")
parser.add_argument("out")
parser.add_argument("--cells", type=int, default=100_000)
parser.add_argument("--runs", type=int, default=1)
options = parser.parse_args()

shutil.copyfile(options.store, options.out)
draw = random.Random(1)
db = sqlite3.connect(options.out)
db.execute("PRAGMA synchronous = OFF")
cells = db.execute("SELECT * FROM cell WHERE failure IS NULL AND kind <> 'probe'").fetchall()
columns = [name for (_, name, *_rest) in db.execute("PRAGMA table_info(cell)")]
model = dict(zip(columns, cells[0]))
measured = db.execute(
    "SELECT metric, voice, value, undefined, count FROM measurement WHERE cell = ?", (model["id"],)
).fetchall()
(plan,) = db.execute("SELECT plan FROM run").fetchone()
for table in ("measurement", "trace", "costRound", "runCell", "run", "cell"):
    db.execute(f"DELETE FROM {table}")

recordings = [f"recording-{n:02}" for n in range(50)]
per_run = options.cells // options.runs
number = 0
for run in range(options.runs):
    name = f"large-{run + 1}"
    document = json.loads(plan)
    document.update(name=name, title=name, recordings=recordings, listen=[])
    db.execute("INSERT INTO run VALUES (?, ?, datetime('now'), datetime('now'))",
               (name, json.dumps(document)))
    for position in range(per_run):
        number += 1
        # The settings of one recording together, as a plan has them.
        setting = position % (per_run // len(recordings) or 1)
        settings = {"windowMs": 10 + setting, "crossfadeMs": 5, "seed": run}
        key = hashlib.sha256(f"{run} {position}".encode()).hexdigest()
        row = dict(model, id=number, key=key, settings=json.dumps(settings, sort_keys=True),
                   recording=recordings[position * len(recordings) // per_run])
        db.execute(f"INSERT INTO cell VALUES ({', '.join('?' * len(columns))})",
                   [row[column] for column in columns])
        db.execute("INSERT INTO runCell VALUES (?, ?, ?)", (name, position, key))
        db.executemany(
            "INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?)",
            [(number, metric, voice, None if value is None else value * draw.lognormvariate(0, 0.3),
              undefined, count) for metric, voice, value, undefined, count in measured])
db.commit()
db.execute("ANALYZE")
db.execute("VACUUM")
rows = db.execute("SELECT count(*) FROM measurement").fetchone()[0]
print(f"{options.out}: {number} cells in {options.runs} runs, {rows} measurements")
