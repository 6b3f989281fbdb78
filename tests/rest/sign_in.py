"""People who sign in with a browser at a real identity provider (oidc-provider), and its access tokens."""

import base64
import html
import http.client
import json
import re
import subprocess
import tempfile
import time
import urllib.parse
from pathlib import Path

from backend import KEYFOLD, Backend, Client, free_port

HERE = Path(__file__).parent
ME = "/v1/platform/me"
CSRF = {"Keyfold-CSRF": "1"}


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.getheaders()
        self.text = response.read().decode()

    def header(self, name: str) -> str | None:
        return next((value for own, value in self.headers if own.lower() == name), None)

    def json(self) -> dict:
        return json.loads(self.text)

    def expect(self, status: int) -> "Answer":
        assert self.status == status, f"{self.status} {self.headers} {self.text}"
        return self


class Browser:
    """Keeps the cookies of each server, and follows no redirect by itself."""

    def __init__(self) -> None:
        self.cookies: dict[str, dict[str, str]] = {}
        self.attributes: dict[str, str] = {}

    def request(self, method: str, url: str, body: str | None = None, **headers: str) -> Answer:
        parts = urllib.parse.urlsplit(url)
        jar = self.cookies.setdefault(parts.netloc, {})
        connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
        sent = dict(headers)
        if jar:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        connection.request(method, path, body, sent)
        answer = Answer(connection.getresponse())
        for name, value in answer.headers:
            if name.lower() == "set-cookie":
                pair, _, attributes = value.partition(";")
                cookie, _, content = pair.partition("=")
                self.attributes[cookie] = attributes
                expired = not content or "Max-Age=0" in attributes or "1970" in attributes
                if expired:
                    jar.pop(cookie, None)
                else:
                    jar[cookie] = content
        return answer

    def get(self, url: str, **headers: str) -> Answer:
        return self.request("GET", url, **headers)

    def copy(self) -> "Browser":
        other = Browser()
        other.cookies = {server: dict(jar) for server, jar in self.cookies.items()}
        return other


