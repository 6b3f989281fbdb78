"""Tokens that PyJWT signs, shown to the backend outside its development mode: keys at a URL, in a file, and a shared secret."""

import base64
import hashlib
import hmac
import json
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import jwt
from backend import Backend, Client
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

ISSUER, AUDIENCE = "https://id.example.com/", "keyfold"
SETTINGS = ("--issuer", ISSUER, "--audience", AUDIENCE, "--log", "debug")
LICENSE = "/v1/platform/licenses/l-1"


class Key:
    """A private key with its algorithm and its public form."""

    def __init__(self, kid: str, algorithm: str, private: object) -> None:
        self.kid, self.algorithm, self.private = kid, algorithm, private
        maker = jwt.get_algorithm_by_name(algorithm)
        self.public = json.loads(maker.to_jwk(private.public_key())) | {"kid": kid, "use": "sig"}

    def sign(self, claims: dict, **header: object) -> str:
        return jwt.encode(claims, self.private, self.algorithm, {"kid": self.kid} | header)


def claims(**changed: object) -> dict:
    """An operator's of `platform`, unless changed; `None` leaves a claim out."""
    now = int(time.time())
    usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "roles": ["operator"], "designs": ["platform"], "iat": now, "exp": now + 600}
    return {name: value for name, value in (usual | changed).items() if value is not None}


def new_rsa() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def encoded(part: object) -> str:
    data = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def with_secret(secret: bytes, header: dict, body: dict) -> str:
    """As the algorithm says and no library would: with a public key for a secret."""
    signed = f"{encoded(header)}.{encoded(body)}"
    return f"{signed}.{encoded(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"


def status(backend: Backend, token: str, method: str = "GET", path: str = f"{LICENSE}?tenant=northwind", body: object = None) -> int:
    code, answer, headers = Client(backend.port, token).request(method, path, body)
    if code == 401:
        assert headers["www-authenticate"].startswith("Bearer"), headers
        assert answer["code"] == "unauthenticated", answer
    return code


def expect(backend: Backend, expected: int, tokens: dict[str, str]) -> None:
    for what, token in tokens.items():
        # Twice, since the second time it may be remembered.
        found = [status(backend, token) for _ in range(2)]
        assert found == [expected] * 2, f"{what}: {found}"


def fill(backend: Backend, operator: str) -> None:
    assert status(backend, operator, "POST", "/v1/platform/accounts", {"accountId": "northwind", "name": "Northwind"}) == 201
    assert status(backend, operator, "POST", "/v1/platform/enterprises", {"enterpriseId": "globex", "name": "Globex"}) == 201
    body = {"accountId": "northwind", "licenseId": "l-1", "enterpriseId": "globex", "endDate": "2030-01-01", "seats": 1}
    assert status(backend, operator, "POST", "/v1/platform/licenses", body) == 201
    # The design admits only callers who are active users of an active account.
    assert status(backend, operator, "POST", "/v1/platform/accounts", {"accountId": "contoso", "name": "Contoso"}) == 201
    assert status(backend, operator, "POST", "/v1/platform/roles", {"roleId": "reader", "name": "Reader"}) == 201
    for user, account in [("joan", "northwind"), ("carla", "contoso")]:
        person = {"userId": user, "accountId": account, "roleId": "reader", "email": f"{user}@example.com"}
        person |= {"firstName": user, "lastName": user}
        assert status(backend, operator, "POST", "/v1/platform/users", person) == 201


class Published:
    """A key set at a URL of its own."""

    def __init__(self, keys: list[Key]) -> None:
        text = json.dumps({"keys": [key.public for key in keys]}).encode()

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/keys.json"


def keys_at_a_url(folder: Path) -> None:
    ps256 = Key("ps", "PS256", new_rsa())
    keys = [
        Key("rs", "RS256", new_rsa()),
        Key("es", "ES256", ec.generate_private_key(ec.SECP256R1())),
        Key("ed", "EdDSA", ed25519.Ed25519PrivateKey.generate()),
        ps256,
    ]
    ps256.public["alg"] = "PS256"
    published = Published(keys)
    with Backend(folder, mode=("--jwks", published.url, *SETTINGS)) as backend:
        tokens_of_every_kind(backend, keys)


