"""Visits of the page: every address about every file, and a game against each program."""

import re
import time

from starlette.testclient import TestClient

from seedfolio import Settings, create_app

KINDS = {"portfolio": "boosted", "game": "own", "engine": "external", "study": ""}
"""What a form calls them; a study plays no game."""
_MANY = ("requests", "requests_burst", "address_requests", "address_burst")


def site_of(folder):
    return create_app(folder, Settings(**dict.fromkeys(_MANY, 1e6), games_each=1000))


def visit(app, sides, most=99):
    """Visit files of each kind; return statuses by address, and pages of games that began."""
    client = TestClient(app, base_url="http://127.0.0.1")
    token = re.search(r'name="token" value="([0-9a-f]{64})"', client.get("/").text)
    statuses, games = {"/": client.get("/").status_code}, []
    for kind, name in KINDS.items():
        for file in app.state.site.library.files(kind)[:most]:
            for path in _paths(app, file.id, sides):
                statuses[path] = client.get(path).status_code
            if name and token:
                form = {"kind": name, "name": file.id, "token": token[1]}
                answer = client.post("/games", data=form, follow_redirects=False)
                statuses[f"/games {file.id}"] = answer.status_code
                if answer.status_code == 303:
                    while "http-equiv" in (page := client.get(answer.headers["location"]).text):
                        time.sleep(0.005)
                    games.append(page)
    return statuses, games


def _paths(app, identifier, sides):
    found = []
    for route in app.routes:
        if "GET" in (getattr(route, "methods", None) or ()) and "{id" in route.path:
            path = re.sub(r"{id[^}]*}", identifier, route.path)
            for side, ending in sides:
                found.append(re.sub(r"{[^}]*}", ending, re.sub(r"{side[^}]*}", side, path)))
    return found