class Provider:
    """oidc-provider in a process of its own."""

    def __init__(self, folder: Path, server: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        with open(folder / "provider.log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(["node", HERE / "provider.mjs", str(self.port), server], stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while "ready" not in (folder / "provider.log").read_text(encoding="utf-8"):
            assert self.process.poll() is None and time.monotonic() < deadline, (folder / "provider.log").read_text(encoding="utf-8")
            time.sleep(0.05)

    def __enter__(self) -> "Provider":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def rotate(self) -> None:
        Browser().request("POST", f"{self.url}/control/rotate").expect(200)

    def asked(self, path: str) -> int:
        return Browser().get(f"{self.url}/control/counts").json().get(path, 0)

    def machine_token(self) -> str:
        """An access token for a program."""
        credentials = base64.b64encode(b"job:job-secret").decode()
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": f"Basic {credentials}"}
        body = "grant_type=client_credentials&scope=manage"
        return Browser().request("POST", f"{self.url}/token", body, **headers).expect(200).json()["access_token"]

    def sign_in(self, browser: Browser, url: str, login: str) -> str:
        """Fills in the pages of the provider; gives the URL to which it sends the browser back."""
        for _ in range(10):
            answer = browser.get(url)
            if answer.status == 200:
                action = html.unescape(re.search(r'<form autocomplete="off" action="([^"]+)"', answer.text).group(1))
                prompt = re.search(r'name="prompt" value="(\w+)"', answer.text).group(1)
                form = urllib.parse.urlencode({"prompt": prompt, "login": login})
                answer = browser.request("POST", action, form, **{"Content-Type": "application/x-www-form-urlencoded"})
            assert answer.status in (302, 303), f"{answer.status} {answer.text}"
            url = urllib.parse.urljoin(url, answer.header("location"))
            if "/auth/callback" in url:
                return url
        raise AssertionError(f"no way back: {url}")


def session_cookies(jar: dict[str, str]) -> list[str]:
    return [name for name in jar if name.startswith("keyfold-session")]


class World:
    """A provider, and a server that signs people in with it."""

    def __init__(self, folder: Path, provider: Provider, backend: Backend, settings: tuple[str, ...]) -> None:
        self.folder, self.provider, self.backend, self.settings = folder, provider, backend, settings
        self.url = f"http://127.0.0.1:{backend.port}"
        self.site = f"127.0.0.1:{backend.port}"

    def begin(self, browser: Browser, return_to: str = "/") -> str:
        """The URL of the provider."""
        answer = browser.get(f"{self.url}/auth/sign-in?{urllib.parse.urlencode({'return_to': return_to})}").expect(302)
        return answer.header("location")

    def signed_in(self, login: str = "ada") -> Browser:
        browser = Browser()
        browser.get(self.provider.sign_in(browser, self.begin(browser), login)).expect(302)
        return browser

    def me(self, browser: Browser) -> Answer:
        return browser.get(self.url + ME)


def a_bearer_token_of_the_provider_is_accepted_through_discovery(world: World) -> None:
    assert world.provider.asked("/.well-known/openid-configuration") == 0, "the server starts without its provider"
    token = world.provider.machine_token()
    status, body, _ = Client(world.backend.port, token).request("GET", ME)
    assert (status, body["subject"], body["roles"]) == (200, "job", ["operator"]), body
    assert world.provider.asked("/.well-known/openid-configuration") == 1
    assert Client(world.backend.port, token[:-6] + "AAAAAA").request("GET", ME)[0] == 401


def a_person_signs_in_and_calls_the_api(world: World) -> None:
    browser = Browser()
    assert browser.get(f"{world.url}/auth/session").json() == {"signedIn": False, "issuers": [world.provider.url]}
    url = world.begin(browser, "/console?x=1")
    sent = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    assert (sent["code_challenge_method"], sent["response_type"], sent["client_id"]) == ("S256", "code", "console"), sent
    assert sent["scope"] == "openid email" and len(sent["state"]) >= 43 and len(sent["nonce"]) >= 43, sent
    back = world.provider.sign_in(browser, url, "ada")
    answer = browser.get(back).expect(302)
    assert answer.header("location") == "/console?x=1"
    assert answer.header("cache-control") == "no-store"
    jar = browser.cookies[world.site]
    assert session_cookies(jar) and "keyfold-sign-in" not in jar, jar
    for name in session_cookies(jar):
        assert "HttpOnly" in browser.attributes[name] and "SameSite=Lax" in browser.attributes[name]
    # The beginnings of the headers of tokens. Fewer characters occur in encrypted text by chance.
    headers = ("eyJhbGci", "eyJ0eXAi", "eyJraWQi")
    assert not any(header in value for value in jar.values() for header in headers), "tokens are encrypted"
    session = browser.get(f"{world.url}/auth/session").expect(200).json()
    assert (session["signedIn"], session["subject"], session["issuer"]) == (True, "ada", world.provider.url), session
    me = world.me(browser).expect(200).json()
    assert (me["subject"], me["roles"]) == ("ada", ["operator"]), me


def a_session_changes_nothing_for_other_sites(world: World) -> None:
    browser = world.signed_in()
    account = json.dumps({"accountId": "northwind", "name": "Northwind"})
    kind = {"Content-Type": "application/json"}
    path = f"{world.url}/v1/platform/accounts"
    for headers in [
        {},
        CSRF | {"Origin": "https://evil.example.com"},
        CSRF | {"Sec-Fetch-Site": "cross-site"},
        CSRF | {"Sec-Fetch-Site": "same-site", "Origin": world.url},
    ]:
        answer = browser.request("POST", path, account, **kind, **headers).expect(401)
        assert "access-control-allow-credentials" not in [name.lower() for name, _ in answer.headers]
    assert session_cookies(browser.cookies[world.site]), "a page of another site cannot end the session"
    browser.request("POST", path, account, **kind, **CSRF, Origin=world.url).expect(201)
    for path in ["/auth/sign-out", "/auth/refresh"]:
        browser.request("POST", world.url + path).expect(401)
    # Pages of other sites cannot load it either; a link may lead to it.
    image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    browser.get(world.url + ME, **image).expect(401)
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    browser.get(world.url + ME, **link).expect(200)


def a_session_goes_with_no_other_credential(world: World) -> None:
    browser = world.signed_in()
    for header in [{"Authorization": f"Bearer {world.provider.machine_token()}"}, {"X-Api-Key": "kfk_x"}]:
        answer = browser.get(world.url + ME, **header).expect(401)
        assert answer.json()["detail"] == "the request has more than one credential", answer.text


def a_sign_in_of_another_browser_is_refused(world: World) -> None:
    victim, attacker = Browser(), Browser()
    back = world.provider.sign_in(attacker, world.begin(attacker), "mallory")
    # Without a sign-in of its own, and with one.
    victim.get(back).expect(401)
    world.begin(victim)
    victim.get(back).expect(401)
    assert not session_cookies(victim.cookies[world.site])
    # The sign-in of the attacker themselves is over after one answer, right or wrong.
    copy = attacker.copy()
    attacker.get(re.sub(r"state=[^&]+", "state=x", back)).expect(401)
    attacker.get(back).expect(401)
    # The provider is named in its answer.
    other = copy.copy()
    other.get(re.sub(r"iss=[^&]+", "iss=https%3A%2F%2Fevil.example.com", back)).expect(401)
    copy.get(back).expect(302)


def a_code_is_used_once(world: World) -> None:
    browser = Browser()
    back = world.provider.sign_in(browser, world.begin(browser), "ada")
    copy = browser.copy()
    browser.get(back).expect(302)
    browser.get(back).expect(401)
    answer = copy.get(back).expect(401)
    assert "refused the code" in answer.json()["detail"], answer.text
    assert not session_cookies(copy.cookies[world.site])


def a_tampered_session_is_refused(world: World) -> None:
    browser = world.signed_in()
    jar = browser.cookies[world.site]
    name = session_cookies(jar)[0]
    good = jar[name]
    for bad in [good[:-1] + ("A" if good[-1] != "A" else "B"), good[1:], good[:40], "x", "A" * 3000]:
        jar[name] = bad
        answer = world.me(browser).expect(401)
        assert answer.json()["detail"] == "the session has ended; sign in again"
        assert not session_cookies(jar), "what is not a session is removed"
    # What is sealed for a sign-in is not a session.
    world.begin(browser)
    jar[name] = jar["keyfold-sign-in"]
    world.me(browser).expect(401)
    jar[name] = good
    world.me(browser).expect(200)


def return_paths_lead_nowhere_else(world: World) -> None:
    for path in ["//evil.example.com", "https://evil.example.com", "/\\evil.example.com", "console", ""]:
        query = urllib.parse.urlencode({"return_to": path})
        answer = Browser().get(f"{world.url}/auth/sign-in?{query}").expect(400)
        assert answer.json()["field"] == "return_to", answer.text


def a_session_is_renewed(world: World) -> None:
    browser = world.signed_in()
    before = browser.copy()
    token_requests = world.provider.asked("/token")
    first = browser.get(f"{world.url}/auth/session").json()
    time.sleep(6.2)
    # Many requests at once share one renewal, also those that still have the cookie from before.
    for _ in range(3):
        world.me(before.copy()).expect(200)
    world.me(browser).expect(200)
    assert world.provider.asked("/token") == token_requests + 1
    second = browser.get(f"{world.url}/auth/session").json()
    assert second["expiresAt"] > first["expiresAt"] and second["endsAt"] == first["endsAt"], (first, second)
    third = browser.request("POST", f"{world.url}/auth/refresh", **CSRF).expect(200).json()
    assert third["subject"] == "ada"
    assert world.provider.asked("/token") == token_requests + 2
    world.me(browser).expect(200)


def signing_keys_change(world: World) -> None:
    browser = world.signed_in()
    asked = world.provider.asked("/jwks")
    world.provider.rotate()
    world.me(browser).expect(200)
    browser.request("POST", f"{world.url}/auth/refresh", **CSRF).expect(200)
    world.me(browser).expect(200)
    world.me(world.signed_in()).expect(200)
    assert world.provider.asked("/jwks") == asked, "the next key was published before it was used"


def signing_out_ends_the_session(world: World) -> None:
    browser = world.signed_in()
    copy = browser.copy()
    answer = browser.request("POST", f"{world.url}/auth/sign-out", **CSRF, Origin=world.url).expect(200).json()
    assert not session_cookies(browser.cookies[world.site])
    assert answer["signedIn"] is False and answer["signOutUrl"].startswith(f"{world.provider.url}/session/end?"), answer
    assert f"post_logout_redirect_uri={urllib.parse.quote(world.url, safe='')}%2F" in answer["signOutUrl"], answer
    browser.get(answer["signOutUrl"]).expect(200)
    # A copy of the cookie is of no use any more.
    world.me(copy.copy()).expect(401)
    copy.request("POST", f"{world.url}/auth/refresh", **CSRF).expect(401)
    assert world.provider.asked("/token/revocation") > 0
    assert browser.request("POST", f"{world.url}/auth/sign-out", **CSRF).expect(200).json()["signOutUrl"] is None


def revoking_a_subject_ends_sessions_and_tokens(world: World) -> None:
    browser, other = world.signed_in("eve"), world.signed_in("ada")
    world.me(browser).expect(200)
    command = [KEYFOLD, "token", "revoke", "--subject", "eve", "--issuer", world.provider.url]
    subprocess.run([*command, "--revocations", world.folder / "revocations.yaml"], check=True)
    begun = time.monotonic()
    while world.me(browser.copy()).status == 200:
        assert time.monotonic() < begun + 2.5
        time.sleep(0.05)
    assert world.me(browser.copy()).json()["detail"] == "the token was revoked"
    browser.request("POST", f"{world.url}/auth/refresh", **CSRF).expect(401)
    world.me(other).expect(200)
    # Tokens state the second of their issue: one of the second of the revocation is revoked, too.
    time.sleep(max(0, begun + 1.1 - time.monotonic()))
    world.me(world.signed_in("eve")).expect(200)


def processes_with_the_same_secret_share_sessions(world: World) -> None:
    browser = world.signed_in()
    with tempfile.TemporaryDirectory() as folder:
        with Backend(Path(folder), mode=world.settings) as second:
            browser.cookies[f"127.0.0.1:{second.port}"] = dict(browser.cookies[world.site])
            answer = browser.get(f"http://127.0.0.1:{second.port}{ME}").expect(200)
            assert answer.json()["subject"] == "ada"


def main() -> None:
    parts = [
        a_bearer_token_of_the_provider_is_accepted_through_discovery,
        a_person_signs_in_and_calls_the_api,
        a_session_changes_nothing_for_other_sites,
        a_session_goes_with_no_other_credential,
        a_sign_in_of_another_browser_is_refused,
        a_code_is_used_once,
        a_tampered_session_is_refused,
        return_paths_lead_nowhere_else,
        a_session_is_renewed,
        signing_keys_change,
        signing_out_ends_the_session,
        revoking_a_subject_ends_sessions_and_tokens,
        processes_with_the_same_secret_share_sessions,
    ]
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        server = f"http://127.0.0.1:{port}"
        for file, text in [("client", "a secret: with + and %, of the console\n"), ("session", "x" * 40 + "\n"), ("revocations.yaml", "")]:
            (folder / file).write_text(text)
            (folder / file).chmod(0o600)
        with Provider(folder, server) as provider:
            settings = ("--issuer", provider.url, "--audience", "keyfold", "--clock-skew", "0s", "--log", "debug")
            settings += ("--sign-in-client-id", "console", "--sign-in-client-secret-file", str(folder / "client"))
            settings += ("--sign-in-scopes", "email", "--session-secret-file", str(folder / "session"))
            settings += ("--public-url", server, "--revocations", str(folder / "revocations.yaml"))
            with Backend(folder, mode=settings, port=port) as backend:
                world = World(folder, provider, backend, settings)
                for part in parts:
                    begun = time.monotonic()
                    part(world)
                    print(f"sign-in: {part.__name__.replace('_', ' ')}: as it should be ({time.monotonic() - begun:.1f} s)")
                assert backend.stop() == 0
                log = backend.log.read_text(encoding="utf-8")
                assert "a secret" not in log and "eyJ" not in log and "xxxx" not in log and "code=" not in log, "secrets in the log"


main()
