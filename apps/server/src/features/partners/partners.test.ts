/** Tests what partners see (stages but no figures, docs/product/decisions.md section 8), who may see it, and the accountant as agent. */
import { auditEntries, companies, companyAgents } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBridgingTrader, createBrowser, createOperator, signUp, type Browser, type Trader } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createPaidTrader, postAccept } from '../../testing/take-advance.ts';

let portal: TestPortal;
let olga: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
});
afterAll(() => portal.close());

type ReferralRow = { company_name: string; stage: string; since: string };
const getReferrals = async (contactBrowser: Browser, query: Record<string, string> = {}) =>
  (await contactBrowser.get('/partner/referrals', query)).body;
const listStages = async (contactBrowser: Browser) =>
  ((await getReferrals(contactBrowser))['referrals'] as ReferralRow[]).map(({ stage }) => stage);
const addContact = (partner: string, email: string) => olga.post('/operator/partners/contacts/add', { partner, email });

async function createContact(partner: string, email: string): Promise<Browser> {
  const { browser } = await signUp(portal, email);
  expect((await addContact(partner, email)).status).toBe(200);
  return browser;
}

describe('a partner’s contact', () => {
  it('sees the stage of each referral and no figures', async () => {
    const contact = await createContact('gofile', 'contact@gofile.example');
    expect(await listStages(contact)).toEqual([]);
    const trader = await createBridgingTrader(portal, 'stages@gofile.example', { refundPounds: 4_321 });
    expect(await listStages(contact)).toEqual(['offered']);
    await postAccept(trader);
    const referrals = await getReferrals(contact);
    expect(referrals).toMatchObject({
      partner: { name: 'gofile', is_agent: false },
      referrals: [{ company_name: 'Tess Exports Ltd', stage: 'accepted', since: '2026-11-10' }],
      next_before: null,
    });
    expect(JSON.stringify(referrals)).not.toMatch(/pence|(?<!\w)(4,?321|432,?100)(?![\w-])|vrn|@gofile/);
    expect(JSON.stringify(referrals)).not.toContain(trader.companyId);
  });

  it('sees none of another partner’s referrals, even when asking for that partner', async () => {
    const contact = await createContact('mtdsorted', 'contact@mtdsorted.example');
    await createBridgingTrader(portal, 'other@swoop.example', { partner: 'swoop' });
    expect(await getReferrals(contact, { partner: 'swoop' })).toMatchObject({ partner: null, referrals: [], counts: { companies: 0 } });
    expect(await listStages(contact)).toEqual([]);
  });

  it('has the referrals page as home page', async () => {
    const contact = await createContact('kashflow', 'home@kashflow.example');
    expect((await contact.get('/v2/check-login')).body).toMatchObject({ home_path: '/partner' });
  });

  it('gets one email, loses access when removed, and each change is audited', async () => {
    const email = 'leaver@xero.example';
    const contact = await createContact('xero', email);
    await addContact('xero', email);
    await portal.runJobs();
    expect(portal.sentEmails.filter(({ to, subject }) => to === email && subject.includes('referrals'))).toHaveLength(1);
    const { body } = await olga.get('/operator/partners');
    const xero = (body['partners'] as { name: string; contacts: { user_id: string; email: string }[] }[]).find(
      ({ name }) => name === 'xero',
    );
    expect(xero?.contacts).toMatchObject([{ email }]);
    const userId = xero?.contacts[0]?.user_id ?? '';
    await olga.post('/operator/partners/contacts/remove', { partner: 'xero', user_id: userId });
    expect(await getReferrals(contact)).toMatchObject({ partners: [], partner: null });
    const entries = await portal.deps.database.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.subject, userId));
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['partner.contact_added', 'partner.contact_removed']));
  });

  it('needs an account, and the partner must be known and refer traders', async () => {
    expect((await addContact('gofile', 'unknown@nowhere.example')).body['message']).toMatchObject({
      email: expect.stringContaining('account'),
    });
    const { browser } = await signUp(portal, 'anyone@nowhere.example');
    expect((await addContact('no-such-partner', 'anyone@nowhere.example')).status).toBe(400);
    expect((await addContact('organic', 'anyone@nowhere.example')).status).toBe(400);
    expect(await getReferrals(browser)).toMatchObject({ partners: [], partner: null });
  });

  it('needs a session', async () => {
    expect((await createBrowser(portal).get('/partner/referrals')).status).toBe(401);
  });
});

