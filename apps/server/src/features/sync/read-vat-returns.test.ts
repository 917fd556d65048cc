/**
 * Tests reading the boxes of clients' earlier VAT returns: only for the assistant, each once, after all figures, and few in a large
 * refresh.
 */
import { agentSettings, clientObservations, clients, clientSyncs } from '@portal/db/schema/schema.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOaklinePractice, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createSyncSteps } from '../../testing/sync-steps.ts';
import { loadFacts } from '../agent/load-facts.ts';
import type { VatReturnsBody } from '../positions/observation-bodies.ts';
import { readVatReturns } from './read-vat-returns.ts';

let portal: TestPortal;
let practice: OaklinePractice;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  portal.faults.clear();
  const isIncluded = ({ situation, taxes }: { readonly situation: string; readonly taxes: readonly string[] }) =>
    situation === 'up_to_date' && taxes.includes('vat');
  practice = await createOaklinePractice(portal, { isIncluded });
});

const getDb = () => portal.deps.database.db;
const getClientId = () => practice.list[0]?.id ?? '';
const switchOn = () =>
  getDb().insert(agentSettings).values({ companyId: practice.companyId, mode: 'suggest', draftsPerDay: 100, actsPerDay: 50 });
const refresh = () => createSyncSteps(portal).sync(practice);
const countCalls = (at: Instant, operation: string) =>
  portal.hmrc.listCalls(10_000).filter((call) => call.at > at && call.operation === operation).length;
const findBody = async (): Promise<VatReturnsBody | undefined> => {
  const [row] = await getDb()
    .select({ body: clientObservations.body })
    .from(clientObservations)
    .where(and(eq(clientObservations.clientId, getClientId()), eq(clientObservations.kind, 'vat_returns')))
    .orderBy(desc(clientObservations.takenAt));
  return row?.body as VatReturnsBody | undefined;
};
const getScope = () => ({ companyId: practice.companyId, today: portal.deps.clock.today(), publicUrl: portal.deps.site.publicUrl });

describe('earlier VAT returns', () => {
  it('are read once each with the assistant, and are then facts of the client', async () => {
    const at = portal.deps.clock.now();
    await refresh();
    expect(countCalls(at, 'hmrc.view_return')).toBe(0);
    await switchOn();
    await refresh();
    const read = countCalls(at, 'hmrc.view_return');
    expect(read).toBeGreaterThanOrEqual(3);
    const body = await findBody();
    expect(body?.returns).toHaveLength(read);
    const shareBetween = portal.deps.clock.now();
    await refresh();
    expect(countCalls(shareBetween, 'hmrc.view_return')).toBe(0);
    expect(countCalls(shareBetween, 'hmrc.obligations')).toBe(1);
    const [facts] = await loadFacts(getDb(), getScope(), [getClientId()]);
    expect(facts?.hmrc_returns).toHaveLength(body?.returns.filter(({ boxes }) => boxes !== null).length ?? 0);
    const [last] = body?.returns.slice(-1) ?? [];
    expect(facts?.hmrc_returns.at(-1)).toMatchObject({
      start: last?.start,
      end: last?.end,
      box6_pounds: last?.boxes?.box6,
      net_pence: (last?.boxes?.box3 ?? 0) - (last?.boxes?.box4 ?? 0),
      read_on: portal.deps.clock.today(),
    });
    // Returns read under another VAT number belong to another registration.
    await getDb().update(clients).set({ vrn: '999999973' }).where(eq(clients.id, getClientId()));
    expect((await loadFacts(getDb(), getScope(), [getClientId()]))[0]?.hmrc_returns).toEqual([]);
  });

  it('never affect a client’s figures: a failed call is left for the next refresh', async () => {
    await switchOn();
    portal.faults.set({ operation: 'hmrc.view_return', kind: 'server_error', times: 100 });
    await refresh();
    const [sync] = await getDb().select().from(clientSyncs).where(eq(clientSyncs.clientId, getClientId()));
    expect(sync).toMatchObject({ state: 'completed', reason: null });
    expect(await findBody()).toBeUndefined();
  });
});

describe('reading returns', () => {
  const createObligation = (start: string, end: string, status: 'open' | 'fulfilled' = 'fulfilled') =>
    ({ periodKey: `K${end.slice(2, 4)}${end.slice(6, 7)}`, start, end, due: end, status }) as never;
  const BOXES = { box1: 1, box2: 0, box3: 1, box4: 0, box5: 1, box6: 10, box7: 0, box8: 0, box9: 0 } as never;
  const QUARTERS = [
    createObligation('2025-10-01', '2025-12-31'),
    createObligation('2026-01-01', '2026-03-31'),
    createObligation('2026-04-01', '2026-06-30'),
    createObligation('2026-07-01', '2026-09-30'),
    createObligation('2026-10-01', '2026-12-31', 'open'),
  ];
  const OLDER_OBLIGATIONS = [createObligation('2025-07-01', '2025-09-30'), createObligation('2025-10-01', '2025-12-31')];
  const call = { accessToken: '', fraudHeaders: {} };
  const known = { vrn: '123456789', obligations: QUARTERS, today: '2026-11-10' as never };

  it('reads the newest first, up to its limit, and goes back a second year once', async () => {
    const requestedPeriods: string[] = [];
    const client = {
      findReturn: async (_call: unknown, _vrn: string, key: string) => (requestedPeriods.push(key), BOXES),
      listObligations: async () => (requestedPeriods.push('list'), OLDER_OBLIGATIONS),
    };
    let body: VatReturnsBody | undefined;
    for (let refreshes = 0; refreshes < 8; refreshes += 1) {
      body = (await readVatReturns(client, call, { ...known, before: body, maxCalls: 1 })) ?? body;
    }
    expect(requestedPeriods.map((key) => (key === 'list' ? key : 'return'))).toEqual([
      'return',
      'return',
      'return',
      'return',
      'list',
      'return',
    ]);
    expect(requestedPeriods[0]).toBe('K269');
    expect(body?.returns.map(({ end }) => end)).toEqual(['2025-09-30', '2025-12-31', '2026-03-31', '2026-06-30', '2026-09-30']);
    // With another VAT number, reading starts from the beginning.
    const otherReading = await readVatReturns(client, call, { ...known, vrn: '999999973', before: body, maxCalls: 1 });
    expect(otherReading?.returns).toHaveLength(1);
  });

  it('doesn’t ask again for a return that HMRC doesn’t have', async () => {
    let calls = 0;
    const client = { findReturn: async () => void (calls += 1), listObligations: async () => [] };
    const first = await readVatReturns(client as never, call, { ...known, before: undefined, maxCalls: 20 });
    expect(first?.returns.every(({ boxes }) => boxes === null)).toBe(true);
    expect(await readVatReturns(client as never, call, { ...known, before: first, maxCalls: 20 })).toBeUndefined();
    expect(calls).toBe(4);
  });
});
