import { filings } from '@portal/db/schema/schema.ts';
import { OPERATOR_STEPS, type DeskStep } from '@portal/domain/operators/desk-steps.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAdvances } from '../../testing/add-advances.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createOperator, type Browser } from '../../testing/test-trader.ts';
import { getAdvanceSnapshot } from '../advances/get-advance.ts';

type DeskRow = Record<string, unknown> & {
  company_id: string;
  advance_id: string;
  company_name: string;
  step: DeskStep;
  refund_pence: number;
};

let portal: TestPortal;
let olga: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  await addAdvances(portal.deps.database, { count: 600, seed: 1, now: portal.deps.clock.now(), operatorIds: [] });
});
afterAll(() => portal.close());

const list = async (query: Record<string, string> = {}): Promise<DeskRow[]> =>
  (await olga.get('/operator/desk', query)).body['advances'] as DeskRow[];
const readSummary = async (query: Record<string, string> = {}) => (await olga.get('/operator/desk/summary', query)).body;

describe('a full desk', () => {
  it('has receipts that a return’s page can show', async () => {
    const sources = await portal.deps.database.db.selectDistinct({ source: filings.receiptSource }).from(filings);
    expect(sources).toEqual([{ source: 'answer' }]);
  });

  it.each(['due', 'refund', 'since', 'company'])('pages through every advance once, sorted by %s', async (sort) => {
    const seenRows: DeskRow[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await olga.get('/operator/desk', {
        queue: 'all',
        sort,
        direction: 'desc',
        limit: '150',
        ...(cursor ? { cursor } : {}),
      });
      seenRows.push(...(body['advances'] as DeskRow[]));
      cursor = (body['next_cursor'] as string | null) ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seenRows.map(({ advance_id }) => advance_id)).size).toBe(600);
    expect(seenRows).toHaveLength(600);
    if (sort === 'refund')
      expect(seenRows.map((row) => row.refund_pence)).toEqual(seenRows.map((row) => row.refund_pence).toSorted((a, b) => b - a));
  });

  it('counts exactly what it lists', async () => {
    for (const query of [
      { queue: 'needs_us' },
      { queue: 'exceptions' },
      { queue: 'ended' },
      { queue: 'in_progress', above_pence: '2500000' },
      { queue: 'in_progress', trader: 'new' },
    ]) {
      const all = { ...query, limit: '200' };
      const rows: DeskRow[] = [];
      let next: unknown = null;
      do {
        const { body } = await olga.get('/operator/desk', { ...all, ...(typeof next === 'string' ? { cursor: next } : {}) });
        rows.push(...(body['advances'] as DeskRow[]));
        next = body['next_cursor'];
      } while (typeof next === 'string');
      const { matched, matched_refund_pence } = await readSummary(query as Record<string, string>);
      expect({ matched, refund: matched_refund_pence }).toEqual({
        matched: rows.length,
        refund: rows.reduce((sum, { refund_pence }) => sum + refund_pence, 0),
      });
    }
    const { views } = await readSummary();
    expect(views).toMatchObject({
      needs_us: (await readSummary({ queue: 'needs_us' }))['matched'],
      exceptions: (await readSummary({ queue: 'exceptions' }))['matched'],
    });
  });

  it('gives each advance the step that its own page shows', async () => {
    const foundCounts = new Map<string, number>();
    const rows = await list({ queue: 'in_progress', limit: '120' });
    const needsUs = new Set((await list({ limit: '200' })).map(({ advance_id }) => advance_id));
    for (const row of rows) {
      foundCounts.set(row.step, (foundCounts.get(row.step) ?? 0) + 1);
      const { waitingFor, releases, advance, terms } = await getAdvanceSnapshot(
        portal.deps,
        portal.deps.database.db,
        row.company_id,
        row.advance_id,
      );
      expect(releases.length, row.advance_id).toBe(row['releases']);
      if (row.step === 'paying') expect(waitingFor).toBeUndefined();
      if (row.step === 'trader_confirms') expect(waitingFor).toMatch(/confirm here/);
      if (row.step === 'trader_refreshes') expect(waitingFor).toMatch(/confirm here|Confirm again/);
      if (row.step === 'trader_identity') expect(waitingFor).toMatch(/^Verify your identity/);
      if (row.step === 'trader_mandate') expect(waitingFor).toMatch(/^Set up a Direct Debit/);
      if (row.step === 'held') expect(advance.payoutHold).not.toBeNull();
      if (row.step === 'release') expect(waitingFor).toBeDefined();
      expect(terms.payWithinHours).toBe(24);
      expect((OPERATOR_STEPS as readonly string[]).includes(row.step)).toBe(needsUs.has(row.advance_id));
    }
    // The portfolio contains advances at all these steps, so every comparison above has been made.
    expect([...foundCounts.keys()]).toEqual(
      expect.arrayContaining(['review', 'release', 'held', 'trader_refreshes', 'trader_confirms', 'trader_mandate']),
    );
  });

  it('shows for each refund, and in total, whether it was paid within the promised time', async () => {
    const { body } = await olga.get('/operator/desk/promise', { days: '60' });
    const total = body['total'] as { accepted: number; paid: number; paid_in_time: number; median_hours: number };
    const days = body['by_day'] as { accepted: number; paid: number }[];
    expect(days.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(total.accepted);
    expect(total.paid_in_time).toBeLessThanOrEqual(total.paid);
    expect(total.median_hours).toBeGreaterThan(0);
    const lateRows = await list({ queue: 'all', promise: 'late', limit: '200' });
    expect(lateRows.length).toBeGreaterThan(0);
    for (const { paid_at, pay_by } of lateRows)
      expect((typeof paid_at === 'string' ? paid_at : portal.deps.clock.now()) > String(pay_by)).toBe(true);
  });

  it('rejects a cursor of another order', async () => {
    const { body } = await olga.get('/operator/desk', { queue: 'all', limit: '5' });
    const { status, body: problem } = await olga.get('/operator/desk', {
      queue: 'all',
      sort: 'refund',
      cursor: String(body['next_cursor']),
    });
    expect([status, problem['message']]).toEqual([
      400,
      { cursor: 'This page of the list is no longer available. Go back to the first page.' },
    ]);
  });
});
