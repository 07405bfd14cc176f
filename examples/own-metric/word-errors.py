"""Word error rate of a voice, recognised by PocketSphinx with its US English model.

    word-errors.py OUTPUT.wav CLEAN.wav LYRICS.txt

Prints the errors per word and the number of words. It is undefined where the recogniser errs in more than a
quarter of the words of the clean voice: then it can't judge this voice at all.
"""

import re
import sys
import wave

import pocketsphinx

MAX_CLEAN_ERRORS = 0.25


def words(text):
    return re.findall(r"[a-z']+", text.lower())


def recognised(path):
    """Returns the words in a WAV file of 16 bit at 16 kHz, as rateHz and inputFormat ask for."""
    with wave.open(path) as file:
        sound = file.readframes(file.getnframes())
    decoder = pocketsphinx.Decoder(samprate=16000, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(sound, full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    return words(found.hypstr) if found else []


def errors(wanted, found):
    """Returns the fewest words to replace, remove or insert (Levenshtein)."""
    row = list(range(len(found) + 1))
    for i, word in enumerate(wanted, 1):
        before, row = row, [i]
        for j, other in enumerate(found, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (word != other)))
    return row[-1]


output, clean, lyrics = sys.argv[1:]
with open(lyrics, encoding="utf-8") as file:
    wanted = words(file.read())
missed = errors(wanted, recognised(clean))
if not wanted:
    print("not applicable: the lyrics have no words")
elif missed > MAX_CLEAN_ERRORS * len(wanted):
    print(f"not applicable: the recogniser errs in {missed} of the {len(wanted)} words of the clean voice")
else:
    print(errors(wanted, recognised(output)) / len(wanted), len(wanted))
