/** The environment for the filing tests: simulators that keep running, one portal process at a time, and traders with a refund to sell. */
import { Blob } from 'node:buffer';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { addMilliseconds, parseInstant } from '@portal/domain/clock.ts';
import { createCaller, type Caller } from '../smoke/caller.ts';
import { createSandboxClient, type SandboxClient } from '../smoke/sandbox-client.ts';
import { writeSampleBooks } from '../smoke/sample-books.ts';
import { logInOperator, OPERATORS } from '../smoke/log-in-operator.ts';
import {
  connectHmrc,
  enterBankAccount,
  openLandingPage,
  refreshFromHmrc,
  signUp,
  enterCompany,
  uploadBooks,
  verifyIdentity,
  type Trader,
} from '../smoke/trader.ts';
import { openKillablePortal, type KillablePortal } from './killable-portal.ts';
import { createSite } from './processes.ts';

/** A trader with a return ready to file. */
export type FilingTrader = Trader & { readonly obligationId: string };

export type FilingTestBed = KillablePortal & {
  readonly sandbox: SandboxClient;
  readonly approver: Caller;
  readonly releasers: readonly Caller[];
  createTrader(): Promise<FilingTrader>;
};

/** HMRC's access tokens last four hours, so after five hours, filing starts with a token refresh, whose steps are also kill points. */
const PAST_TOKEN_EXPIRY_MS = 5 * 3_600_000;

export async function openFilingTestBed(databaseUrl?: string, settings: Readonly<Record<string, string>> = {}): Promise<FilingTestBed> {
  const site = await createSite(databaseUrl, settings);
  const portal = await openKillablePortal(site);
  let traderCount = 0;
  const sandbox = createSandboxClient(site.sandboxUrl);
  const connection = { ip: '203.0.113.77' };
  const approver = await logInOperator(site.portalUrl, OPERATORS.approver, connection);
  const releasers: Caller[] = [];
  for (const releaser of OPERATORS.releasers) releasers.push(await logInOperator(site.portalUrl, releaser, connection));
  return {
    ...portal,
    sandbox,
    approver,
    releasers,
    createTrader: async () => {
      traderCount += 1;
      // Each trader uses a different IP address, because sign-ups are rate limited by address.
      const trader = await createTrader(
        createCaller(site.portalUrl, { ip: `198.51.${100 + Math.floor(traderCount / 250)}.${1 + (traderCount % 250)}` }),
        sandbox,
      );
      const now = parseInstant(await sandbox.readClock());
      if (now) await sandbox.moveClock({ now: addMilliseconds(now, PAST_TOKEN_EXPIRY_MS) });
      return trader;
    },
  };
}

/** Creates a trader whose last quarter is ready to file. */
export async function createTrader(caller: Caller, sandbox: SandboxClient): Promise<FilingTrader> {
  const organisation = await sandbox.createOrganisation();
  // Without a filing history, an operator has to review the advance, which makes this the longest path.
  await sandbox.setHistory(organisation.vrn, { fulfilled_periods: 0 });
  const endedObligation = (await sandbox.listObligations(organisation.vrn))[0];
  if (!endedObligation) throw new Error(`the HMRC simulator has no obligation for ${organisation.vrn}`);
  await openLandingPage(caller);
  const trader = await enterCompany(await signUp(caller, sandbox), organisation);
  await connectHmrc(trader);
  await refreshFromHmrc(trader);
  await uploadBooks(trader, 'books.csv', new Blob([writeSampleBooks(endedObligation.start)]));
  await enterBankAccount(trader);
  await verifyIdentity(trader, sandbox);
  const { obligations } = await caller.call(dashboardApi.get, { company_id: trader.companyId });
  const obligation = obligations.find(({ period_start }) => period_start === endedObligation.start);
  if (!obligation) throw new Error('the dashboard does not show the ended obligation');
  return { ...trader, obligationId: obligation.obligation_id };
}
