// A story that a client made from `platform`'s OpenAPI document tells: node story.js BASE TOKENS
//
// TOKENS is a JSON file: for each design, tokens by their subject.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import createClient from "openapi-fetch";
import type { components, paths } from "./platform.js";

const [base = "", tokensFile = ""] = process.argv.slice(2);
const tokens: Record<string, Record<string, string>> = JSON.parse(readFileSync(tokensFile, "utf8"));

type License = components["schemas"]["License"];

function clientOf(who: "operator" | "ada" | "joan" | "nobody") {
  const token = tokens["platform"]?.[who];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return createClient<paths>({ baseUrl: `${base}/v1/platform`, headers });
}

const operator = clientOf("operator");
const ada = clientOf("ada");
const joan = clientOf("joan");
const nobody = clientOf("nobody");

test("an account with a license and a user, all or nothing", async () => {
  const { data, error, response } = await operator.POST("/transactions", {
    body: {
      writes: [
        { create: { Account: { accountId: "tailspin", name: "Tailspin Toys" } } },
        { create: { License: { accountId: "tailspin", licenseId: "ts-1", enterpriseId: "globex", endDate: "2026-01-10", seats: 3 } } },
        {
          create: {
            User: { userId: "tess", accountId: "tailspin", roleId: "administrator", email: "tess@tailspin.example", firstName: "Tess", lastName: "Tailor" },
          },
        },
      ],
    },
  });
  assert.equal(error, undefined);
  assert.equal(response.status, 200);
  assert.deepEqual(data?.items.map((item) => item?.type), ["Account", "License", "User"]);
  const account = await operator.GET("/accounts/{accountId}", { params: { path: { accountId: "tailspin" } } });
  assert.equal(account.data?.userCount, 1);
});

test("a transaction with one write that cannot be leaves nothing", async () => {
  const { error, response } = await operator.POST("/transactions", {
    body: {
      writes: [
        { create: { Account: { accountId: "litware", name: "Litware" } } },
        { create: { License: { accountId: "litware", licenseId: "lw-1", enterpriseId: "nowhere", endDate: "2026-01-10", seats: 3 } } },
      ],
    },
  });
  assert.equal(response.status, 422);
  assert.equal(error?.code, "constraint");
  const account = await operator.GET("/accounts/{accountId}", { params: { path: { accountId: "litware" } } });
  assert.equal(account.response.status, 404);
});

test("expiring licenses, page by page and both ways", async () => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, error } = await operator.GET("/patterns/expiring-licenses", {
      params: { query: { before: "2026-01-31", take: 2, ...(cursor === undefined ? {} : { cursor }) } },
    });
    assert.equal(error, undefined);
    found.push(...(data?.items.map(({ item }) => item.licenseId) ?? []));
    cursor = data?.next ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(found, ["nw-6", "ts-1", "nw-1", "ct-1", "ct-4"]);
  const back = await operator.GET("/patterns/expiring-licenses", { params: { query: { before: "2026-01-31", order: "reverse" } } });
  assert.deepEqual(back.data?.items.map(({ item }) => item.licenseId), found.reverse());
});

test("a change under the version that was read, and one under an old one", async () => {
  const path = { licenseId: "nw-1" };
  const read = await ada.GET("/licenses/{licenseId}", { params: { path } });
  const license: License | undefined = read.data;
  assert.equal(license?.status, "active");
  const tag = read.response.headers.get("etag") ?? "";
  const changed = await ada.PATCH("/licenses/{licenseId}", { params: { path, header: { "If-Match": tag } }, body: { seats: 30 } });
  assert.equal(changed.data?.seats, 30);
  assert.equal(changed.data?.version, (license?.version ?? 0) + 1);
  const stale = await ada.PATCH("/licenses/{licenseId}", { params: { path, header: { "If-Match": tag } }, body: { seats: 31 } });
  assert.equal(stale.response.status, 412);
  assert.equal(stale.error?.code, "precondition-failed");
  const known = changed.response.headers.get("etag") ?? "";
  const same = await ada.GET("/licenses/{licenseId}", { params: { path, header: { "If-None-Match": known } } });
  assert.equal(same.response.status, 304);
});

test("the same request twice is one change", async () => {
  const send = (seats: number) =>
    ada.POST("/licenses", {
      params: { header: { "Idempotency-Key": "order-4711" } },
      body: { licenseId: "nw-once", enterpriseId: "globex", endDate: "2028-01-01", seats },
    });
  const first = await send(5);
  assert.equal(first.response.status, 201);
  const again = await send(5);
  assert.equal(again.response.status, 201);
  assert.equal(again.response.headers.get("idempotency-replayed"), "true");
  assert.deepEqual(again.data, first.data);
  const other = await send(6);
  assert.equal(other.response.status, 422);
  assert.equal(other.error?.code, "idempotency-mismatch");
});

test("another tenant's license is as absent as none", async () => {
  const theirs = await joan.GET("/licenses/{licenseId}", { params: { path: { licenseId: "nw-1" } } });
  const nobodys = await joan.GET("/licenses/{licenseId}", { params: { path: { licenseId: "no-such" } } });
  assert.equal(theirs.response.status, 404);
  assert.deepEqual({ ...theirs.error, requestId: "" }, { ...nobodys.error, requestId: "" });
  const asked = await joan.GET("/patterns/licenses-by-account", { params: { query: { accountId: "northwind" } } });
  assert.ok(asked.error !== undefined || asked.data.items.length === 0);
  const anonymous = await nobody.GET("/licenses/{licenseId}", { params: { path: { licenseId: "nw-1" } } });
  assert.equal(anonymous.response.status, 401);
});

test("a rule of the design names what it refuses", async () => {
  const { error, response } = await ada.POST("/licenses", {
    body: { enterpriseId: "globex", startDate: "2027-01-01", endDate: "2026-01-01", seats: 1 },
  });
  assert.equal(response.status, 422);
  assert.equal(error?.rule, "a license ends after it starts");
});
