"""Lines of very many points: every column of the canvas has ink where the line is, and nowhere else."""

# Draws points on a canvas that notes which pixels get ink.
DRAWN = """
(points) => {
  const ink = new Set()
  const context = { fillRect(left, top, width, height) {
    for (let x = left; x < left + width; x += 1) for (let y = top; y < top + height; y += 1) ink.add(`${x},${y}`)
  } }
  drawDenseLine({ context }, (point) => points.forEach(([x, top, bottom]) =>
    point(x, top ?? NaN, bottom ?? NaN)), "black", 2)
  return [...ink].map((place) => place.split(",").map(Number))
}
"""


def check(page, findings):
    def expect(line, points, wanted):
        found = {tuple(pixel) for pixel in page.evaluate(DRAWN, points)}
        odd = sorted(found ^ wanted)
        findings.expect(not odd, f"{line}: {len(odd)} pixels are not as they should be, the first at {odd[:1]}")

    def block(columns, rows):
        return {(x, y) for x in columns for y in rows}

    # 2 px wide, so that a level of 10 has ink in rows 9 and 10.
    expect("a level line", [[x, 10, 10] for x in range(100)], block(range(100), (9, 10)))
    expect("a line with a gap",
           [[x, 10, 10] for x in range(40)] + [[40, None, None]] + [[x, 10, 10] for x in range(60, 100)],
           block(range(40), (9, 10)) | block(range(60, 100), (9, 10)))
    # The first column after a step reaches from the old level to the new one.
    expect("a step", [[x, 10, 10] for x in range(50)] + [[x, 30, 30] for x in range(50, 100)],
           block(range(50), (9, 10)) | block([50], range(9, 31)) | block(range(51, 100), (29, 30)))
    expect("two points in one column", [[0, 10, 10], [0.4, 20, 20], [1, 20, 20]],
           block([0], range(9, 21)) | block([1], (19, 20)))
