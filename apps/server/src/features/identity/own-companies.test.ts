/** Tests a user's companies, and whether their email address is verified (docs/product/specification.md section 7.2). */
import type { CompanyKind, Role } from '@portal/domain/identity/roles.ts';
import { randomUUID } from 'node:crypto';
import { clientPeople, companies, memberships, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openAccount, openTestBrowser } from '../../testing/test-browser.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

async function createPerson(email: string) {
  const browser = openTestBrowser(portal);
  await openAccount(browser, email);
  const [user] = await portal.deps.database.db.select().from(users).where(eq(users.email, email));
  const addCompany = async (name: string, kind: CompanyKind, role: Role): Promise<string> => {
    const id = randomUUID();
    const createdAt = portal.deps.clock.now();
    await portal.deps.database.db.insert(companies).values({ id, kind, name, createdAt });
    await portal.deps.database.db.insert(memberships).values({ companyId: id, userId: user?.id ?? '', role, createdAt });
    return id;
  };
  return { person: browser, email, join: addCompany };
}

describe('a user’s companies', () => {
  it('are listed by name with their kind and the user’s role, without other people’s', async () => {
    const { person, join: addCompany } = await createPerson('several@own.example');
    const outsider = await createPerson('stranger@own.example');
    await outsider.join('Strange Ltd', 'trader', 'trader_owner');
    expect((await person.get('/user-companies')).body).toEqual([]);
    const [b, a] = [
      await addCompany('Beta Ltd', 'trader', 'trader_owner'),
      await addCompany('Alpha Accountants', 'practice', 'team_member'),
    ];
    expect((await person.get('/user-companies')).body).toEqual([
      { company_id: a, name: 'Alpha Accountants', kind: 'practice', role: 'team_member', permissions: ['export'] },
      { company_id: b, name: 'Beta Ltd', kind: 'trader', role: 'trader_owner', permissions: ['file_returns', 'accept_advances'] },
    ]);
  });

  it('name the practice where two practices have the same company as their client', async () => {
    const { person, email } = await createPerson('twice@own.example');
    const { db } = portal.deps.database;
    const [user] = await db.select().from(users).where(eq(users.email, email));
    const addAsClient = async (practiceName: string, name: string): Promise<void> => {
      const { companyId } = await addPractice(portal);
      await db.update(companies).set({ name: practiceName }).where(eq(companies.id, companyId));
      const clientId = await addClient(portal, companyId, { name });
      await db.insert(clientPeople).values({ companyId, clientId, userId: user?.id ?? '', joinedAt: portal.deps.clock.now() });
    };
    await addAsClient('Oakline Accounting', 'Harlow Joinery Ltd');
    await addAsClient('Beech & Co', 'Harlow Joinery Ltd');
    await addAsClient('Beech & Co', 'Harlow Homes Ltd');
    const names = ((await person.get('/user-companies')).body as unknown as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['Harlow Homes Ltd', 'Harlow Joinery Ltd (Beech & Co)', 'Harlow Joinery Ltd (Oakline Accounting)']);
  });

  it.each(['/company-name', '/dashboard-company-name'])('have names at %s, which answers 404 for someone else’s company', async (path) => {
    const { person, join: addCompany } = await createPerson(`names${path.replaceAll('/', '-')}@own.example`);
    const outsider = await createPerson(`others${path.replaceAll('/', '-')}@own.example`);
    const [ownCompany, otherCompany] = [
      await addCompany('Own & Sons <Ltd>', 'trader', 'trader_owner'),
      await outsider.join('Strange Ltd', 'trader', 'trader_owner'),
    ];
    expect((await person.get(path, { company_id: ownCompany })).body).toEqual({ name: 'Own & Sons <Ltd>' });
    const [otherResponse, unknownResponse] = [
      await person.get(path, { company_id: otherCompany }),
      await person.get(path, { company_id: randomUUID() }),
    ];
    expect([otherResponse.status, otherResponse.body['message']]).toEqual([404, unknownResponse.body['message']]);
  });
});

describe('an email address', () => {
  it('is shown as verified or not, and verified by a new link', async () => {
    const { person, email } = await createPerson('unproved@own.example');
    const { db } = portal.deps.database;
    expect((await person.get('/v2/security')).body).toMatchObject({ email, email_verified: true });
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.email, email));
    expect((await person.get('/v2/security')).body).toMatchObject({ email, email_verified: false });
    expect((await person.post('/send-email-verification')).body).toEqual({ done: true });
    const first = await person.findEmailedToken(email);
    await person.post('/send-email-verification');
    const token = await person.findEmailedToken(email);
    expect(token).not.toBe(first);
    expect((await person.post('/v2/auth/look-at-link', { token })).body).toEqual({ email, purpose: 'verify', makes_account: false });
    expect((await person.get('/v2/security')).body).toMatchObject({ email_verified: false });
    await person.post('/v2/auth/use-link', { token });
    expect((await person.get('/v2/security')).body).toMatchObject({ email_verified: true });
  });

  it('gets at most five links in 15 minutes', async () => {
    const { person } = await createPerson('eager@own.example');
    const statuses = [];
    for (let attempt = 0; attempt < 5; attempt += 1) statuses.push((await person.post('/send-email-verification')).status);
    // The sign-up used the first of the five attempts.
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });
});
