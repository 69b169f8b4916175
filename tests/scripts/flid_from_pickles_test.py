"""The converter of the authors' pickles: what it reads is what was written, and nothing else is ever looked up."""
import base64
import contextlib
import io
import os
import pathlib
import pickle
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True
import flid_from_pickles  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

# pickle.dumps({"model": DiversityFun, "time": 0.5}, protocol) by NumPy 1.24, the class in a module functions.flid:
# utilities [0.1, -2.5], W [[1, 0, 0.25], [0.5, 1/3, 2]], n_logz [-1.75].
RECORDED = {
    0: (
        "KGRwMApWbW9kZWwKcDEKY2NvcHlfcmVnCl9yZWNvbnN0cnVjdG9yCnAyCihjZnVuY3Rpb25zLmZsaWQKRGl2ZXJzaXR5RnVuCnAz"
        "CmNfX2J1aWx0aW5fXwpvYmplY3QKcDQKTnRwNQpScDYKKGRwNwpWVgpwOAoobHA5CkkwCmFJMQphc1ZuX2RpbQpwMTAKSTMKc1Z1"
        "dGlsaXRpZXMKcDExCmNudW1weS5jb3JlLm11bHRpYXJyYXkKX3JlY29uc3RydWN0CnAxMgooY251bXB5Cm5kYXJyYXkKcDEzCihJ"
        "MAp0cDE0CmNfY29kZWNzCmVuY29kZQpwMTUKKFZiCnAxNgpWbGF0aW4xCnAxNwp0cDE4ClJwMTkKdHAyMApScDIxCihJMQooSTIK"
        "dHAyMgpjbnVtcHkKZHR5cGUKcDIzCihWZjgKcDI0CkkwMApJMDEKdHAyNQpScDI2CihJMwpWPApwMjcKTk5OSS0xCkktMQpJMAp0"
        "cDI4CmJJMDAKZzE1CihWmpmZmZmZuT9cdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDAEwApwMjkKZzE3CnRwMzAK"
        "UnAzMQp0cDMyCmJzVlcKcDMzCmcxMgooZzEzCihJMAp0cDM0CmcxOQp0cDM1ClJwMzYKKEkxCihJMgpJMwp0cDM3CmcyNgpJMDAK"
        "ZzE1CihWXHUwMDAwXHUwMDAwXHUwMDAwXHUwMDAwXHUwMDAwXHUwMDAw8D9cdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBc"
        "dTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDDQP1x1MDAwMFx1MDAwMFx1MDAwMFx1"
        "MDAwMFx1MDAwMFx1MDAwMOA/VVVVVVVV1T9cdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBcdTAwMDBACnAzOApn"
        "MTcKdHAzOQpScDQwCnRwNDEKYnNWbl9sb2d6CnA0MgpnMTIKKGcxMwooSTAKdHA0MwpnMTkKdHA0NApScDQ1CihJMQooSTEKdHA0"
        "NgpnMjYKSTAwCmcxNQooVlx1MDAwMFx1MDAwMFx1MDAwMFx1MDAwMFx1MDAwMFx1MDAwMPy/CnA0NwpnMTcKdHA0OApScDQ5CnRw"
        "NTAKYnNic1Z0aW1lCnA1MQpGMC41CnMu"
    ),
    2: (
        "gAJ9cQAoWAUAAABtb2RlbHEBY2Z1bmN0aW9ucy5mbGlkCkRpdmVyc2l0eUZ1bgpxAimBcQN9cQQoWAEAAABWcQVdcQYoSwBLAWVY"
        "BQAAAG5fZGltcQdLA1gJAAAAdXRpbGl0aWVzcQhjbnVtcHkuY29yZS5tdWx0aWFycmF5Cl9yZWNvbnN0cnVjdApxCWNudW1weQpu"
        "ZGFycmF5CnEKSwCFcQtjX2NvZGVjcwplbmNvZGUKcQxYAQAAAGJxDVgGAAAAbGF0aW4xcQ6GcQ9ScRCHcRFScRIoSwFLAoVxE2Nu"
        "dW1weQpkdHlwZQpxFFgCAAAAZjhxFYmIh3EWUnEXKEsDWAEAAAA8cRhOTk5K/////0r/////SwB0cRliiWgMWBgAAADCmsKZwpnC"
        "mcKZwpnCuT8AAAAAAAAEw4BxGmgOhnEbUnEcdHEdYlgBAAAAV3EeaAloCksAhXEfaBCHcSBScSEoSwFLAksDhnEiaBeJaAxYNAAA"
        "AAAAAAAAAMOwPwAAAAAAAAAAAAAAAAAAw5A/AAAAAAAAw6A/VVVVVVVVw5U/AAAAAAAAAEBxI2gOhnEkUnEldHEmYlgGAAAAbl9s"
        "b2d6cSdoCWgKSwCFcShoEIdxKVJxKihLAUsBhXEraBeJaAxYCgAAAAAAAAAAAMO8wr9xLGgOhnEtUnEudHEvYnViWAQAAAB0aW1l"
        "cTBHP+AAAAAAAAB1Lg=="
    ),
    3: (
        "gAN9cQAoWAUAAABtb2RlbHEBY2Z1bmN0aW9ucy5mbGlkCkRpdmVyc2l0eUZ1bgpxAimBcQN9cQQoWAEAAABWcQVdcQYoSwBLAWVY"
        "BQAAAG5fZGltcQdLA1gJAAAAdXRpbGl0aWVzcQhjbnVtcHkuY29yZS5tdWx0aWFycmF5Cl9yZWNvbnN0cnVjdApxCWNudW1weQpu"
        "ZGFycmF5CnEKSwCFcQtDAWJxDIdxDVJxDihLAUsChXEPY251bXB5CmR0eXBlCnEQWAIAAABmOHERiYiHcRJScRMoSwNYAQAAADxx"
        "FE5OTkr/////Sv////9LAHRxFWKJQxCamZmZmZm5PwAAAAAAAATAcRZ0cRdiWAEAAABXcRhoCWgKSwCFcRloDIdxGlJxGyhLAUsC"
        "SwOGcRxoE4lDMAAAAAAAAPA/AAAAAAAAAAAAAAAAAADQPwAAAAAAAOA/VVVVVVVV1T8AAAAAAAAAQHEddHEeYlgGAAAAbl9sb2d6"
        "cR9oCWgKSwCFcSBoDIdxIVJxIihLAUsBhXEjaBOJQwgAAAAAAAD8v3EkdHElYnViWAQAAAB0aW1lcSZHP+AAAAAAAAB1Lg=="
    ),
    5: (
        "gAWVZAEAAAAAAAB9lCiMBW1vZGVslIwOZnVuY3Rpb25zLmZsaWSUjAxEaXZlcnNpdHlGdW6Uk5QpgZR9lCiMAVaUXZQoSwBLAWWM"
        "BW5fZGltlEsDjAl1dGlsaXRpZXOUjBJudW1weS5jb3JlLm51bWVyaWOUjAtfZnJvbWJ1ZmZlcpSTlCiWEAAAAAAAAACamZmZmZm5"
        "PwAAAAAAAATAlIwFbnVtcHmUjAVkdHlwZZSTlIwCZjiUiYiHlFKUKEsDjAE8lE5OTkr/////Sv////9LAHSUYksChZSMAUOUdJRS"
        "lIwBV5RoDSiWMAAAAAAAAAAAAAAAAADwPwAAAAAAAAAAAAAAAAAA0D8AAAAAAADgP1VVVVVVVdU/AAAAAAAAAECUaBRLAksDhpRo"
        "GHSUUpSMBm5fbG9nepRoDSiWCAAAAAAAAAAAAAAAAAD8v5RoFEsBhZRoGHSUUpR1YowEdGltZZRHP+AAAAAAAAB1Lg=="
    ),
}
TEXT = """2 3 -1.75 0.5
0.10000000000000001 -2.5
1 0 0.25
0.5 0.33333333333333331 2
"""


