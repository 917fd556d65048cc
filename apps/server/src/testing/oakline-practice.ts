/**
 * Oakline's portfolio: a practice whose clients the HMRC simulator knows, with the agent's HMRC connection, for tests that read from HMRC.
 */
import { addClient, addHmrcConnection, addPractice, type TestPractice } from './add-practice.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { PortfolioClient } from '@portal/sandbox/portfolio/portfolio-client.ts';
import type { HmrcScope } from '@portal/providers/hmrc/hmrc-client.ts';
import type { TestPortal } from './open-test-portal.ts';

export type OaklinePractice = TestPractice & {
  /** The clients added, with their ids in the portal. */
  readonly list: readonly { readonly id: string; readonly client: PortfolioClient }[];
  /** Returns the portal id of the first client in a given situation. */
  getClientId(situation: PortfolioClient['situation']): string;
};

const SCOPES: readonly HmrcScope[] = ['read:vat', 'write:vat', 'read:self-assessment'];

/** Loads a portfolio into the simulators and adds those of its clients that pass the filter to the practice. */
export async function createOaklinePractice(
  portal: TestPortal,
  { clients = 13, isIncluded = () => true }: { readonly clients?: number; readonly isIncluded?: (client: PortfolioClient) => boolean } = {},
): Promise<OaklinePractice> {
  const portfolio = portal.agents.loadPortfolio({ clients, seed: 7, today: portal.deps.clock.today() });
  const practice = await addPractice(portal);
  const list: { id: string; client: PortfolioClient }[] = [];
  for (const client of portfolio.list.filter(isIncluded)) {
    const { name, kind, taxes, vat, nino } = client;
    const yearEnd = taxes.includes('ct') ? { yearEndOn: plainDate('2026-03-31') } : {};
    const references = { ...yearEnd, ...(vat ? { vrn: vat.vrn } : {}), ...(nino === undefined ? {} : { nino }) };
    list.push({ client, id: await addClient(portal, practice.companyId, { name, kind, taxes, ...references }) });
  }
  await addHmrcConnection(portal, practice.companyId, await getAgentTokens(portal));
  return {
    ...practice,
    list,
    getClientId: (situation) => {
      const matchingClient = list.find(({ client }) => client.situation === situation);
      if (!matchingClient) throw new Error(`no client of the portfolio is ${situation}`);
      return matchingClient.id;
    },
  };
}

/** Signs in as Oakline at the HMRC simulator and authorises the portal. */
export async function getAgentTokens(portal: TestPortal): Promise<{ accessToken: string; refreshToken: string }> {
  const url = portal.deps.hmrc.authorizeUrl({ state: 'a-state-of-the-test', scopes: SCOPES });
  const response = await fetch(`${url}&sandbox_user=${OAKLINE.hmrcUserId}`, { redirect: 'manual' });
  const location = response.headers.get('location');
  const code = location === null ? null : new URL(location).searchParams.get('code');
  if (code === null) throw new Error(`the HMRC simulator returned no code: ${response.status} ${await response.text()}`);
  return portal.deps.hmrc.exchangeCode({ code });
}
