/**
 * The accountant that acts for a trader. Signing up through the accountant's landing page sets it; the trader can set or end it at any
 * time.
 */
import { randomUUID } from 'node:crypto';
import type { agentApi } from '@portal/contract/partners.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, companyAgents } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';

type Requester = { readonly userId: string; readonly ip: string };

const toPartnerName = ({ name, logoText }: Partner) => ({ name, logo_text: logoText });

export async function getAgent(db: Db, companyId: string): Promise<EndpointOutput<typeof agentApi.find>> {
  const [company] = await db.select({ partner: companies.partner }).from(companies).where(eq(companies.id, companyId));
  if (!company) throw createNotFoundError();
  const agent = await findActiveAgent(db, companyId);
  const accountant = findAccountant(company.partner);
  return {
    agent: agent ? { ...toPartnerName(getPartner(agent.partner)), since: agent.setAt } : null,
    may_set: accountant ? { ...toPartnerName(accountant), consent_text: accountant.consentText } : null,
  };
}

/** A repeated request has no effect. */
export async function setAgent(deps: AppDeps, companyId: string, requester: Requester): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const [company] = await tx.select({ partner: companies.partner }).from(companies).where(eq(companies.id, companyId));
    const accountant = company && findAccountant(company.partner);
    if (!accountant)
      throw new AppError(
        'conflict',
        'agent.none_offered',
        'No accountant referred this company, so there’s no one to appoint as its agent.',
      );
    await saveAgent(deps, tx, companyId, accountant.name, requester);
  });
}

/** Makes the accountant that referred the trader their agent from the first day, as the accountant's landing page states. */
export async function saveAgent(deps: AppDeps, tx: Tx, companyId: string, partnerName: string, requester: Requester): Promise<void> {
  const accountant = findAccountant(partnerName);
  if (!accountant || (await findActiveAgent(tx, companyId))) return;
  const at = deps.clock.now();
  await tx.insert(companyAgents).values({
    companyId,
    id: randomUUID(),
    partner: accountant.name,
    consentText: accountant.consentText,
    setAt: at,
    setBy: requester.userId,
  });
  await recordAudit(tx, {
    companyId,
    at,
    actor: requester.userId,
    action: 'agent.set',
    subject: companyId,
    after: { partner: accountant.name, consent: accountant.consentText },
    ip: requester.ip,
  });
}

/** A repeated request has no effect. */
export async function endAgent(deps: AppDeps, companyId: string, requester: Requester): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const at = deps.clock.now();
    const [endedAgent] = await tx
      .update(companyAgents)
      .set({ endedAt: at, endedBy: requester.userId })
      .where(and(eq(companyAgents.companyId, companyId), isNull(companyAgents.endedAt)))
      .returning({ partner: companyAgents.partner });
    if (!endedAgent) return;
    await recordAudit(tx, {
      companyId,
      at,
      actor: requester.userId,
      action: 'agent.ended',
      subject: companyId,
      before: endedAgent,
      ip: requester.ip,
    });
  });
}

function findAccountant(partnerName: string): Partner | undefined {
  const partner = getPartner(partnerName);
  return partner.kind === 'accountancy' ? partner : undefined;
}

async function findActiveAgent(db: Db | Tx, companyId: string): Promise<typeof companyAgents.$inferSelect | undefined> {
  const [agent] = await db
    .select()
    .from(companyAgents)
    .where(and(eq(companyAgents.companyId, companyId), isNull(companyAgents.endedAt)));
  return agent;
}
