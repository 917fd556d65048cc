import { advances, companies, foundReturns } from '@portal/db/schema/schema.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { and, desc, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { quoteRefund } from './quote-refund.ts';

/** Creates quotes automatically for traders of bridging partners, on the newest found return that doesn't have an advance yet. */
export async function quoteFoundReturns(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const [company] = await db.select({ partner: companies.partner }).from(companies).where(eq(companies.id, companyId));
  if (getPartner(company?.partner ?? '').kind !== 'bridging') return;
  const [unquotedReturn] = await db
    .select({ obligationId: foundReturns.obligationId })
    .from(foundReturns)
    .leftJoin(advances, and(eq(advances.companyId, foundReturns.companyId), eq(advances.obligationId, foundReturns.obligationId)))
    .where(and(eq(foundReturns.companyId, companyId), isNull(advances.id)))
    .orderBy(desc(foundReturns.readAt))
    .limit(1);
  if (unquotedReturn) await quoteRefund(deps, companyId, unquotedReturn.obligationId, 'rules');
}
