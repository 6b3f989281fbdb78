// An identity provider: oidc-provider with its development pages, on a loopback address. Arguments: its port, the URL of the
// Keyfold server. `POST /control/rotate` signs with the next key, `GET /control/counts` tells how often each path was asked for.

import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [port, server] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const RESOURCE = "https://keyfold.example";
/** Seconds: short, so that renewals are due during the test. */
const ACCESS_TOKEN_TTL = 8;

function key(kid) {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
}

const keys = [key("one"), key("two")];
const counts = {};

/** Access tokens are JWTs for one resource, with the claims that the server reads. */
const resourceIndicators = {
    enabled: true,
    defaultResource: () => RESOURCE,
    useGrantedResource: () => true,
    getResourceServerInfo: () => ({
        scope: "manage",
        audience: "keyfold",
        accessTokenFormat: "jwt",
        accessTokenTTL: ACCESS_TOKEN_TTL,
        jwt: { sign: { alg: "RS256" } },
    }),
};

/** Keeps what was issued when the provider gets another signing key. */
class Store {
    static kept = new Map();

    constructor(model) {
        this.model = model;
    }

    async upsert(id, payload) {
        Store.kept.set(`${this.model}:${id}`, payload);
    }

    async find(id) {
        return Store.kept.get(`${this.model}:${id}`);
    }

    async findByUid(uid) {
        return [...Store.kept.entries()].find(([key, { uid: own }]) => key.startsWith(`${this.model}:`) && own === uid)?.[1];
    }

    async consume(id) {
        (await this.find(id)).consumed = Math.floor(Date.now() / 1000);
    }

    async destroy(id) {
        Store.kept.delete(`${this.model}:${id}`);
    }

    async revokeByGrantId(grantId) {
        for (const [key, payload] of Store.kept) {
            if (payload.grantId === grantId) Store.kept.delete(key);
        }
    }
}

function provider(jwks) {
    const made = new Provider(issuer, {
        adapter: Store,
        clients: [
            {
                client_id: "console",
                client_secret: "a secret: with + and %, of the console",
                redirect_uris: [`${server}/auth/callback`],
                post_logout_redirect_uris: [`${server}/`],
                grant_types: ["authorization_code", "refresh_token"],
            },
            {
                client_id: "job",
                client_secret: "job-secret",
                redirect_uris: [],
                response_types: [],
                grant_types: ["client_credentials"],
            },
        ],
        jwks: { keys: jwks },
        cookies: { keys: ["for tests"] },
        features: {
            resourceIndicators,
            clientCredentials: { enabled: true },
            revocation: { enabled: true },
            rpInitiatedLogout: { enabled: true },
        },
        extraTokenClaims: () => ({ roles: ["operator"], designs: ["platform"] }),
        findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true }) }),
        issueRefreshToken: () => true,
        rotateRefreshToken: () => true,
        ttl: { RefreshToken: 600, Session: 600, Grant: 600, Interaction: 600, IdToken: 600, ClientCredentials: 600 },
    });
    return made.callback();
}

let handle = provider(keys);
createServer((request, response) => {
    if (request.url === "/control/rotate") {
        keys.push(keys.shift());
        handle = provider(keys);
        return response.end("{}");
    }
    if (request.url === "/control/counts") {
        return response.end(JSON.stringify(counts));
    }
    counts[request.url] = (counts[request.url] ?? 0) + 1;
    return handle(request, response);
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));
