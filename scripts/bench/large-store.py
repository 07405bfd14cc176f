#!/usr/bin/env python3
"""Makes a store of many cells, to see how long reading takes: numbers are drawn, not measured.

  scripts/bench/large-store.py plan [--cells 100000] > large.yaml
  choir-eval run large.yaml --store LARGE.sqlite --limit-seconds 20
  scripts/bench/large-store.py fill LARGE.sqlite [--again NAME]

The second begins the run: it writes the keys of all cells and measures a few of them. `fill` makes the
others like those, so that `report large`, `tune large.yaml` and `compare` find nothing to compute. With
--again there is the same run once more under another name, with other numbers for one setting in 100:

  choir-eval compare LARGE.sqlite#large LARGE.sqlite#NAME
  choir-eval compare "large?crossfadeMs=4" "large?crossfadeMs=5" --store LARGE.sqlite

The first has few figures that changed, the second none that didn't.
"""

import argparse
import csv
import itertools
import json
import random
import sqlite3
import sys

RECORDINGS = 50


def write_plan(cells):
    with open("Corpus/manifest.csv") as manifest:
        recordings = [row["id"] for row in csv.DictReader(manifest) if row["kind"] != "probe"]
    settings = cells // RECORDINGS
    windows = [round(20 + 0.2 * n, 1) for n in range(settings // 5)]
    print(f"""name: large
title: {RECORDINGS * 5 * len(windows)} cells
subject: reference
recordings: [{", ".join(recordings[:RECORDINGS])}]
scores:
  - id: chord
    intervalsSemitones: [-5, 4, 7]
settings:
  engine: [delayline]
  windowMs: [{", ".join(map(str, windows))}]
  crossfadeMs: [4, 5, 6, 8, 10]""")


def fill(path, again):
    db = sqlite3.connect(path)
    db.execute("PRAGMA synchronous = OFF")
    (text,) = db.execute("SELECT plan FROM run WHERE name = 'large'").fetchone()
    plan = json.loads(text)
    axes = plan["settings"]
    settings = [json.dumps(dict(zip([axis["name"] for axis in axes], values)), sort_keys=True,
                           separators=(",", ":"))
                for values in itertools.product(*[axis["values"] for axis in axes])]
    columns = [name for (_, name, *_rest) in db.execute("PRAGMA table_info(cell)")]
    known = {row[1]: dict(zip(columns, row)) for row in db.execute("SELECT * FROM cell")}
    model = next(cell for cell in known.values() if cell["failure"] is None)
    numbers = db.execute("SELECT metric, voice, value, undefined, count FROM measurement "
                         "WHERE cell = ?", (model["id"],)).fetchall()
    keys = db.execute("SELECT position, cell FROM runCell WHERE run = 'large' ORDER BY position")
    for position, key in keys.fetchall():
        row = dict(model, key=key, settings=settings[position % len(settings)],
                   recording=plan["recordings"][position // len(settings)])
        if key in known:
            if (known[key]["recording"], json.loads(known[key]["settings"])) != (
                    row["recording"], json.loads(row["settings"])):
                sys.exit(f"{path}: cells come in another order than this script knows")
            if again is None:
                continue
        if key not in known:
            insert(db, columns, row, numbers, random.Random(key))
    if again is not None:
        plan["name"] = plan["title"] = again
        db.execute("INSERT INTO run SELECT ?, ?, datetime('now'), NULL",
                   (again, json.dumps(plan, sort_keys=True)))
        for id, position, *row in db.execute(
                "SELECT id, position, cell.* FROM runCell JOIN cell ON cell.key = runCell.cell "
                "WHERE run = 'large'").fetchall():
            row = dict(zip(columns, row))
            row["key"] = "again-" + row["key"]
            numbers = db.execute("SELECT metric, voice, value, undefined, count FROM measurement "
                                 "WHERE cell = ?", (id,)).fetchall()
            changes = position % len(settings) % 100 == 0
            insert(db, columns, row, numbers, random.Random(row["key"]) if changes else None)
            db.execute("INSERT INTO runCell VALUES (?, ?, ?)", (again, position, row["key"]))
    db.execute("UPDATE run SET finishedAt = datetime('now')")
    db.commit()
    db.execute("ANALYZE")
    cells, rows = (db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                   for table in ("cell", "measurement"))
    print(f"{path}: {cells} cells, {rows} measurements")


def insert(db, columns, row, numbers, draw):
    row = dict(row, id=None)
    id = db.execute(f"INSERT INTO cell VALUES ({', '.join('?' * len(columns))})",
                    [row[column] for column in columns]).lastrowid
    db.executemany("INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?)", [
        (id, metric, voice,
         value if value is None or draw is None else value * draw.lognormvariate(0, 0.3),
         undefined, count) for metric, voice, value, undefined, count in numbers])


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
commands = parser.add_subparsers(dest="command", required=True)
planning = commands.add_parser("plan")
planning.add_argument("--cells", type=int, default=100_000)
filling = commands.add_parser("fill")
filling.add_argument("store")
filling.add_argument("--again")
options = parser.parse_args()
if options.command == "plan":
    write_plan(options.cells)
else:
    fill(options.store, options.again)
