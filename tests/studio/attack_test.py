"""Attacks on `surefield serve`: each is refused, and the server still answers.

usage: attack_test.py PROGRAM
"""
import contextlib
import http.client
import json
import pathlib
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from studio_server import Studio

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
SANITIZED = b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()
SECRET = "not for the page"


def status_of(heard):
    return int(heard.split(b" ", 2)[1]) if heard.startswith(b"HTTP/1.1 ") else None


class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.above = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.above.name)
        secret = {"surefield": "1", "kind": "flid", "items": [SECRET, "b"], "utility": [0.5, -0.5], "weights": [[0.5], [1.0]]}
        (root / "secret.json").write_text(json.dumps(secret))  # it could be opened, were it not outside
        folder = root / "served"
        folder.mkdir()
        (folder / "link.json").symlink_to(root / "secret.json")
        (folder / "up").symlink_to(root)
        (folder / "model.json").write_text(json.dumps(secret | {"items": ["a", "b"]}))
        cls.studio = Studio(PROGRAM, folder=folder)

    @classmethod
    def tearDownClass(cls):
        assert cls.studio.end() == 0
        cls.above.cleanup()

    def tearDown(self):
        self.assertTrue(self.studio.is_well(), "the server still answers")

    def refused(self, data, *statuses):
        heard = self.studio.say(data)
        self.assertIn(status_of(heard), statuses, heard[:200])
        self.assertNotIn(SECRET.encode(), heard)

    def test_another_host_is_refused_as_rebinding_would_have_it(self):
        port = self.studio.port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil.example:{port}",
                     f"127.0.0.1:{port}.evil.example", f"127.0.0.1:{port},evil", f"[::1]:{port}", f"0.0.0.0:{port}", f"user@127.0.0.1:{port}", ""):
            for path in ("/", "/studio.js", "/api/v1/about"):
                self.refused(self.studio.head("GET", path, {"Host": host}), 421)
        self.refused(b"GET / HTTP/1.1\r\n\r\n", 421)
        self.assertEqual(status_of(self.studio.say(self.studio.head("GET", "/", {"Host": f"localhost:{port}"}))), 200)

    def test_two_hosts_or_two_tokens_are_refused(self):
        good = f"Host: 127.0.0.1:{self.studio.port}\r\n"
        self.refused(f"GET / HTTP/1.1\r\n{good}Host: evil.example\r\n\r\n".encode(), 400)
        self.refused(f"GET /api/v1/about HTTP/1.1\r\n{good}X-Surefield-Token: a\r\nX-Surefield-Token: {self.studio.token}\r\n\r\n".encode(), 400)

    def test_a_page_of_another_origin_is_refused_and_gets_no_permission(self):
        for origin in ("http://evil.example", "null", f"http://localhost:{self.studio.port}.evil", f"https://127.0.0.1:{self.studio.port}", f"http://127.0.0.1:{self.studio.port + 1}"):
            for method in ("GET", "POST", "OPTIONS"):
                heard = self.studio.say(self.studio.head(method, "/api/v1/about", {"Origin": origin, "Content-Length": 0}))
                self.assertEqual(status_of(heard), 403, origin)
                self.assertNotIn(b"access-control", heard.lower())
        self.refused(self.studio.head("GET", "/api/v1/about", {"Sec-Fetch-Site": "cross-site"}), 403)
        own = self.studio.head("GET", "/api/v1/about", {"Origin": f"http://127.0.0.1:{self.studio.port}", "Sec-Fetch-Site": "same-origin"})
        heard = self.studio.say(own)
        self.assertEqual(status_of(heard), 200)
        self.assertNotIn(b"access-control", heard.lower())

    def test_without_the_token_nothing_is_told(self):
        wrong = [None, "", "0" * 32, self.studio.token[:-1], self.studio.token + "0", self.studio.token.upper() + " x"]
        for method, path in (("GET", "/api/v1/about"), ("GET", "/api/v1/files"), ("POST", "/api/v1/ask"), ("GET", "/api/v1/runs/1"), ("DELETE", "/api/v1/runs/1"), ("GET", "/api/v1/none")):
            for token in wrong:
                head = {} if token is None else {"X-Surefield-Token": token}
                self.assertEqual(self.studio.request(method, path, head=head, token=False)[0], 401)
        self.assertEqual(self.studio.request("GET", f"/api/v1/about?token={self.studio.token}", token=False)[0], 401)
        self.assertEqual(self.studio.request("GET", "/api/v1/about", head={"Cookie": f"token={self.studio.token}"}, token=False)[0], 401)

    def test_no_path_leads_out_of_the_folder(self):
        for path in ("../secret.json", "../../etc/passwd", "/etc/passwd", "link.json", "up/secret.json", "./../secret.json", "up/../secret.json", "", ".", "..", "\u2025/secret.json", "model.json/../../secret.json"):
            status, _, text = self.studio.request("POST", "/api/v1/files", json.dumps({"path": path}))
            self.assertIn(status, (400, 422), path)
            self.assertNotIn(SECRET.encode(), text)
        self.assertEqual(self.studio.request("POST", "/api/v1/files", json.dumps({"path": "model.json"}))[0], 201, "and one that is inside is opened")
        for target in ("/../secret.json", "/%2e%2e/secret.json", "/..%2fsecret.json", "//etc/passwd", "/api/v1/files/..%2f..%2fsecret.json", "/studio.js/../../secret.json", "/%00", "/%zz", "/a%0d%0ab"):
            self.refused(self.studio.head("GET", target), 400, 404)

    def test_a_body_of_a_gigabyte_is_refused_unread(self):
        before = self.studio.memory()
        self.refused(self.studio.head("POST", "/api/v1/files?name=a.json", {"Content-Length": 1 << 30}) + b"x" * 100000, 413)
        self.refused(self.studio.head("POST", "/api/v1/files?name=a.json", {"Content-Length": 1 << 62}), 413)
        with contextlib.closing(self.studio.raw()) as link:  # in chunks, as long as it lasts
            link.sendall(self.studio.head("POST", "/api/v1/files?name=a.json", {"Transfer-Encoding": "chunked"}))
            part = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
            with self.assertRaises((BrokenPipeError, ConnectionResetError)):
                for _ in range(1024):
                    link.sendall(part)
        self.assertLess(self.studio.memory() - before, 300)
        # Whoever has no token is told so before a byte of the body is taken.
        self.refused(self.studio.head("POST", "/api/v1/files?name=a.json", {"Content-Length": 60 << 20}, token=False), 401)

    def test_a_question_too_long_or_too_deep_is_refused(self):
        self.assertEqual(self.studio.request("POST", "/api/v1/ask", "[" * 100000)[0], 400)
        self.assertEqual(self.studio.request("POST", "/api/v1/ask", "{\"a\":" * 1000)[0], 400)
        self.assertEqual(self.studio.request("POST", "/api/v1/ask", " " * (2 << 20))[0], 400)
        self.assertEqual(self.studio.request("POST", "/api/v1/ask", "null")[0], 400)
        self.assertEqual(self.studio.request("POST", "/api/v1/ask", "{}")[0], 400)

    def test_heads_too_long_or_malformed_are_refused(self):
        self.refused(self.studio.head("GET", "/", {"X": "y" * 20000}), 431, 400)
        self.refused(self.studio.head("GET", "/" + "a" * 20000), 431, 400)
        for data in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n", b"GET  HTTP/1.1\r\n\r\n", b"\r\n\r\n\r\nnonsense\r\n\r\n",
                     self.studio.head("POST", "/api/v1/ask", {"Content-Length": "-1"}), self.studio.head("POST", "/api/v1/ask", {"Content-Length": "5", "Transfer-Encoding": "chunked"})):
            self.refused(data, 400)

    def test_slow_heads_are_cut_off_while_others_are_answered(self):
        links = [self.studio.raw() for _ in range(40)]
        begun = time.monotonic()
        for link in links:
            link.sendall(b"GET / HTTP/1.1\r\n")
        ended = [None] * len(links)

        def drip(k):
            with contextlib.suppress(OSError):
                while time.monotonic() - begun < 20:
                    links[k].sendall(b"X")
                    links[k].settimeout(0.5)
                    with contextlib.suppress(TimeoutError):
                        if not links[k].recv(4096) or True:
                            break
            ended[k] = time.monotonic() - begun

        threads = [threading.Thread(target=drip, args=(k,)) for k in range(len(links))]
        for thread in threads:
            thread.start()
        self.assertTrue(self.studio.is_well())
        for thread in threads:
            thread.join()
        for link in links:
            link.close()
        self.assertTrue(all(9 < one < 13 for one in ended), f"a head has ten seconds, not {ended}")

    def test_a_thousand_idle_connections_keep_nobody_out(self):
        links = []
        try:
            for _ in range(1000):
                links.append(self.studio.raw())
            begun = time.monotonic()
            for _ in range(20):
                self.assertTrue(self.studio.is_well())
            self.assertLess(time.monotonic() - begun, 5)
        finally:
            for link in links:
                link.close()

    def test_a_thousand_streams_are_limited_and_leave_nothing_behind(self):
        self.studio.surefield("generate", "flid", "--items", 100, "--groups", 10, "--seed", 5, "-o", "hard.json")
        file = self.studio.json("POST", "/api/v1/files", {"path": "hard.json"})[1]
        body = json.dumps({"command": "logz", "file": file["id"], "options": {"beta": 2, "width": 1e-9, "seconds": 60}}).encode()
        head = self.studio.head("POST", "/api/v1/ask", {"Accept": "text/event-stream", "Content-Length": len(body)})
        links = []
        for _ in range(1000):
            link = self.studio.raw()
            link.sendall(head + body)
            links.append(link)
        for link in links:
            link.close()
        begun, answered = time.monotonic(), None
        while answered != 200 and time.monotonic() - begun < 30:
            time.sleep(0.1)
            with contextlib.suppress(OSError, http.client.HTTPException):
                answered = self.studio.ask("infer", file["id"], {})[0]
        self.assertEqual(answered, 200, "and works for whoever comes next")

    def test_ten_thousand_requests_from_32_connections_fail_nobody_and_leave_memory_flat(self):
        request, wrong = self.studio.head("GET", "/api/v1/about"), []

        def ask(count):
            with contextlib.closing(self.studio.raw()) as link, link.makefile("rb") as stream:
                for _ in range(count):
                    link.sendall(request)
                    status, length = stream.readline(), 0
                    while line := stream.readline().strip():
                        if line.lower().startswith(b"content-length:"):
                            length = int(line.split(b":")[1])
                    if not status.startswith(b"HTTP/1.1 200") or len(stream.read(length)) != length:
                        wrong.append(status)

        def from_all(count):
            threads = [threading.Thread(target=ask, args=(count,)) for _ in range(32)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        from_all(32)
        before = self.studio.memory()
        from_all(313)
        self.assertEqual(wrong, [])
        self.assertLess(self.studio.memory() - before, 300 if SANITIZED else 12, "MiB; a sanitizer keeps what was freed")

    def test_every_answer_carries_the_policy(self):
        for path in ("/", "/studio.js", "/api/v1/about", "/api/v1/none"):
            _, head, _ = self.studio.request("GET", path)
            self.assertTrue(head["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"))
            self.assertNotIn("unsafe", head["Content-Security-Policy"])
            self.assertEqual(head["X-Content-Type-Options"], "nosniff")
            self.assertEqual(head["Cache-Control"], "no-store")
            self.assertIn("frame-ancestors 'none'", head["Content-Security-Policy"])

    def test_nobody_listens_beyond_loopback(self):
        lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        mine = [line[1] for line in lines if line[3] == "0A" and line[1].endswith(f":{self.studio.port:04X}")]
        self.assertEqual(mine, [f"0100007F:{self.studio.port:04X}"])
        six = [line.split()[1] for line in pathlib.Path("/proc/net/tcp6").read_text().splitlines()[1:]]
        self.assertFalse([one for one in six if one.endswith(f":{self.studio.port:04X}")])


if __name__ == "__main__":
    unittest.main(verbosity=1)
