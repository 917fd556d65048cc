/**
 * Users who work in the portal through the proxy while it is upgraded. A separate process, so that it trusts the proxy's certificate from
 * the start (NODE_EXTRA_CA_CERTS). Each user signs up, logs in with a password, and then reads and writes until the parent stops it.
 */
import { randomBytes } from 'node:crypto';
import { identityApi } from '@portal/contract/identity.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { createCaller, PortalError, type Caller } from '../smoke/caller.ts';
import { createSandboxClient } from '../smoke/sandbox-client.ts';
import { waitUntil } from '../smoke/wait-until.ts';

export type LoadReport = {
  readonly calls: number;
  readonly failures: readonly string[];
  /** Acknowledged writes that are missing afterwards. */
  readonly lost: number;
  readonly slowestMs: number;
};

const [, , portalUrl = '', sandboxUrl = '', userCount = '4'] = process.argv;
const sandbox = createSandboxClient(sandboxUrl);
let isStopped = false;
let calls = 0;
let slowestMs = 0;
let lostCount = 0;
const failures: string[] = [];

async function countResult<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  const startedAt = performance.now();
  calls += 1;
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    const status = error instanceof PortalError ? `${error.status} ` : '';
    failures.push(`${new Date().toISOString()} ${status}${error instanceof Error ? error.message : String(error)}${cause}`);
    return undefined;
  } finally {
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
}

async function logIn(): Promise<Caller> {
  const email = `drill-${randomBytes(5).toString('hex')}@smoke.example`;
  const password = randomBytes(16).toString('hex');
  const visitor = createCaller(portalUrl);
  await visitor.call(identityApi.signUp, { email, full_name: 'Name 0', phone: '020 7946 0018', password });
  const token = await waitUntil(async () => {
    const links = await sandbox.listMailedLinks(email);
    return links.map((link) => new URL(link).searchParams.get('token') ?? undefined).find((found) => found !== undefined);
  }, 'no email with a link arrived');
  await visitor.call(identityApi.consumeLink, { token });
  const caller = createCaller(portalUrl);
  await caller.call(identityApi.login, { email, password });
  return caller;
}

async function runCaller(caller: Caller): Promise<void> {
  let writtenStep = 0;
  for (let step = 1; !isStopped; step++) {
    const saveCounter = await countResult(() =>
      caller.call(onboardingApi.saveAbout, { full_name: `Name ${step}`, phone: '020 7946 0018' }),
    );
    if (saveCounter) writtenStep = step;
    await countResult(async () => {
      const { about } = await caller.call(onboardingApi.progress, {});
      // A write whose response was lost may have been carried out, so the name may be newer.
      if (Number(about.full_name.split(' ')[1]) < writtenStep) lostCount += 1;
    });
    await countResult(async () => {
      const { status, text } = await caller.open('/login');
      if (status !== 200) throw new Error(`the login page answers ${status}`);
      const [, assetPath] = /"\/portal(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
      if (assetPath === undefined) throw new Error('the login page names no script');
      const script = await caller.open(assetPath);
      if (script.status !== 200) throw new Error(`${assetPath} answers ${script.status}`);
    });
  }
}

const callers = await Promise.all(Array.from({ length: Number(userCount) }, logIn));
process.send?.('ready');
process.once('message', () => (isStopped = true));
await Promise.all(callers.map(runCaller));
const report: LoadReport = { calls, failures, lost: lostCount, slowestMs };
process.send?.(report, () => process.disconnect());
