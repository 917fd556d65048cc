import { randomUUID } from 'node:crypto';
import { companies } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { refreshRegisterFacts } from './refresh-register-facts.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());

const NUMBER = '09482716';

async function addCompany(number: string | null): Promise<string> {
  const id = randomUUID();
  const createdAt = portal.deps.clock.now();
  await portal.deps.database.db.insert(companies).values({ id, kind: 'trader', name: 'X Ltd', companyNumber: number, createdAt });
  return id;
}

const getFacts = async (id: string) => {
  const [company] = await portal.deps.database.db.select().from(companies).where(eq(companies.id, id));
  return company?.register ?? undefined;
};

describe('facts from Companies House', () => {
  it('are fetched when missing, kept for a day and then fetched again on use', async () => {
    portal.moveClock('2026-11-10T09:00:00.000Z');
    const id = await addCompany(NUMBER);
    await refreshRegisterFacts(portal.deps, id);
    expect(await getFacts(id)).toMatchObject({ status: 'active' });
    portal.identity.register.setStatus(NUMBER, 'liquidation');
    portal.moveClock('2026-11-11T08:59:00.000Z');
    await refreshRegisterFacts(portal.deps, id);
    expect(await getFacts(id)).toMatchObject({ status: 'active' });
    portal.moveClock('2026-11-11T09:05:00.000Z');
    await refreshRegisterFacts(portal.deps, id);
    const facts = await getFacts(id);
    expect(facts).toMatchObject({ status: 'liquidation' });
    expect(facts?.read_at.slice(0, 10)).toBe('2026-11-11');
    portal.identity.register.setStatus(NUMBER, 'active');
  });

  it('keep their date when Companies House does not respond', async () => {
    portal.moveClock('2026-12-01T09:00:00.000Z');
    const id = await addCompany(NUMBER);
    await refreshRegisterFacts(portal.deps, id);
    const before = await getFacts(id);
    portal.moveClock('2026-12-05T09:00:00.000Z');
    portal.identity.register.setStatus(NUMBER, 'dissolved');
    const withoutRegister = { ...portal.deps, companyRegister: undefined };
    await refreshRegisterFacts(withoutRegister, id);
    portal.faults.set({ operation: 'companies_house.profile', kind: 'server_error', times: 10 });
    await refreshRegisterFacts(portal.deps, id);
    portal.faults.clear();
    expect(await getFacts(id)).toEqual(before);
    expect(before?.read_at.slice(0, 10)).toBe('2026-12-01');
    portal.identity.register.setStatus(NUMBER, 'active');
  });

  it('include a proposal to strike the company off', async () => {
    const id = await addCompany('11625840');
    await refreshRegisterFacts(portal.deps, id);
    expect(await getFacts(id)).toMatchObject({ status: 'active', status_detail: 'active-proposal-to-strike-off' });
  });

  it('are not read without a company number, and not saved for an unknown one', async () => {
    const [withoutNumber, unknownCompany] = [await addCompany(null), await addCompany('00000001')];
    await refreshRegisterFacts(portal.deps, withoutNumber);
    await refreshRegisterFacts(portal.deps, unknownCompany);
    expect([await getFacts(withoutNumber), await getFacts(unknownCompany)]).toEqual([undefined, undefined]);
  });
});
