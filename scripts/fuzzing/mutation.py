"""Ways to damage bytes and text. Each takes a random.Random, so that a seed repeats the damage."""

import re
import struct

EXTREME_INTEGERS = [0, 1, 2, 7, 0x7F, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1]
EXTREME_FLOATS = [float("nan"), float("inf"), float("-inf"), 1e308, -1e308, 5e-324, -0.0, 1e30]

# A number by itself in a text: not part of a name, a note (C3) or a colour (#123456).
NUMBER = re.compile(r"(?<![\w#.\-])-?\d+(?:\.\d+)?(?![\w.])")

HOSTILE_NUMBERS = [
    "0", "-0", "-1", "1e308", "-1e308", "1e-320", "9223372036854775807", "9223372036854775808",
    "-9223372036854775809", "99999999999999999999999999", "2147483648", "0.1e", "1,5", "1_000", "0x7f",
    "١٢", "'1", "", "''", "[]", "{}", "null", "true", "~", "[1, 2]", "{a: 1}", "\"1\"",
]
# What no setting, time or interval can be.
NO_NUMBERS = [".nan", ".inf", "-.inf", "1e999", "-1e999", "abc"]


def bytes_mutated(random, data):
    """Returns the data with one to four kinds of damage, and their names."""
    names = []
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        name, mutate = random.choice(BYTE_MUTATIONS)
        data = mutate(random, data)
        names.append(name)
    return data, "+".join(names)


def _place(random, data):
    """An index, in the first 64 bytes half of the time: that is where headers are."""
    if not data:
        return 0
    return random.randrange(min(64, len(data)) if random.random() < 0.5 else len(data))


def flip_bits(random, data):
    data = bytearray(data)
    for _ in range(random.choice([1, 2, 8, 64])):
        if data:
            data[_place(random, data)] ^= 1 << random.randrange(8)
    return bytes(data)


def set_field(random, data):
    """Writes an extreme number over a field of 1, 2, 4 or 8 bytes, of either byte order."""
    size, code = random.choice([(1, "B"), (2, "H"), (4, "I"), (8, "Q"), (4, "f"), (8, "d")])
    order = random.choice("<>")
    if code in "fd":
        value = random.choice(EXTREME_FLOATS)
        if code == "f" and abs(value) > 3e38 and value == value:
            value = float("inf")
    else:
        value = random.choice(EXTREME_INTEGERS) & (2 ** (8 * size) - 1)
    place = _place(random, data) // 2 * 2
    return data[:place] + struct.pack(order + code, value) + data[place + size :]


def truncate(random, data):
    return data[: random.randrange(len(data))] if data else data


def delete(random, data):
    start = _place(random, data)
    return data[:start] + data[start + random.choice([1, 2, 4, 16, 256]) :]


def insert(random, data):
    start = _place(random, data)
    return data[:start] + random.randbytes(random.choice([1, 2, 4, 16, 256])) + data[start:]


def repeat(random, data):
    start = _place(random, data)
    piece = data[start : start + random.choice([4, 16, 64, 1024])]
    return data[:start] + piece * random.choice([2, 8, 64]) + data[start:]


def splice(random, data):
    """Copies one stretch over another."""
    size = random.choice([4, 16, 64, 1024])
    source, target = _place(random, data), _place(random, data)
    return data[:target] + data[source : source + size] + data[target + size :]


def zero(random, data):
    start = _place(random, data)
    size = random.choice([4, 64, 1024])
    return data[:start] + bytes(min(size, len(data) - start)) + data[start + size :]


def append_garbage(random, data):
    return data + random.randbytes(random.choice([1, 16, 1024]))


def empty(random, data):
    return b""


BYTE_MUTATIONS = [(f.__name__, f) for f in [
    flip_bits, flip_bits, set_field, set_field, set_field, truncate, delete, insert, repeat, splice, zero,
    append_garbage,
]]


def text_mutated(random, text):
    """Returns the text as damaged bytes, and the name of the damage."""
    name, mutate = random.choice(TEXT_MUTATIONS)
    damaged = mutate(random, text)
    if isinstance(damaged, str):
        damaged = damaged.encode("utf-8", "surrogatepass")
    return damaged, name


def with_number(random, text, numbers):
    """Returns the text with another number in place of one that it has."""
    places = list(NUMBER.finditer(text))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start()] + random.choice(numbers) + text[place.end() :]


def hostile_number(random, text):
    return with_number(random, text, HOSTILE_NUMBERS)


def hostile_numbers(random, text):
    for _ in range(3):
        text = with_number(random, text, HOSTILE_NUMBERS)
    return text


def drop_line(random, text):
    lines = text.split("\n")
    del lines[random.randrange(len(lines))]
    return "\n".join(lines)


def swap_lines(random, text):
    lines = text.split("\n")
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def repeat_line(random, text):
    lines = text.split("\n")
    line = random.randrange(len(lines))
    lines[line:line] = [lines[line]] * random.choice([1, 10, 3000])
    return "\n".join(lines)


def indent_line(random, text):
    lines = text.split("\n")
    line = random.randrange(len(lines))
    lines[line] = random.choice(["  ", "\t", "-", ": ", "    "]) + lines[line]
    return "\n".join(lines)


def drop_word(random, text):
    words = re.split(r"(\s+)", text)
    del words[random.randrange(len(words))]
    return "".join(words)


def swap_words(random, text):
    words = re.split(r"(\W+)", text)
    a, b = random.randrange(len(words)), random.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    return "".join(words)


def punctuate(random, text):
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice("[]{}:,\"'&*!|>%@`#\\;=-?\0\x1b\x7f") + text[place:]


def long_word(random, text):
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice("a1 [-") * random.choice([300, 100_000]) + text[place:]


def nest(random, text):
    return text.rstrip("\n") + "\nx: " + random.choice(["[", "{a: ", "- "]) * 20_000


def bomb(random, text):
    """YAML's billion laughs."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    return "\n".join(lines) + "\n" + text


def utf16(random, text):
    return text.encode(random.choice(["utf-16", "utf-16-le", "utf-32"]))


def byte_order_mark(random, text):
    return b"\xef\xbb\xbf" + text.encode()


def bad_utf8(random, text):
    place = random.randrange(len(text) + 1)
    return text[:place].encode() + random.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88"]) + text[place:].encode()


def other_line_ends(random, text):
    return text.replace("\n", random.choice(["\r\n", "\r", "\u2028", "\n\n"]))


def cut(random, text):
    return text[: random.randrange(len(text) + 1)]


def raw_damage(random, text):
    return bytes_mutated(random, text.encode())[0]


TEXT_MUTATIONS = [(f.__name__, f) for f in [
    hostile_number, hostile_number, hostile_numbers, drop_line, swap_lines, repeat_line, indent_line, drop_word,
    swap_words, punctuate, punctuate, long_word, nest, bomb, utf16, byte_order_mark, bad_utf8, other_line_ends,
    cut, raw_damage, raw_damage,
]]
