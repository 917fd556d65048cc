/** Tests an assistant that reads a client's VAT returns. Access to clients and scopes are tested in mcp.test.ts. */
import { hmrcReturns } from '@portal/db/schema/schema.ts';
import { addDays, addMonths, plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { consentAs, openMcpPortal, type McpPortal } from '../../testing/mcp-portal.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { connectApp, type TestApp } from '../../testing/test-app.ts';
import { createBrowser } from '../../testing/test-trader.ts';
import { recordObservation } from '../../testing/record-observation.ts';

let portal: TestPortal;
let mcp: McpPortal;
let practice: TestPractice;
let testApp: TestApp;
let larch = '';
let rowan = '';

beforeAll(async () => {
  portal = await openTestPortal();
  mcp = await openMcpPortal(portal);
  practice = await addPractice(portal);
  larch = await addClient(portal, practice.companyId, { name: 'Larch Ltd' });
  rowan = await addClient(portal, practice.companyId, { name: 'Rowan Ltd' });
  testApp = await connectApp(mcp.mcpUrl, consentAs(createBrowser(mcp.instance, practice.cookies.admin), practice.companyId));
});
afterAll(async () => {
  await testApp?.close();
  await mcp?.instance.close();
  await portal.close();
});

/** Adds HMRC's response with nine quarters, the newest of which isn't filed. */
async function addReadReturns(clientId: string): Promise<void> {
  const periodEnds = [
    '2024-09-30',
    '2024-12-31',
    '2025-03-31',
    '2025-06-30',
    '2025-09-30',
    '2025-12-31',
    '2026-03-31',
    '2026-06-30',
    '2026-09-30',
  ];
  const body = periodEnds.map((end, index) => {
    const isOpen = index === periodEnds.length - 1;
    const start = `${addMonths(plainDate(end), -2).slice(0, 8)}01`;
    const due = addDays(plainDate(end), 37);
    return { periodKey: `K${index}`, start, end, due, status: isOpen ? 'open' : 'fulfilled', received: isOpen ? null : due };
  });
  await portal.deps.database.db.transaction((tx) =>
    recordObservation(tx, {
      companyId: practice.companyId,
      clientId,
      source: 'hmrc',
      takenAt: portal.deps.clock.now(),
      kind: 'vat_obligations',
      body: body as never,
    }),
  );
}

const addFiledBoxes = (clientId: string, obligationId: string) =>
  portal.deps.database.db.insert(hmrcReturns).values({
    companyId: clientId,
    obligationId,
    readAt: portal.deps.clock.now(),
    box1Pence: 700_00,
    box2Pence: 0,
    box4Pence: 200_00,
    box6Pounds: 3_500,
    box7Pounds: 1_000,
    box8Pounds: 0,
    box9Pounds: 0,
  } as typeof hmrcReturns.$inferInsert);

describe('an assistant', () => {
  it('reads a client’s VAT returns page by page: state, boxes where they are known, source and age', async () => {
    expect((await testApp.call('list_vat_returns', { client_id: larch })).data).toMatchObject({ returns: [], source: null, as_of: null });
    await addReadReturns(larch);
    const first = await testApp.call('list_vat_returns', { client_id: larch });
    const second = await testApp.call('list_vat_returns', { client_id: larch, cursor: first.data['next_cursor'] });
    const all = [first, second].flatMap(({ data }) => data['returns'] as Record<string, unknown>[]);
    expect(all.map((entry) => entry['period_end'])).toEqual([
      '2026-09-30',
      '2026-06-30',
      '2026-03-31',
      '2025-12-31',
      '2025-09-30',
      '2025-06-30',
      '2025-03-31',
      '2024-12-31',
      '2024-09-30',
    ]);
    expect([(first.data['returns'] as unknown[]).length, second.data['next_cursor']]).toEqual([8, null]);
    expect(first.content).toMatchObject({ figure_sources: ['hmrc'], as_of: expect.stringMatching(/^2026-11-10T09/) });
    expect(all[0]).toMatchObject({ status: 'open', state: 'no_books', figures: null, link: expect.stringContaining(`client_id=${larch}`) });
    expect(all[1]).toMatchObject({ status: 'fulfilled', state: 'filed_elsewhere', figures: null });
    await addFiledBoxes(larch, String(all[1]?.['obligation_id']));
    const [, filedReturn] = (await testApp.call('list_vat_returns', { client_id: larch, limit: 2 })).data['returns'] as typeof all;
    expect(filedReturn).toMatchObject({ figures: { boxes: { box1_pence: 700_00, box5_pence: 500_00 }, source: 'hmrc', as_of: null } });
    const otherClientResult = await testApp.call('list_vat_returns', { client_id: rowan, cursor: first.data['next_cursor'] });
    expect(otherClientResult.error).toContain('cursor: This page is no longer available');
  });
});