class Convert(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.source = pathlib.Path(self.folder.name) / "pickles"
        self.target = pathlib.Path(self.folder.name) / "text"
        self.source.mkdir()

    def tearDown(self):
        self.folder.cleanup()

    def convert(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            code = flid_from_pickles.main([str(self.source), str(self.target)])
        return code, said.getvalue()

    def put(self, data, name="toys_flid_d_3_fold_1.pkl"):
        (self.source / name).write_bytes(data)

    def refusal(self, data):
        self.put(data)
        code, said = self.convert()
        self.assertEqual(code, 1)
        self.assertFalse((self.target / "toys_flid_d_3_fold_1.txt").exists())
        return said

    def test_every_protocol_gives_the_same_text(self):
        for protocol, data in RECORDED.items():
            with self.subTest(protocol=protocol):
                self.put(base64.b64decode(data))
                self.assertEqual(self.convert()[0], 0)
                self.assertEqual((self.target / "toys_flid_d_3_fold_1.txt").read_text(), TEXT)

    @unittest.skipIf(numpy is None, "NumPy is not installed for this Python")
    def test_reads_what_numpy_writes(self):
        generator = numpy.random.RandomState(1)
        for order, kind in (("C", "<f8"), ("F", "<f8"), ("C", ">f8"), ("C", "<f4")):
            weights = numpy.asarray(generator.rand(5, 2), dtype=kind, order=order)
            utilities = generator.randn(5)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                self.put(model_pickle(utilities, weights, numpy.array([-3.5]), protocol), "gear_flid_d_2_fold_7.pkl")
                self.assertEqual(self.convert()[0], 0)
                head, values, *rows = (self.target / "gear_flid_d_2_fold_7.txt").read_text().splitlines()
                self.assertEqual(head, "5 2 -3.5 2")
                self.assertEqual([float(v) for v in values.split()], list(utilities))
                self.assertEqual([[float(v) for v in row.split()] for row in rows], weights.tolist())

    def test_refuses_any_other_global_and_does_not_run_it(self):
        mark = pathlib.Path(self.folder.name) / "mark"

        class Attack:
            def __reduce__(self):
                return os.system, (f"touch {mark}",)

        said = self.refusal(pickle.dumps({"model": Attack()}))
        self.assertIn("it asks for posix.system, which no FLID model needs", said)
        self.assertFalse(mark.exists())
        for call, name in ((eval, "builtins.eval"), (getattr, "builtins.getattr"), (print, "builtins.print")):
            self.assertIn(f"it asks for {name}", self.refusal(pickle.dumps(call)))

    def test_refuses_what_is_no_model_and_goes_on(self):
        whole = base64.b64decode(RECORDED[3])
        self.assertIn("not a pickle that can be read", self.refusal(whole[: len(whole) // 2]))
        self.assertIn("not a pickle that can be read", self.refusal(b""))
        self.assertIn("holds no dictionary with a 'model'", self.refusal(pickle.dumps([1, 2])))
        self.put(b"\x80", "toys_flid_d_3_fold_1.pkl")
        self.put(whole, "toys_flid_d_3_fold_2.pkl")
        code, said = self.convert()
        self.assertEqual(code, 1)
        self.assertIn("toys_flid_d_3_fold_1.pkl: it is not a pickle", said)
        self.assertIn("1 models written", said)
        self.assertEqual((self.target / "toys_flid_d_3_fold_2.txt").read_text(), TEXT)

    def test_damage_anywhere_is_refused_or_read_but_never_crashes(self):
        whole = base64.b64decode(RECORDED[3])
        for place in range(0, len(whole), 3):
            for byte in (0, 0x2E, 0xFF):
                self.put(whole[:place] + bytes([byte]) + whole[place + 1 :])
                self.assertIn(self.convert()[0], (0, 1))

    def test_refuses_dimensions_unlike_the_name(self):
        self.put(base64.b64decode(RECORDED[3]), "toys_flid_d_2_fold_1.pkl")
        code, said = self.convert()
        self.assertEqual(code, 1)
        self.assertIn("its weights have 3 dimensions, unlike its name", said)

    def test_says_what_arguments_it_wants(self):
        code, said = self.convert()
        self.assertEqual(code, 2)
        self.assertIn("it holds no file <category>_flid_d_<D>_fold_<k>.pkl", said)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(flid_from_pickles.main([]), 2)
            self.assertEqual(flid_from_pickles.main(["/no/such/folder", "out"]), 2)
        self.assertIn("/no/such/folder: there is no such folder", said.getvalue())


def model_pickle(utilities, weights, constant, protocol):
    """As the authors' code writes it, with a class of that name."""
    module = types.ModuleType("flid")
    kind = type("DiversityFun", (), {"__module__": "flid"})
    module.DiversityFun = kind
    sys.modules["flid"] = module
    model = kind()
    model.V, model.n_dim = list(range(len(utilities))), weights.shape[1]
    model.utilities, model.W, model.n_logz = utilities, weights, constant
    try:
        return pickle.dumps({"model": model, "time": 2.0}, protocol)
    finally:
        del sys.modules["flid"]


if __name__ == "__main__":
    unittest.main()
