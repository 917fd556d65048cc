/**
 * A VAT number is claimed for the company that connects it at HMRC, so that two companies can't sell the same refund. It can't be exchanged
 * for another one while HMRC is being connected.
 */
import { companies, vrnClaims } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { authorisePortal, makeOrganisation, signUp } from '../../testing/test-trader.ts';
import { createVatNumberLookUp } from '../onboarding/look-up-vat-number.ts';
import { saveCompany } from '../onboarding/save-company.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

async function createUnconnectedCompany(email: string) {
  const { browser } = await signUp(portal, email);
  const [first, second] = [await makeOrganisation(portal), await makeOrganisation(portal)];
  const toForm = ({ companyNumber, vrn }: typeof first) => ({ name: 'Tess Exports Ltd', company_number: companyNumber, vrn });
  const companyId = String((await browser.post('/instant-vat/steps/company', toForm(first))).body['company_id']);
  const change = { company_id: companyId, ...toForm(second) };
  return { browser, companyId, first, second, change };
}

async function getVatNumbers(companyId: string) {
  const { db } = portal.deps.database;
  const [company] = await db.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  const claims = await db.select({ vrn: vrnClaims.vrn }).from(vrnClaims).where(eq(vrnClaims.companyId, companyId));
  return { vrn: company?.vrn, claims: claims.map(({ vrn }) => vrn) };
}

it('by a correction that read the registers before', async () => {
  const { browser, companyId, first, change } = await createUnconnectedCompany('before@swap.example');
  const lookUp = createVatNumberLookUp(portal.deps);
  const connectAtTheSameTime: typeof lookUp = async (vrn, ip) => {
    const found = await lookUp(vrn, ip);
    await authorisePortal(portal, browser, companyId, first.userId);
    return found;
  };
  const { body } = await browser.get('/v2/check-login');
  const actor = { userId: String(body['user_id']) } as Parameters<typeof saveCompany>[2];
  await expect(saveCompany(portal.deps, connectAtTheSameTime, actor, change, '198.51.100.7')).rejects.toMatchObject({
    code: 'company.connected',
  });
  expect(await getVatNumbers(companyId)).toEqual({ vrn: first.vrn, claims: [first.vrn] });
});

it('by a correction after HMRC has confirmed the authorisation', async () => {
  const { browser, companyId, first, second, change } = await createUnconnectedCompany('after@swap.example');
  const { hmrc } = portal.deps;
  const correctAtTheSameTime: typeof hmrc.listObligations = async (...call) => {
    const found = await hmrc.listObligations(...call);
    expect((await browser.post('/instant-vat/steps/company', change)).status).toBe(200);
    return found;
  };
  const deps = { ...portal.deps, hmrc: { ...hmrc, listObligations: correctAtTheSameTime } };
  const page = await authorisePortal({ ...portal, deps }, browser, companyId, first.userId);
  expect(page).toContain('outcome=wrong_vrn');
  expect(await getVatNumbers(companyId)).toEqual({ vrn: second.vrn, claims: [] });
});
