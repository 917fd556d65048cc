/**
 * The trader's view while a provider fails: the figures are unchanged, the reason is explained in words, and the same click works
 * afterwards.
 */
import { randomUUID } from 'node:crypto';
import { createClients } from '../../../apps/server/src/testing/open-test-portal.ts';
import { createBrowser, createConnectedTrader, type ApiResponse, type Trader } from '../../../apps/server/src/testing/test-trader.ts';
import { passWindow, type FaultTestBed } from './bed.ts';
import type { Fault } from './fault-proxy.ts';
import { required } from './operation-case.ts';

/** A trader's click that calls providers. */
export type Click = {
  readonly name: string;
  readonly click: (trader: Trader) => Promise<ApiResponse>;
  /** Returns true if the response, or the trader's view afterwards, shows that it worked. */
  readonly hasWorked: (apiResponse: ApiResponse) => boolean;
};

export type ClickTestBed = {
  readonly testBed: FaultTestBed;
  /** Returns traders in turn, because HMRC calls are rate limited per user. */
  nextTrader(): Trader;
  close(): Promise<void>;
};

const TRADERS = 12;

/** Opens a portal instance whose calls go through the proxy with the campaign's time limit. */
export async function openClickTestBed(testBed: FaultTestBed): Promise<ClickTestBed> {
  const { portal } = testBed;
  const clients = createClients(portal.providers, portal.deps.clock, () => testBed.limitedFetch);
  const instance = await portal.openInstance(clients);
  const traders: Trader[] = [];
  for (let number = 1; number <= TRADERS; number += 1) {
    const trader = await createConnectedTrader(portal, `trader-${number}@faults.example`);
    traders.push({ ...trader, browser: createBrowser(instance, trader.cookie) });
  }
  let turnCount = 0;
  return {
    testBed,
    nextTrader: () => {
      turnCount += 1;
      return required(traders[turnCount % TRADERS], 'trader');
    },
    close: () => instance.close(),
  };
}

const getReturnKey = ({ companyId, obligation }: Trader) => ({ company_id: companyId, obligation_id: obligation.id });

const getReturn = (trader: Trader) => trader.browser.get('/instant-vat/vat-return', getReturnKey(trader));

export const CLICKS: readonly Click[] = [
  {
    name: 'refresh from HMRC',
    click: (trader) => trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId }),
    hasWorked: ({ status, body }) => status === 200 && body['status'] === 'refreshed',
  },
  {
    name: 'look a company up',
    click: ({ browser }) => browser.get('/company-search', { keyword: `Tess ${randomUUID().slice(0, 8)}` }),
    hasWorked: ({ status }) => status === 200,
  },
];

/** Reads the states and amounts that the trader sees, without values that change with every read. */
async function readFigures(trader: Trader): Promise<string> {
  const dashboardResponse = await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId });
  const vatReturnResponse = await getReturn(trader);
  if (dashboardResponse.status !== 200 || vatReturnResponse.status !== 200)
    return `the dashboard answers ${dashboardResponse.status}, the return ${vatReturnResponse.status}`;
  const figures = [dashboardResponse.body['obligations'], vatReturnResponse.body['boxes']];
  return JSON.stringify(figures);
}

/** On a busy machine, a call may exceed the campaign's short time limit. */
const MAX_TRIES = 3;

export async function checkClick({ testBed, nextTrader }: ClickTestBed, click: Click, fault: Fault, call: number): Promise<string[]> {
  const trader = nextTrader();
  const before = await readFigures(trader);
  await testBed.proxy.begin(fault, call);
  const response = await click.click(trader);
  const figuresDuringFault = await readFigures(trader);
  await testBed.proxy.end();
  const findings: string[] = [];
  if (figuresDuringFault !== before)
    findings.push(`the figures changed from ${before.slice(0, 300)} to ${figuresDuringFault.slice(0, 300)}`);
  if (!click.hasWorked(response)) findings.push(...checkReason(response));
  if (fault.startsWith('throttled')) passWindow(testBed);
  let latestResponse = response;
  for (let tries = 0; tries < MAX_TRIES && (tries === 0 || !click.hasWorked(latestResponse)); tries += 1)
    latestResponse = await click.click(trader);
  if (!click.hasWorked(latestResponse))
    findings.push(`doesn’t work afterwards: ${latestResponse.status} ${JSON.stringify(latestResponse.body).slice(0, 300)}`);
  return findings.map((finding) => `${click.name}, ${fault} from call ${call}: ${finding}`);
}

/** Checks for a readable sentence anywhere in the response. */
function checkReason({ status, body }: ApiResponse): string[] {
  if (status >= 500 && status !== 502 && status !== 503) return [`answered ${status}: ${JSON.stringify(body).slice(0, 200)}`];
  const bodyJson = JSON.stringify(body);
  return /[A-Z][^"]{12,}[.!?]/.test(bodyJson) ? [] : [`gives no reason: ${status} ${bodyJson.slice(0, 300)}`];
}

export async function countClickCalls({ testBed, nextTrader }: ClickTestBed, click: Click): Promise<number> {
  await testBed.proxy.end();
  const response = await click.click(nextTrader());
  const calls = testBed.proxy.seen.length;
  if (!click.hasWorked(response)) throw new Error(`${click.name} fails without a fault: ${JSON.stringify(response).slice(0, 300)}`);
  return calls;
}
