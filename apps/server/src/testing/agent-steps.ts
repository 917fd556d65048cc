/** For tests: a practice that is connected to the simulated HMRC as an agent, and clients that HMRC knows. */
import { clients, practices } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { AGENT_SCOPES } from '@portal/providers/hmrc-agent/agent-scopes.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { PortfolioClient } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { addClient, addHmrcConnection } from './add-practice.ts';
import type { TestPortal } from './open-test-portal.ts';

/** Connects the practice to HMRC as Oakline, an agent in the simulator. */
export async function connectAsAgent(portal: TestPortal, companyId: string): Promise<void> {
  await portal.deps.database.db.update(practices).set({ arn: OAKLINE.arn }).where(eq(practices.companyId, companyId));
  const url = portal.deps.hmrc.authorizeUrl({ state: 'a-state', scopes: AGENT_SCOPES });
  const response = await fetch(`${url}&sandbox_user=${OAKLINE.hmrcUserId}`, { redirect: 'manual' });
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  await addHmrcConnection(portal, companyId, await portal.deps.hmrc.exchangeCode({ code }));
}

/** Adds a VAT client that HMRC knows, with the fact that HMRC checks and, if given, an email address. */
export async function addKnownClient(
  portal: TestPortal,
  companyId: string,
  { name, kind, vat }: PortfolioClient,
  email: string | null = null,
): Promise<string> {
  const id = await addClient(portal, companyId, { name, kind, taxes: ['vat'], ...(vat ? { vrn: vat.vrn } : {}) });
  await portal.deps.database.db
    .update(clients)
    .set({ vatRegisteredOn: vat?.registeredOn ?? null, email })
    .where(eq(clients.id, id));
  return id;
}
