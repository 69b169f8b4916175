"""`surefield serve` as a test drives it: started in a folder of its own, spoken to in whole requests or in raw bytes."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile


class Studio:
    """A server under test; a context that ends it."""

    def __init__(self, program, files=(), folder=None, store=None, port=0, environment=()):
        self.own = tempfile.TemporaryDirectory() if folder is None else None
        self.folder = pathlib.Path(self.own.name if self.own else folder)
        self.program = program
        command = [program, "serve", *files, "--port", str(port), *(["--store", store] if store else [])]
        self.process = subprocess.Popen(command, cwd=self.folder, env={**os.environ, **dict(environment)},
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = self.process.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})$", address.strip())
        if not found:
            raise RuntimeError(f"no address but {address!r}: {self.process.stderr.read()}")
        self.port, self.token, self.address = int(found[1]), found[2], address.strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=30)
        if self.own:
            self.own.cleanup()
            self.own = None
        return self.process.returncode

    def request(self, method, path, body=None, head=None, token=True, timeout=60):
        """(status, fields, bytes) of one request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        fields = {"X-Surefield-Token": self.token} if token else {}
        fields.update(head or {})
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=fields)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def json(self, method, path, body=None, **how):
        status, _, text = self.request(method, path, None if body is None else json.dumps(body), **how)
        return status, json.loads(text) if text else None

    def ask(self, command, file, options=None, **more):
        return self.json("POST", "/api/v1/ask", {"command": command, "file": file, "options": options or {}, **more})

    def events(self, question, until=None):
        """The events of a question as they come: (name, data). Closing the generator closes the connection."""
        with contextlib.closing(self.raw()) as link:
            body = json.dumps(question).encode()
            link.sendall(self.head("POST", "/api/v1/ask", {"Accept": "text/event-stream", "Content-Length": len(body)}) + body)
            stream = link.makefile("r", encoding="utf-8", newline="\n")
            while stream.readline().strip():  # the head
                pass
            name, data = None, []
            for line in stream:
                line = line.rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    data.append(line[6:])
                elif not line and name:
                    yield name, json.loads("\n".join(data))
                    name, data = None, []

    def head(self, method, path, fields=None, token=True):
        lines = {"Host": f"127.0.0.1:{self.port}", **({"X-Surefield-Token": self.token} if token else {}), **(fields or {})}
        return (f"{method} {path} HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in lines.items()) + "\r\n").encode()

    def raw(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def say(self, data, timeout=60):
        """What the server says to these bytes before it closes or falls silent."""
        with contextlib.closing(self.raw(timeout)) as link:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                link.sendall(data)
            heard = b""
            with contextlib.suppress(ConnectionResetError, TimeoutError):
                while part := link.recv(65536):
                    heard += part
                    if b"\r\n\r\n" in heard and b"keep-alive" in heard:
                        break
            return heard

    def is_well(self):
        return self.json("GET", "/api/v1/about")[0] == 200

    def memory(self):
        """Resident, in MiB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

    def surefield(self, *arguments):
        """The program itself in the same folder: what it writes to stdout."""
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=120)
        if done.returncode > 1:
            raise RuntimeError(done.stderr)
        return done.stdout
