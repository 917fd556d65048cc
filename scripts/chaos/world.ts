/** The environment of the filing tests: simulators that keep running, one portal process at a time, and traders with a refund to sell. */
import { Blob } from 'node:buffer';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { addMilliseconds, parseInstant } from '@portal/domain/clock.ts';
import { openCaller, type Caller } from '../smoke/caller.ts';
import { reachDoubles, type Doubles } from '../smoke/doubles.ts';
import { writeSampleBooks } from '../smoke/sample-books.ts';
import { OPERATORS } from '../smoke/sell-refund.ts';
import {
  connectHmrc,
  nameBankAccount,
  openLanding,
  openOperator,
  refreshFromHmrc,
  signUp,
  tellAboutCompany,
  uploadBooks,
  type Trader,
} from '../smoke/trader.ts';
import { openMortalPortal, type MortalPortal } from './mortal-portal.ts';
import { chooseSite } from './processes.ts';

/** A trader with a return that is ready to file. */
export type Seller = Trader & { readonly obligationId: string };

export type World = MortalPortal & {
  readonly doubles: Doubles;
  readonly operators: readonly Caller[];
  makeSeller(): Promise<Seller>;
};

/** HMRC's access tokens last four hours, so after five hours filing starts with a token refresh, whose steps are kill points too. */
const TOKEN_OUTLIVED_MS = 5 * 3_600_000;

export async function openWorld(databaseUrl?: string): Promise<World> {
  const site = await chooseSite(databaseUrl);
  const portal = await openMortalPortal(site);
  let people = 0;
  const doubles = reachDoubles(site.sandboxUrl);
  const operators: Caller[] = [];
  for (const email of OPERATORS) operators.push(await openOperator(site.portalUrl, email, { ip: '203.0.113.77' }));
  return {
    ...portal,
    doubles,
    operators,
    makeSeller: async () => {
      people += 1;
      // Each seller uses another IP address, because sign-ups are rate limited by address.
      const seller = await makeSeller(
        openCaller(site.portalUrl, { ip: `198.51.${100 + Math.floor(people / 250)}.${1 + (people % 250)}` }),
        doubles,
      );
      const now = parseInstant(await doubles.readClock());
      if (now) await doubles.moveClock({ now: addMilliseconds(now, TOKEN_OUTLIVED_MS) });
      return seller;
    },
  };
}

async function makeSeller(caller: Caller, doubles: Doubles): Promise<Seller> {
  const organisation = await doubles.makeOrganisation();
  // Without filing history an operator has to review the advance, which is the longest path.
  await doubles.setHistory(organisation.vrn, { fulfilled_periods: 0 });
  const ended = (await doubles.listObligations(organisation.vrn))[0];
  if (!ended) throw new Error(`the HMRC simulator has no obligation for ${organisation.vrn}`);
  await openLanding(caller);
  const trader = await tellAboutCompany(await signUp(caller, doubles), organisation);
  await connectHmrc(trader);
  await refreshFromHmrc(trader);
  await uploadBooks(trader, 'books.csv', new Blob([writeSampleBooks(ended.start)]));
  await nameBankAccount(trader);
  const { obligations } = await caller.call(dashboardApi.get, { company_id: trader.companyId });
  const obligation = obligations.find(({ period_start }) => period_start === ended.start);
  if (!obligation) throw new Error('the dashboard does not show the ended obligation');
  return { ...trader, obligationId: obligation.obligation_id };
}
