/** Tests what is kept and for how long: every table has an entry, the document shows it, and the job enforces it. */
import { readFileSync } from 'node:fs';
import { accountCredits, knownDevices, webhookEvents } from '@portal/db/schema/schema.ts';
import * as schema from '@portal/db/schema/schema.ts';
import { randomUUID } from 'node:crypto';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { signUp } from '../../testing/test-trader.ts';
import { renderRetentionPage } from './retention-page.ts';
import { RETENTION } from './retention-table.ts';

const DAY_MS = 86_400_000;
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

describe('the retention table', () => {
  it('has one entry for every table of the database', () => {
    const tables = Object.values(schema).flatMap((table) => (table instanceof PgTable ? [getTableConfig(table).name] : []));
    expect(RETENTION.flatMap((entry) => entry.tables).toSorted()).toEqual(tables.toSorted());
  });

  it('is what docs/retention.md shows', () => {
    const publishedTable = readFileSync(new URL('../../../../../docs/retention.md', import.meta.url), 'utf8');
    const stripLayout = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
    expect(stripLayout(publishedTable)).toBe(stripLayout(renderRetentionPage()));
  });

  it('is enforced every hour', async () => {
    await signUp(portal, 'kept@people.example');
    const { db } = portal.deps.database;
    const now = portal.deps.clock.now();
    const [user] = await db.select({ id: schema.users.id }).from(schema.users);
    const getDaysAgo = (days: number) => addMilliseconds(now, -days * DAY_MS);
    await db.insert(webhookEvents).values([
      { eventId: 'old', type: 'payout_executed', receivedAt: getDaysAgo(91) },
      { eventId: 'new', type: 'payout_executed', receivedAt: getDaysAgo(89) },
    ]);
    await db.insert(knownDevices).values([
      { userId: user?.id ?? '', deviceHash: 'old', firstSeenAt: getDaysAgo(731) },
      { userId: user?.id ?? '', deviceHash: 'new', firstSeenAt: getDaysAgo(729) },
    ]);
    const credit = {
      currency: 'GBP',
      amountPence: pence(100),
      remitter: 'Tidewater Ltd',
      reference: 'FUNDING',
      resolution: 'own_money',
    } as const;
    const createCredit = (name: string, days: number | undefined) => {
      const at = getDaysAgo(days ?? 3_000);
      const row = { id: randomUUID(), providerTransactionId: name, receivedAt: at, foundAt: at };
      return { ...credit, ...row, ...(days === undefined ? { resolution: null } : { resolvedAt: at }) };
    };
    await db.insert(accountCredits).values([createCredit('old', 2_193), createCredit('new', 2_191), createCredit('open', undefined)]);
    await jobHandlers(portal.deps)['rows.purge'](
      {},
      { id: '', attempt: 1, isLastAttempt: true, lostRuns: 0, signal: new AbortController().signal },
    );
    expect((await db.select().from(webhookEvents)).map(({ eventId }) => eventId)).toEqual(['new']);
    const creditNames = (await db.select().from(accountCredits)).map(({ providerTransactionId }) => providerTransactionId);
    expect(creditNames.toSorted()).toEqual(['new', 'open']);
    const hashes = (await db.select().from(knownDevices)).map(({ deviceHash }) => deviceHash);
    expect([hashes.includes('old'), hashes.includes('new')]).toEqual([false, true]);
  });
});
