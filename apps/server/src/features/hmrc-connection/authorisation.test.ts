import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectedTrader, authorisePortal, makeOrganisation, signUp } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

describe('authorising at HMRC', () => {
  it('sends the user’s browser and connection in the fraud prevention headers of every call that follows', async () => {
    const trader = await createConnectedTrader(portal, 'headers@trader.example');
    const calls = portal.hmrc.listCalls().filter(({ path }) => path.includes(`/organisations/vat/${trader.vrn}/`));
    expect(calls.length).toBeGreaterThan(3);
    for (const { fraudHeaders } of calls) {
      expect(fraudHeaders).toMatchObject({ 'gov-client-public-ip': '198.51.100.7', 'gov-client-window-size': 'width=1200&height=800' });
    }
  });

  it('is rejected with a message when it is for another business', async () => {
    const { browser: personBrowser } = await signUp(portal, 'wrong@trader.example');
    const [ownOrganisation, otherOrganisation] = [await makeOrganisation(portal), await makeOrganisation(portal)];
    const savedResponse = await personBrowser.post('/instant-vat/steps/company', {
      name: 'Wrong Ltd',
      company_number: '09482716',
      vrn: ownOrganisation.vrn,
    });
    const companyId = String(savedResponse.body['company_id']);
    expect(await authorisePortal(portal, personBrowser, companyId, otherOrganisation.userId)).toContain('outcome=wrong_vrn');
    const { body } = await personBrowser.get('/instant-vat/steps', { company_id: companyId });
    expect(body['hmrc']).toMatchObject({ status: 'not_connected' });
  });

  it('allows each VAT number for one company only, so that a second company cannot sell the same refund', async () => {
    const first = await createConnectedTrader(portal, 'first@trader.example');
    const { browser: second } = await signUp(portal, 'second@trader.example');
    const savedResponse = await second.post('/instant-vat/steps/company', { name: 'Twin Ltd', company_number: '09482716', vrn: first.vrn });
    const outcome = await authorisePortal(portal, second, String(savedResponse.body['company_id']), first.hmrcUserId);
    expect(outcome).toContain('outcome=vrn_claimed');
  });
});
