/** Checks every operation of the HMRC simulator against HMRC's published descriptions. */
import { addMonths } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { buildSourceNote, HMRC_DESCRIPTIONS } from '../../testing/published-source.ts';
import { findEndedObligation, REPAYMENT_BOXES } from './filing.ts';
import { DEVIATIONS } from './published-descriptions.ts';
import { connectTrader, publishedDescriptions, requestApplicationToken, startHmrc } from './start-hmrc.ts';

describe.skipIf(!publishedDescriptions)(
  `HMRC’s published descriptions ${buildSourceNote(HMRC_DESCRIPTIONS, publishedDescriptions)}`,
  () => {
    it('match every described operation, and every listed deviation occurs', async () => {
      const hmrc = await startHmrc();
      const { user, call } = await connectTrader(hmrc);
      const { client, apiUrl } = hmrc;
      const endedObligation = await findEndedObligation(hmrc, call, user.vrn);
      const application = { authorization: `Bearer ${await requestApplicationToken(hmrc)}` };
      const get = (path: string, headers: Record<string, string> = {}) =>
        hmrc.fetch(`${apiUrl}${path}`, {
          headers: { accept: 'application/vnd.hmrc.1.0+json', authorization: `Bearer ${call.accessToken}`, ...headers },
        });
      const lookUp = (path: string) =>
        get(`/organisations/vat/check-vat-number/lookup/${path}`, { ...application, accept: 'application/vnd.hmrc.2.0+json' });
      const createUser = (kind: string, serviceNames: string[]) =>
        hmrc.fetch(`${apiUrl}/create-test-user/${kind}`, {
          method: 'POST',
          headers: { ...application, accept: 'application/vnd.hmrc.1.0+json' },
          body: JSON.stringify({ serviceNames }),
        });
      await client.submitReturn(call, user.vrn, endedObligation.periodKey, REPAYMENT_BOXES);
      await client.findReturn(call, user.vrn, endedObligation.periodKey);
      await client.findReturn(call, user.vrn, '#001');
      await client.listLiabilities(call, user.vrn, { from: endedObligation.start, to: hmrc.clock.today() });
      await client.listPayments(call, user.vrn, { from: addMonths(hmrc.clock.today(), -11), to: hmrc.clock.today() });
      await client.findVatInformation(call, user.vrn);
      await get(`/organisations/vat/${user.vrn}/obligations`);
      await get('/organisations/vat/12345678/obligations?status=O');
      const penaltyScenarios = ['DEFAULT', 'NO_PENALTIES', 'LATE_SUBMISSION', 'LATE_PAYMENT', 'MULTIPLE_PENALTIES']
        .concat(['MULTIPLE_LATE_PAYMENT_PENALTIES', 'MULTIPLE_LATE_SUBMISSION_PENALTIES', 'MULTIPLE_INACTIVE_LATE_SUBMISSION_PENALTIES'])
        .concat(['THRESHOLD_LATE_SUBMISSION_PENALTIES', 'CHARGE_LATE_SUBMISSION_PENALTIES']);
      for (const scenario of penaltyScenarios) {
        expect((await get(`/organisations/vat/${user.vrn}/penalties`, { 'gov-test-scenario': scenario })).status).toBe(200);
      }
      await get(`/organisations/vat/${user.vrn}/financial-details/XP123456789012`);
      await get(`/organisations/vat/${user.vrn}/financial-details/XP000000000000`);
      await get(`/organisations/vat/${user.vrn}/financial-details/P1`);
      for (const path of ['553557881', '55355788', '100190874', `${user.vrn}/553557881`, '553557881/100190874']) await lookUp(path);
      await createUser('individuals', ['mtd-vat', 'mtd-income-tax', 'self-assessment']);
      await createUser('agents', ['agent-services']);
      await createUser('organisations', ['corporation-tax', 'paye-for-employers', 'national-insurance']);
      await createUser('organisations', ['nonsense']);
      await get('/create-test-user/services', application);
      await get(`/organisations/vat/${user.vrn}/obligations?status=O`, { authorization: 'Bearer nonsense' });
      await get(`/organisations/vat/${user.vrn}/nonsense`);
      const respondedOperations = new Set(
        [...hmrc.seen.answers].filter((operation) => /20[01]$/.test(operation)).map((operation) => operation.replace(/ \d+$/, '')),
      );
      // The tests in hmrc-agent cover the agent and income tax operations.
      const vatOperations = publishedDescriptions?.operations.filter(
        (operation) => !/ \/(?:agents|accounts|obligations)\//.test(operation),
      );
      expect(vatOperations?.filter((operation) => !respondedOperations.has(operation))).toEqual([]);
      expect([...hmrc.seen.deviations].sort()).toEqual(DEVIATIONS.map(({ name }) => name).sort());
    });

    it('rejects responses that differ from it', () => {
      const checkResponse = (bodyText: string, status = 200, headers: Record<string, string> = { 'x-correlationid': 'x' }) =>
        publishedDescriptions?.validate({
          method: 'GET',
          path: '/organisations/vat/100190874/obligations',
          status,
          headers: new Headers({ 'content-type': 'application/json', ...headers }),
          bodyText,
        }).fault;
      const validBody = '{"obligations":[{"start":"2017-01-01","end":"2017-03-31","due":"2017-05-07","status":"O","periodKey":"18A1"}]}';
      expect(checkResponse(validBody)).toBeUndefined();
      expect(checkResponse(validBody.replace('"due"', '"dueDate"'))).toMatch(/due/);
      expect(checkResponse(validBody.replace('2017-01-01', '01/01/2017'))).toMatch(/pattern/);
      expect(checkResponse(validBody, 200, {})).toMatch(/x-correlationid/i);
      expect(checkResponse('{"message":"no code"}', 403)).toMatch(/code/);
      expect(checkResponse(validBody, 302)).toMatch(/not described/);
    });
  },
);
