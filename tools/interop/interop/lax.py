"""A catalog that hands out rules which the dev catalog never does: the dev catalog with other answers to the readers' question."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import threading
import urllib.parse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from interop import data, limits
from interop.cases import LaxCase, text_of
from interop.processes import diagnostics
from interop.readers import Answer, Refusal, Row
from interop.report import same
from interop.stage import Promises, Stage


def hand_out(stage: Stage, cases: dict[str, LaxCase], token: str) -> None:
    """No plan lets these rules through; what readers make of them is known."""
    stage.report.section("What only a lax catalog hands out")
    refused = _refused_at_plan(stage, cases)
    texts = {f"{name}/{data.APPEND}/rows": text_of(case.filters[0]) for name, case in cases.items() if case.filters}
    texts |= {
        f"{name}/{data.APPEND}/{column}": text_of(rule)
        for name, case in cases.items()
        for column, rule in case.masks
        if column in data.COLUMNS
    }
    promises = Promises(stage, texts, "promise-lax")
    with lax_catalog(stage.uri, token, {name: case.answer() for name, case in cases.items()}) as uri:
        for name, case in cases.items():
            keys = [key for key in texts if key.startswith(f"{name}/")]
            cells = {"plan": "refuses" if name in refused else "takes it"}
            wanted = {"plan": "takes it" if case.planned else "refuses"}
            for reader in stage.readers:
                got = reader.read(uri, name, data.APPEND, None)
                cells[reader.name] = _outcome(case, got, promises.rows(keys, data.APPEND, None, reader.name))
                wanted[reader.name] = limits.lax(reader.name, case.title)
                stage.outcomes[case.title, reader.name] = cells[reader.name]
            differences = [f"{who}: {cell}\nwant {wanted[who]}" for who, cell in cells.items() if cell != wanted[who]]
            stage.report.add(case.title, cells, differences)


def _refused_at_plan(stage: Stage, cases: dict[str, LaxCase]) -> set[str]:
    terraform = stage.terraform("refused")
    terraform.variables(
        filters={name: text_of(case.filters[0]) for name, case in cases.items() if case.filters},
        masks={
            f"{name}/{column}": {"principal": name, "column": column, "json": text_of(rule)}
            for name, case in cases.items()
            for column, rule in case.masks
        },
    )
    said = terraform.run("plan", "-input=false", "-json", accepted=(0, 1))
    errors = [diagnostic.get("address", "") for diagnostic in diagnostics(said) if diagnostic["severity"] == "error"]
    return {match[1] for address in errors if (match := re.search(r'\["(\w+)', address))}


def _outcome(case: LaxCase, got: Answer, want: list[Row] | None) -> str:
    if isinstance(got, Refusal):
        return f"refuses: {got.error}"
    if same(got, data.literals_of(data.APPEND)):
        return limits.EVERYTHING
    if want is None:
        return f"sees rows {sorted(row['id'] for row in got)}"
    if same(got, want):
        return limits.LEAKS if case.leaks else limits.AS_PROMISED
    return "differs"


@contextlib.contextmanager
def lax_catalog(behind: str, token: str, answers: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Serves the catalog behind it with that token; the readers' own tokens choose the answer about rows and columns."""
    address = urllib.parse.urlsplit(behind)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked = self.headers.get("Authorization", "").removeprefix("Bearer ")
            if self.path.endswith("/auth"):
                self._answer(200, json.dumps(answers[asked]).encode())
                return
            server = http.client.HTTPConnection(address.hostname, address.port)
            try:
                server.request(self.command, self.path, body, {"Authorization": f"Bearer {token}"})
                response = server.getresponse()
                self._answer(response.status, response.read())
            finally:
                server.close()

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = _forward

        def log_message(self, *arguments: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
