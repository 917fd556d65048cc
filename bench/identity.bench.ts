/** Measures the session check's overhead over its bare query, calls with an API key against calls with a session, and how much 50 concurrent password sign-ins delay other requests. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { users } from '@portal/db/schema/schema.ts';
import { hashPassword } from '../apps/server/src/features/identity/passwords.ts';
import { prepareSessionCheck, startSession } from '../apps/server/src/http/session.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { addTestKey } from '../apps/server/src/testing/add-test-key.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CHECK_COUNT = 600;
const MAX_CHECK_MS = 0.5;
const SIGN_IN_COUNT = 50;
const MAX_DELAY_MS = 20;
const IDLE_CALLS = 60;
const PASSWORD = 'a long enough one';

type RunQuery = (...args: unknown[]) => Promise<unknown>;

export async function measureIdentity(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    return [await measureSessionCheck(portal, engine), await measureKeyCalls(portal, engine), await measureSignIns(portal, engine)];
  } finally {
    await portal.close();
  }
}

async function measureSessionCheck(portal: TestPortal, engine: string): Promise<BenchRow> {
  const { database, wallClock, clock } = portal.deps;
  const userId = randomUUID();
  await database.db.insert(users).values({ id: userId, email: 'session@bench.example', fullName: 'Bench', createdAt: clock.now() });
  const token = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  const check = prepareSessionCheck(database.db, wallClock);
  const client = (database.db as unknown as { $client: { query: RunQuery } }).$client;
  const statement = await recordStatement(client, () => check(token, undefined));
  const [checkTimes, queryTimes]: [number[], number[]] = [[], []];
  // Alternate between them, so that noise affects both.
  for (let round = 0; round < CHECK_COUNT; round += 1) {
    checkTimes.push(await measureTime(() => check(token, undefined)));
    queryTimes.push(await measureTime(() => client.query(...statement)));
  }
  const overhead = median(checkTimes) - median(queryTimes);
  return {
    title: `session check on ${engine}, above the bare query of ${median(queryTimes).toFixed(2)} ms`,
    measured: `${overhead.toFixed(3)} ms`,
    limit: `at most ${MAX_CHECK_MS} ms, median of ${CHECK_COUNT}`,
    ok: overhead <= MAX_CHECK_MS,
  };
}

/** Compares whole calls, because a key is found and counted in other statements than a session. */
async function measureKeyCalls(portal: TestPortal, engine: string): Promise<BenchRow> {
  const { companyId, adminId, cookies } = await addPractice(portal);
  const key = await addTestKey(portal, { companyId, userId: adminId, scopes: ['clients.read'] });
  const url = `/portal/open-tax/client-companies/members?company_id=${companyId}`;
  const measureCall = (headers: Record<string, string>) =>
    measureTime(async () => {
      const { statusCode } = await portal.app.inject({ url, headers });
      if (statusCode !== 200) throw new Error(`a call returned ${statusCode}`);
    });
  const [keyTimes, sessionTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < CHECK_COUNT; round += 1) {
    keyTimes.push(await measureCall({ authorization: `Bearer ${key}` }));
    sessionTimes.push(await measureCall({ cookie: cookies.admin }));
  }
  const [keyMs, sessionMs] = [median(keyTimes), median(sessionTimes)];
  return {
    title: `a call with an API key on ${engine}, against the same call with a session`,
    measured: `${keyMs.toFixed(2)} against ${sessionMs.toFixed(2)} ms = ${(keyMs / sessionMs).toFixed(2)} times`,
    limit: `for comparison, median of ${CHECK_COUNT}`,
    ok: true,
  };
}

/** Records the arguments passed to the driver. */
async function recordStatement(client: { query: RunQuery }, work: () => Promise<unknown>): Promise<unknown[]> {
  const original = client.query;
  let recordedArguments: unknown[] = [];
  client.query = function record(this: unknown, ...args: unknown[]) {
    recordedArguments = args;
    return original.apply(client, args);
  };
  await work();
  client.query = original;
  return recordedArguments;
}

async function measureSignIns(portal: TestPortal, engine: string): Promise<BenchRow> {
  const passwordHash = await hashPassword(PASSWORD);
  const createdAt = portal.deps.clock.now();
  const testUsers = Array.from({ length: SIGN_IN_COUNT }, (_, index) => ({
    id: randomUUID(),
    email: `person${index}@bench.example`,
    fullName: 'Bench',
  }));
  await portal.deps.database.db.insert(users).values(testUsers.map((person) => ({ ...person, passwordHash, createdAt })));
  const measureHealthCheck = () => measureTime(() => fetch(`${portal.url}/portal/healthz`).then((healthResponse) => healthResponse.text()));
  const idleTimes: number[] = [];
  for (let call = 0; call < IDLE_CALLS; call += 1) idleTimes.push(await measureHealthCheck());
  let isRunning = true;
  const startedAt = performance.now();
  const signIns = Promise.all(testUsers.map(({ email }) => signIn(portal, email))).finally(() => {
    isRunning = false;
  });
  const busyTimes: number[] = [];
  while (isRunning) busyTimes.push(await measureHealthCheck());
  await signIns;
  const seconds = (performance.now() - startedAt) / 1000;
  const delay = median(busyTimes) - median(idleTimes);
  return {
    title: `delay of other calls during ${SIGN_IN_COUNT} sign-ins by password at once on ${engine} (all signed in after ${seconds.toFixed(1)} s)`,
    measured: `${delay.toFixed(1)} ms`,
    limit: `at most ${MAX_DELAY_MS} ms, median of ${busyTimes.length} calls`,
    ok: delay <= MAX_DELAY_MS,
  };
}

async function signIn(portal: TestPortal, email: string): Promise<void> {
  const response = await fetch(`${portal.url}/portal/v2/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`a sign-in returned ${response.status}: ${await response.text()}`);
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureIdentity(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
