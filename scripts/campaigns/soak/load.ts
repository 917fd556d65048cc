/** The load from a practice's users, at a steady rate: requests start on time, whether or not earlier ones have been completed. */
import { setTimeout as pause } from 'node:timers/promises';
import { getSessionToken, PRACTICES, SEARCHES } from '../../../bench/list-limit-data.ts';
import { pickWeighted, type RandomSource } from '../../chaos/random.ts';

export type Load = {
  /** Sends requests one after another for this many users, as fast as they are completed. Resolves to the number of requests per second. */
  findCapacity(people: number, milliseconds: number): Promise<number>;
  /** Runs until the signal is aborted. */
  runSteadily(perSecond: number, signal: AbortSignal): Promise<void>;
  /** Returns the duration of each response, in milliseconds, since this was last called. */
  takeTimes(): readonly number[];
  readonly findings: ReadonlyMap<string, number>;
};

type Action = { readonly weight: number; readonly name: string; send(portalUrl: string): Promise<Response> };

const COMPANY = PRACTICES[10_000];
const SESSION_COOKIE = `portal_session=${getSessionToken(10_000)}`;
/** A request that takes longer is an error for the user. */
const TIMEOUT_MS = 30_000;
/** The interval between two checks for due requests. */
const TICK_MS = 10;

export function createLoad(portalUrls: readonly string[], clientIds: readonly string[], random: RandomSource): Load {
  const actions = createActions(clientIds, random);
  const findings = new Map<string, number>();
  let times: number[] = [];
  let nextIndex = 0;
  const sendOne = async (): Promise<void> => {
    nextIndex += 1;
    const action = pickWeighted(random, actions);
    const startedAt = performance.now();
    try {
      const response = await action.send(portalUrls[nextIndex % portalUrls.length] ?? '');
      await response.arrayBuffer();
      if (!response.ok) countFinding(findings, `${action.name} answered ${response.status}`);
      times.push(performance.now() - startedAt);
    } catch (error) {
      countFinding(findings, `${action.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return {
    findings,
    findCapacity: async (people, milliseconds) => {
      const startedAt = performance.now();
      let doneCount = 0;
      const work = async (): Promise<void> => {
        while (performance.now() < startedAt + milliseconds) {
          await sendOne();
          doneCount += 1;
        }
      };
      await Promise.all(Array.from({ length: people }, work));
      return (doneCount * 1000) / (performance.now() - startedAt);
    },
    runSteadily: async (perSecond, signal) => {
      const startedAt = performance.now();
      const openRequests = new Set<Promise<void>>();
      for (let sentCount = 0; !signal.aborted;) {
        for (const due = ((performance.now() - startedAt) / 1000) * perSecond; sentCount < due; sentCount += 1) {
          const request = sendOne().finally(() => openRequests.delete(request));
          openRequests.add(request);
        }
        await pause(TICK_MS);
      }
      await Promise.all(openRequests);
    },
    takeTimes: () => {
      const takenTimes = times;
      times = [];
      return takenTimes;
    },
  };
}

function createActions(clientIds: readonly string[], random: RandomSource): readonly Action[] {
  const pickAny = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const get =
    (path: string, query: () => Record<string, string> = () => ({})): Action['send'] =>
    (portalUrl) =>
      sendRequest(`${portalUrl}${path}?${new URLSearchParams({ company_id: COMPANY, ...query() })}`, {});
  const post =
    (path: string, input: () => object): Action['send'] =>
    (portalUrl) =>
      sendRequest(`${portalUrl}${path}`, {
        method: 'POST',
        body: JSON.stringify({ company_id: COMPANY, ...input() }),
        headers: { 'content-type': 'application/json' },
      });
  const pickClientKey = (): { client_id: string } => ({ client_id: pickAny(clientIds) });
  return [
    {
      weight: 30,
      name: 'the list',
      send: get('/open-tax/client-companies', () => ({ sort: pickAny(['next_due', 'name', 'owed']), status: 'active' })),
    },
    { weight: 12, name: 'a search', send: get('/open-tax/client-companies', () => ({ q: pickAny(SEARCHES) })) },
    { weight: 12, name: 'a client', send: get('/client/profile', pickClientKey) },
    { weight: 6, name: 'a client’s timeline', send: get('/client/timeline', pickClientKey) },
    { weight: 6, name: 'a client’s notes', send: get('/client/notes', pickClientKey) },
    { weight: 8, name: 'the dashboard', send: get('/open-tax/dashboard') },
    { weight: 4, name: 'today', send: get('/open-tax/today') },
    { weight: 8, name: 'a new note', send: post('/client/notes', () => ({ ...pickClientKey(), text: `Called at ${Date.now()}` })) },
    // Each change starts a job that updates the totals.
    {
      weight: 4,
      name: 'a change of status',
      send: post('/open-tax/client-companies/status', () => ({
        client_ids: [pickAny(clientIds), pickAny(clientIds)],
        status: pickAny(['active', 'inactive']),
      })),
    },
    // Each sign-up sends an email, which is a job.
    { weight: 2, name: 'a sign-up', send: (portalUrl) => signUp(portalUrl, random) },
  ];
}

function signUp(portalUrl: string, random: RandomSource): Promise<Response> {
  const drawPart = (): number => 1 + Math.floor(random() * 250);
  return fetch(`${portalUrl}/v2/sign-up`, {
    method: 'POST',
    body: JSON.stringify({ email: `soak-${Math.floor(random() * 1e12)}@smoke.example`, full_name: 'Sam Okafor' }),
    // Limits count per network.
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `${drawPart()}.${drawPart()}.${drawPart()}.1` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

function sendRequest(url: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
  return fetch(url, { ...init, headers: { cookie: SESSION_COOKIE, ...init.headers }, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function countFinding(findings: Map<string, number>, name: string): void {
  findings.set(name, (findings.get(name) ?? 0) + 1);
}