def tokens_of_every_kind(backend: Backend, keys: list[Key]) -> None:
    rs, _, _, ps256 = keys
    fill(backend, rs.sign(claims()))
    now = int(time.time())
    expect(backend, 200, {key.algorithm: key.sign(claims()) for key in keys})
    expect(
        backend,
        200,
        {
            "an access token of RFC 9068": rs.sign(claims(), typ="at+jwt"),
            "one of several audiences": rs.sign(claims(aud=["other", AUDIENCE])),
            "expired within the skew of clocks": rs.sign(claims(exp=now - 5)),
            "a member": rs.sign(claims(sub="joan", tenant="northwind", roles=[])),
        },
    )
    # Another tenant's data is not there.
    expect(backend, 404, {"a member of another tenant": rs.sign(claims(sub="carla", tenant="contoso", roles=[]))})
    expect(
        backend,
        403,
        {
            "a user in a tenant that is not theirs": rs.sign(claims(sub="joan", tenant="contoso", roles=[])),
            "nobody's user": rs.sign(claims(sub="mallory", tenant="northwind", roles=[])),
        },
    )
    # Where there are several designs, a token states which of them it is for.
    expect(
        backend,
        401,
        {
            "a token for another design": rs.sign(claims(designs=["agencies"])),
            "a token for no design": rs.sign(claims(designs=None)),
        },
    )
    pem = rs.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    der = rs.private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    good = rs.sign(claims())
    head, body, signature = good.split(".")
    stranger = Key("rs", "RS256", new_rsa())
    expect(
        backend,
        401,
        {
            "expired": rs.sign(claims(exp=now - 3600)),
            "without an end": rs.sign(claims(exp=None)),
            "not valid yet": rs.sign(claims(nbf=now + 3600)),
            "of another issuer": rs.sign(claims(iss="https://evil.example.com/")),
            "of no issuer": rs.sign(claims(iss=None)),
            "for someone else": rs.sign(claims(aud="other")),
            "for nobody": rs.sign(claims(aud=None)),
            "unsigned": jwt.encode(claims(), None, "none"),
            "unsigned, spelt otherwise": f"{encoded({'alg': 'nOnE', 'typ': 'JWT'})}.{encoded(claims())}.",
            "unsigned, with something for a signature": f"{encoded({'alg': 'none', 'typ': 'JWT', 'kid': 'rs'})}.{encoded(claims())}.{signature}",
            "without its signature": f"{head}.{body}.",
            "with another body": f"{head}.{encoded(claims(sub='eve'))}.{signature}",
            "with another head": f"{encoded({'alg': 'RS256', 'typ': 'JWT', 'kid': 'rs', 'x': 1})}.{body}.{signature}",
            "with a bent signature": f"{head}.{body}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}",
            "signed by a stranger under a known name": stranger.sign(claims()),
            "signed with the public key as PEM": with_secret(pem, {"alg": "HS256", "typ": "JWT", "kid": "rs"}, claims()),
            "signed with the public key as DER": with_secret(der, {"alg": "HS256", "typ": "JWT", "kid": "rs"}, claims()),
            "with a key of its own": stranger.sign(claims(), jwk=stranger.public, kid="own"),
            "with a key of its own under a known name": stranger.sign(claims(), jwk=stranger.public),
            "of an unknown key": Key("new", "RS256", new_rsa()).sign(claims()),
            "of an algorithm that its key is not for": Key("ps", "RS256", ps256.private).sign(claims()),
            "of another type": rs.sign(claims(), typ="logout+jwt"),
            "no token": "x.y.z",
        },
    )
    expect(backend, 200, {"the good one, still": good})
    assert backend.stop() == 0
    log = backend.log.read_text(encoding="utf-8")
    assert "/v1/platform/licenses/{licenseId}" in log and good not in log and signature not in log


def write(file: Path, *keys: Key) -> None:
    file.write_text(json.dumps({"keys": [key.public for key in keys]}))


def keys_in_a_file(folder: Path) -> None:
    old, new = Key("2026", "RS256", new_rsa()), Key("2027", "ES256", ec.generate_private_key(ec.SECP256R1()))
    file = folder / "keys.json"
    write(file, old)
    with Backend(folder, mode=("--jwks", str(file), *SETTINGS)) as backend:
        rotation(backend, file, old, new)


def rotation(backend: Backend, file: Path, old: Key, new: Key) -> None:
    of_old, of_new = old.sign(claims()), new.sign(claims())
    fill(backend, of_old)
    expect(backend, 401, {"of a key that is not there yet": of_new})
    write(file, old, new)
    settled(backend, {of_old: 200, of_new: 200})
    write(file, new)
    settled(backend, {of_old: 401, of_new: 200})
    # A broken file takes nothing away.
    file.write_text("{")
    time.sleep(1.5)
    assert status(backend, of_new) == 200
    assert backend.stop() == 0


def settled(backend: Backend, expected: dict[str, int]) -> None:
    """The file is looked at once a second."""
    deadline = time.monotonic() + 10
    while {token: status(backend, token) for token in expected} != expected:
        assert time.monotonic() < deadline, expected
        time.sleep(0.1)


def a_secret(folder: Path) -> None:
    secret = "a secret for tests, of more than the sixty-four bytes that HS512 wants at least"
    file = folder / "secret"
    file.write_text(secret)
    file.chmod(0o600)
    with Backend(folder, mode=("--token-secret-file", str(file), *SETTINGS)) as backend:
        tokens_of_a_secret(backend, secret)


def tokens_of_a_secret(backend: Backend, secret: str) -> None:
    good = jwt.encode(claims(), secret, "HS256")
    fill(backend, good)
    private = new_rsa()
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    expect(backend, 200, {"HS256": good, "HS512": jwt.encode(claims(), secret, "HS512")})
    expect(
        backend,
        401,
        {
            "another secret": jwt.encode(claims(), secret + "!", "HS256"),
            "RS256": jwt.encode(claims(), pem, "RS256"),
            "unsigned": jwt.encode(claims(), None, "none"),
        },
    )
    assert Client(backend.port).request("GET", f"{LICENSE}?tenant=northwind")[0] == 401
    assert backend.stop() == 0
    log = backend.log.read_text(encoding="utf-8")
    assert "/v1/platform/licenses/{licenseId}" in log and secret not in log


def main() -> None:
    for part in (keys_at_a_url, keys_in_a_file, a_secret):
        with tempfile.TemporaryDirectory() as folder:
            part(Path(folder))
        print(f"identity: {part.__name__.replace('_', ' ')}: as it should be")


main()
