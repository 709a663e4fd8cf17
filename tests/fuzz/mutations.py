"""Changed inputs, drawn by a random.Random: bytes, texts and plain data."""

import copy
import json

NUMBERS = [0, 1, -1, 2, 255, 256, 2**15, 2**16, 2**31 - 1, 2**31, 2**32, 2**48, 2**63, 2**64]
NUMBERS += [10**30, 0.5, -0.5, 1e308, 1e-308, float("nan"), float("inf")]
TEXTS = ["", " ", "\0", "\x1b[2J", "\x9b31m", "\u202e", "\ud800", "é", "a" * 300, "../x", "nan"]
TEXTS += ["pass", "a1", "z99", "%s%n", "{seed}", "-1", "1e9", ":", ",", "=", "\n", "\r", "\t", "#"]


def bytes_from(draw, whole):
    changed = bytearray(whole)
    for _ in range(draw.choice((1, 1, 1, 2, 5, 30))):
        at = draw.randrange(len(changed) + 1)
        kind = draw.randrange(7)
        if kind == 0 and at < len(changed):
            changed[at] ^= 1 << draw.randrange(8)
        elif kind == 1 and at < len(changed):
            changed[at] = draw.choice((0, 255, draw.randrange(256)))
        elif kind == 2:
            del changed[at : at + draw.choice((1, 8, 200))]
        elif kind == 3:
            changed[at:at] = draw.randbytes(draw.choice((1, 4, 60)))
        elif kind == 4:
            part = changed[at : at + draw.choice((2, 30, 500))]
            to = draw.randrange(len(changed) + 1)
            changed[to:to] = part
        elif kind == 5:
            part = changed[at : at + draw.choice((4, 50))]
            changed[at : at + len(part)] = part[::-1]
        elif draw.random() < 0.2:
            del changed[at:]
    return bytes(changed)


def text_from(draw, words, most=6):
    text = "".join(
        draw.choice(words) if draw.random() < 0.8 else draw.choice(TEXTS)
        for _ in range(1 + draw.randrange(most))
    )
    if text and draw.random() < 0.3:
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice([chr(draw.randrange(0x250)), ""]) + text[at + 1 :]
    return text


def data_from(draw, whole):
    changed = copy.deepcopy(whole)
    for _ in range(draw.choice((1, 1, 2, 6))):
        places = list(_places(changed, draw))
        if not places:
            return changed
        holder, key = draw.choice(places)
        _change(draw, holder, key)
    return changed


def _places(data, draw):
    stack = [data]
    while stack:
        here = stack.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here))
        for key in keys if len(keys) < 12 else draw.sample(list(keys), 12):
            yield here, key
            if isinstance(here[key], dict | list):
                stack.append(here[key])


def _change(draw, holder, key):
    kind, value = draw.randrange(8), holder[key]
    if kind == 0:
        del holder[key]
    elif kind == 1:
        holder[key] = draw.choice(NUMBERS)
    elif kind == 2:
        holder[key] = draw.choice(TEXTS)
    elif kind == 3:
        holder[key] = draw.choice((None, True, [], {}, [[]], {"a": []}))
    elif kind == 4 and isinstance(value, int | float) and not isinstance(value, bool):
        holder[key] = draw.choice((-value, value + 1, value * 2, value / 3, value - 0.5))
    elif kind == 5 and isinstance(value, list):
        draw.shuffle(value)
    elif kind == 6 and isinstance(holder, list):
        holder.append(copy.deepcopy(value))
    elif isinstance(value, str):
        holder[key] = text_from(draw, [value, *TEXTS], 2)
    elif isinstance(holder, dict):
        holder[draw.choice(TEXTS)] = value


def json_of(data):
    return json.dumps(data).encode()


def toml_value(value):
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {toml_value(each)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
