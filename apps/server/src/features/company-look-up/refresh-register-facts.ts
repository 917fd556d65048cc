/** Rereads a company's Companies House data when it is needed and more than a day old. */
import { companies } from '@portal/db/schema/schema.ts';
import { toEpochMs } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { readRegister } from './get-register-facts.ts';

const FACTS_TTL_MS = 86_400_000;

/** Called before a price is calculated or accepted. If Companies House is unavailable, the stored facts and their date are kept. */
export async function refreshRegisterFacts(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const [company] = await db
    .select({ number: companies.companyNumber, register: companies.register })
    .from(companies)
    .where(eq(companies.id, companyId));
  if (!company || company.number === null) return;
  const isComplete = company.register?.name !== undefined && company.register.people !== undefined;
  const ageMs = company.register === null || !isComplete ? Infinity : toEpochMs(deps.clock.now()) - toEpochMs(company.register.read_at);
  if (ageMs < FACTS_TTL_MS) return;
  const registerResult = await readRegister(deps, company.number);
  if (registerResult === 'unavailable') return;
  if (registerResult === 'unknown') {
    deps.logger.warn({ company_id: companyId }, 'Companies House no longer has this company; keeping the stored facts');
    return;
  }
  await db.update(companies).set({ register: registerResult.facts }).where(eq(companies.id, companyId));
}
