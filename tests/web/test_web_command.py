"""`seedfolio web` as a command: what it takes, and what it says where it cannot start."""

import socket
import sys

import pytest
import uvicorn
from starlette.testclient import TestClient

from seedfolio.cli import run


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["/dev/null"], "cannot make the folder /dev/null"),
        (["--port", "99999"], "--port must be 0 to 65535"),
        (["--host", "no such host"], "cannot listen on no such host"),
    ],
)
def test_bad_input_is_answered_in_one_line(arguments, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["web", *arguments]) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert error.startswith("error: ")
    assert told in error


def test_a_port_that_is_taken(capsys, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["web", str(tmp_path), "--port", str(taken.getsockname()[1])]) == 2
    assert "choose another --port" in capsys.readouterr().err


@pytest.mark.parametrize(("options", "secure"), [([], False), (["--https"], True)])
def test_https_is_for_cookies_by_https_alone(options, secure, capsys, tmp_path, monkeypatch):
    made = []

    def ask(server, sockets):
        with TestClient(server.config.app, base_url="https://127.0.0.1") as client:
            made.append(client.get("/").headers["set-cookie"])

    monkeypatch.setattr(uvicorn.Server, "run", ask)
    assert run(["web", str(tmp_path), "--port", "0", *options]) == 0
    (cookie,) = made
    assert ("; Secure" in cookie) == secure
    assert ("cookies are for HTTPS alone" in capsys.readouterr().err) == secure


def test_without_the_extra_it_says_what_to_install(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "seedfolio.web.serve", raising=False)
    assert run(["web", str(tmp_path)]) == 2
    assert "pip install 'seedfolio[web]'" in capsys.readouterr().err
