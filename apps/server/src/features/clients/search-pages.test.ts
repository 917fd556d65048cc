/** A search reads the IDs of a page and then their rows. Its pages must be those of the same list without a search. */
import { CLIENT_SORTS } from '@portal/contract/clients.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  for (let index = 0; index < 7; index += 1) {
    const id = await addClient(portal, practice.companyId, {
      name: `Searched ${7 - index} Ltd`,
      taxes: index % 2 === 0 ? ['vat'] : ['vat', 'ct'],
    });
    const dueOn = plainDate(`2026-12-0${1 + (index % 3)}`);
    const amounts = { owedPence: pence((index % 4) * 100), overduePence: pence((index % 3) * 100), refundPence: pence((index % 2) * 100) };
    await portal.deps.database.db
      .update(clientRows)
      .set({ nextDueOn: dueOn, vatDueOn: dueOn, ...amounts })
      .where(and(eq(clientRows.companyId, practice.companyId), eq(clientRows.clientId, id)));
  }
});
afterAll(() => portal.close());

/** Reads all pages of two clients. */
async function listPages(query: Readonly<Record<string, string>>): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const input = { company_id: practice.companyId, limit: '2', ...query, ...(cursor === undefined ? {} : { cursor }) };
    const { status, body } = await practice.admin.get('/open-tax/client-companies', input);
    expect(status).toBe(200);
    pages.push(body['clients']);
    if (body['next_cursor'] === null) return pages;
    cursor = body['next_cursor'] as string;
  }
}

describe('the pages of a search that matches all clients', () => {
  const cases = CLIENT_SORTS.flatMap((sort) =>
    ['asc', 'desc'].flatMap((direction) => [
      { sort, direction },
      { sort, direction, tax: 'vat' },
    ]),
  );

  it.each(cases)('equal those of the list: %o', async (query) => {
    const pages = await listPages(query);
    expect(pages.map((page) => (page as unknown[]).length)).toEqual([2, 2, 2, 1]);
    expect(await listPages({ ...query, q: 'searched' })).toEqual(pages);
  });
});

it('a search that matches no one has one empty page', async () => {
  expect(await listPages({ q: 'missing' })).toEqual([[]]);
});