describe('the operators’ list of partners', () => {
  it('shows companies, purchased refunds and our fees for each partner', async () => {
    const { db } = portal.deps.database;
    const findListedPartner = async (name: string) => {
      const { body } = await olga.get('/operator/partners');
      return (body['partners'] as { name: string; companies: number }[]).find((partner) => partner.name === name);
    };
    const before = (await findListedPartner('swoop'))?.companies ?? 0;
    const trader = await createPaidTrader(portal, 'bought@swoop.example', 4_000);
    await db.update(companies).set({ partner: 'swoop' }).where(eq(companies.id, trader.companyId));
    // The fee was 1% under the terms at the time. The list shows the actual fees, not the partner's current rate.
    const boughtTotals = { companies: before + 1, refunds_bought: 1, refunds_pence: 400_000, fees_pence: 4_000, fee_rate_bps: 200 };
    expect(await findListedPartner('swoop')).toMatchObject(boughtTotals);
    expect(await findListedPartner('kashflow')).toMatchObject({ refunds_bought: 0, refunds_pence: 0, fees_pence: 0 });
  });
});

describe('Azets', () => {
  const getAgent = async (trader: Trader) => (await trader.browser.get('/instant-vat/agent', { company_id: trader.companyId })).body;
  const postAgent = (trader: Trader, action: 'set' | 'end') =>
    trader.browser.post(`/instant-vat/agent/${action}`, { company_id: trader.companyId });
  const listAgentRows = (trader: Trader) =>
    portal.deps.database.db.select().from(companyAgents).where(eq(companyAgents.companyId, trader.companyId));

  it('is the agent of traders who sign up through its landing page, sees their stage, and nothing after it is removed', async () => {
    const contact = await createContact('azets', 'contact@azets.example');
    const trader = await createBridgingTrader(portal, 'client@azets.example', { partner: 'azets' });
    expect(await getAgent(trader)).toMatchObject({ agent: { name: 'azets' }, may_set: { name: 'azets' } });
    expect(await getReferrals(contact)).toMatchObject({ partner: { is_agent: true }, referrals: [{ stage: 'connected' }] });
    expect([(await postAgent(trader, 'end')).status, (await postAgent(trader, 'end')).status]).toEqual([200, 200]);
    expect(await getAgent(trader)).toMatchObject({ agent: null });
    expect(await listStages(contact)).toEqual([]);
    await Promise.all([postAgent(trader, 'set'), postAgent(trader, 'set')]);
    expect(await listStages(contact)).toEqual(['connected']);
    const rows = await listAgentRows(trader);
    expect(rows.filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
    // Each row keeps the consent text, and ended rows are not deleted.
    expect(rows).toHaveLength(2);
    expect(rows.every(({ consentText }) => consentText.includes('never sees an amount'))).toBe(true);
  });

  it('cannot be set for a trader whom another partner referred, or for someone else’s company', async () => {
    const trader = await createBridgingTrader(portal, 'not-azets@quickbooks.example', { partner: 'quickbooks', refundPounds: null });
    expect(await getAgent(trader)).toEqual({ agent: null, may_set: null });
    expect((await postAgent(trader, 'set')).body['code']).toBe('agent.none_offered');
    const { browser: outsiderBrowser } = await signUp(portal, 'stranger@azets.example', { partner: 'azets' });
    expect((await outsiderBrowser.post('/instant-vat/agent/set', { company_id: trader.companyId })).status).toBe(404);
    expect((await outsiderBrowser.get('/instant-vat/agent', { company_id: trader.companyId })).status).toBe(404);
    expect(await listAgentRows(trader)).toEqual([]);
  });
});
