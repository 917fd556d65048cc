/** Tests everything outside the VAT API: the trader's own pages at HMRC and the header validator. */
import { describe, expect, it } from 'vitest';
import { buildFraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import {
  requestApplicationToken,
  COMPLETE_FACTS,
  connectTrader,
  createOrganisation,
  startHmrc,
  type StartedHmrc,
} from './testing/start-hmrc.ts';

const post = (hmrc: StartedHmrc, query: Record<string, string>, form: Record<string, string>) =>
  fetch(`${hmrc.wwwUrl}/business-account/repayment-account?${new URLSearchParams(query)}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });

const ACCOUNT_INPUT = { sortCode: '04-06-68', accountNumber: '0000 0871', accountName: 'Brightwell Exports Ltd' };

describe('the account into which HMRC repays', () => {
  it('can be changed by the trader on HMRC’s page, which then shows it', async () => {
    const hmrc = await startHmrc();
    const { userId, vrn } = await createOrganisation(hmrc);
    const savedResponse = await post(hmrc, { vrn, sandbox_user: userId }, ACCOUNT_INPUT);
    expect(savedResponse.status).toBe(303);
    const page = await (await fetch(savedResponse.headers.get('location') ?? '')).text();
    expect(page).toContain('Your bank account has been changed.');
    expect(page).toContain('040668');
    expect((await hmrc.controls.listOrganisations())[0]?.repaymentAccount).toEqual({
      sortCode: '040668',
      accountNumber: '00000871',
      accountName: 'Brightwell Exports Ltd',
    });
  });

  it.each([
    [{ sortCode: '04066' }, 'Enter a 6-digit sort code.'],
    [{ accountNumber: '123' }, 'Enter an 8-digit account number.'],
    [{ accountName: ' ' }, 'Enter the name on the account'],
  ])('stays the same when %j is entered, with an error message', async (change, words) => {
    const hmrc = await startHmrc();
    const { userId, vrn } = await createOrganisation(hmrc);
    const before = (await hmrc.controls.listOrganisations())[0]?.repaymentAccount;
    const response = await post(hmrc, { vrn, sandbox_user: userId }, { ...ACCOUNT_INPUT, ...change });
    expect([response.status, (await response.text()).includes(words)]).toEqual([400, true]);
    expect((await hmrc.controls.listOrganisations())[0]?.repaymentAccount).toEqual(before);
  });

  it('is neither visible nor changeable for another user', async () => {
    const hmrc = await startHmrc();
    const [organisation, otherOrganisation] = [await createOrganisation(hmrc), await createOrganisation(hmrc)];
    expect((await post(hmrc, { vrn: organisation.vrn, sandbox_user: otherOrganisation.userId }, ACCOUNT_INPUT)).status).toBe(403);
    const visitorResponse = await post(hmrc, { vrn: organisation.vrn }, ACCOUNT_INPUT);
    expect(visitorResponse.headers.get('location')).toContain('/sign-in?continue=');
  });

  it('redirects after sign-in only to its own pages', async () => {
    const hmrc = await startHmrc();
    const { userId, password } = await createOrganisation(hmrc);
    const target = encodeURIComponent('https://evil.example/');
    const response = await fetch(`${hmrc.wwwUrl}/sign-in?continue=${target}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ userId, password }),
    });
    expect(response.headers.get('location')).toBe('/hmrc-www/business-account/repayment-account');
  });
});

describe('the fraud header validator', () => {
  it('grades the headers of the request itself', async () => {
    const hmrc = await startHmrc();
    const headers = { authorization: `Bearer ${await requestApplicationToken(hmrc)}`, accept: 'application/vnd.hmrc.1.0+json' };
    const validate = async (fraud: Record<string, string>) =>
      (await hmrc.fetch(`${hmrc.apiUrl}/test/fraud-prevention-headers/validate`, { headers: { ...headers, ...fraud } })).json();
    expect(await validate(buildFraudHeaders(COMPLETE_FACTS))).toMatchObject({ specVersion: '3.3', code: 'VALID_HEADERS', errors: [] });
    expect(await validate({})).toMatchObject({ code: 'INVALID_HEADERS' });
  });

  it('reports on the last call to each VAT endpoint', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    await hmrc.client.listObligations({ ...call, fraudHeaders: {} }, user.vrn, { status: 'open' });
    await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    await hmrc.client.findVatInformation({ ...call, fraudHeaders: { 'Gov-Client-Timezone': 'UTC' } }, user.vrn);
    const response = await hmrc.fetch(
      `${hmrc.apiUrl}/test/fraud-prevention-headers/vat-mtd/validation-feedback?connectionMethod=WEB_APP_VIA_SERVER`,
      { headers: { authorization: `Bearer ${await requestApplicationToken(hmrc)}`, accept: 'application/vnd.hmrc.1.0+json' } },
    );
    const { requests } = (await response.json()) as {
      requests: { path: string; code: string; headers: { header: string; code: string }[] }[];
    };
    expect(requests.map(({ path, code }) => [path.replace(user.vrn, 'VRN'), code])).toEqual([
      ['/organisations/vat/VRN/obligations', 'VALID_HEADERS'],
      ['/organisations/vat/VRN/information', 'INVALID_HEADERS'],
    ]);
    expect(requests[1]?.headers.find(({ header }) => header === 'gov-client-timezone')?.code).toBe('INVALID_HEADER');
  });
});
