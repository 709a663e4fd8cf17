"""From `seedfolio web` to the first move of the program, for each game of the first page.

`python -m benchmarks.first_move studies`, after `make boost`. For each game a fresh server begins;
the visitor has the second colour, so that the program moves first. The processor's time is all that
the server took, what it compiles ahead included: it does not depend on other work on the machine.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from html import unescape

import httpx2

_FORM = re.compile(r'<form class="row" method="post" action="/games">(.*?)</form>', re.DOTALL)
_FIELD = re.compile(r'name="(\w+)" value="([^"]*)"')


def seconds_to_first_move(folder: str, number: int) -> tuple[str, float, float]:
    """Return what an offer is, the seconds until its program has moved, and the processor's."""
    began = time.monotonic()
    command = [sys.executable, "-m", "seedfolio", "web", folder, "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        address = re.search(r"http://\S+", server.stderr.readline())
        assert address is not None, "the server did not begin"
        with httpx2.Client(base_url=address[0], timeout=120) as client:
            form = _FORM.findall(client.get("/").text)[number]
            fields = {name: unescape(value) for name, value in _FIELD.findall(form)}
            begun = client.post("/games", data={**fields, "colour": "second"})
            where = begun.headers["location"]
            while 'class="program"' not in (page := client.get(where).raise_for_status().text):
                assert time.monotonic() < began + 300, "the program does not move"
                time.sleep(0.05)
        name = re.search(r"<h1>(.*?)</h1>", page)
        passed = time.monotonic() - began
    finally:
        server.terminate()
        _, _, used = os.wait4(server.pid, 0)
    return unescape(name[1]) if name else "", passed, used.ru_utime + used.ru_stime


def main(folder: str) -> None:
    """Print the seconds of the three games."""
    for number in range(3):
        name, seconds, used = seconds_to_first_move(folder, number)
        print(f"{name:<60} {seconds:5.1f} s, processor {used:5.1f} s")


if __name__ == "__main__":
    main(sys.argv[1])
