/** Raw VAT calls that bypass the client, for tests of HMRC's errors. */
import { connectTrader, requestCode, startHmrc, type StartedHmrc, type StartOptions } from './start-hmrc.ts';

const ACCEPT_HEADER = 'application/vnd.hmrc.1.0+json';

/** Starts a connected trader, and a function that sends raw requests below /organisations/vat with its access token. */
export async function startWithTrader(options: StartOptions = {}) {
  const hmrc = await startHmrc(options);
  const { user, call } = await connectTrader(hmrc);
  const send = (path: string, init: { headers?: Record<string, string>; body?: string; method?: string } = {}) =>
    hmrc.fetch(`${hmrc.apiUrl}/organisations/vat${path}`, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      headers: { accept: ACCEPT_HEADER, authorization: `Bearer ${call.accessToken}`, 'content-type': 'application/json', ...init.headers },
      ...(init.body === undefined ? {} : { body: init.body }),
    });
  return { hmrc, vrn: user.vrn, user, call, send };
}

/** Returns a new access token, for use after the clock has moved beyond the old one's four hours. */
export async function reconnect(hmrc: StartedHmrc, userId: string): Promise<Record<string, string>> {
  const { accessToken } = await hmrc.client.exchangeCode({ code: await requestCode(hmrc, userId) });
  return { authorization: `Bearer ${accessToken}` };
}

/** A return that passes all body checks, with a period key that no trader has. */
export const VALID_RETURN: Readonly<Record<string, unknown>> = {
  periodKey: '#001',
  vatDueSales: 0.1,
  vatDueAcquisitions: 0.2,
  totalVatDue: 0.3,
  vatReclaimedCurrPeriod: 100.3,
  netVatDue: 100,
  totalValueSalesExVAT: 300,
  totalValuePurchasesExVAT: 300,
  totalValueGoodsSuppliedExVAT: 0,
  totalAcquisitionsExVAT: 0,
  finalised: true,
};
