/** What Companies House says of a company that somebody wants to add. */
import type { RegisterFacts } from '@portal/db/schema/schema.ts';
import { invalidField } from '@portal/domain/app-error.ts';
import type { CompanyStatus } from '@portal/providers/companies-house/companies-house-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';

/** A company in one of these is no more; it files nothing and gets nothing back. */
const GONE: ReadonlySet<CompanyStatus> = new Set(['dissolved', 'converted-closed', 'removed', 'closed']);

/** Null where the register cannot be asked now: the company is taken, and its rules stay unjudged. Throws for one that is unknown or gone. */
export async function askRegister(deps: AppDeps, companyNumber: string): Promise<RegisterFacts | null> {
  const answer = await readRegister(deps, companyNumber);
  if (answer === 'not asked') return null;
  if (answer === 'unknown')
    throw invalidField('company_number', 'Companies House knows no company with this number. Check it, or search by name.');
  if (GONE.has(answer.status)) {
    throw invalidField(
      'company_number',
      `${answer.name} is ${answer.status} at Companies House. A company that is closed cannot be added.`,
    );
  }
  return answer.facts;
}

export type RegisterAnswer = { readonly name: string; readonly status: CompanyStatus; readonly facts: RegisterFacts };

/** `unknown`: the register has no such number. `not asked`: it is not set up, or did not answer; that is logged. */
export async function readRegister(deps: AppDeps, companyNumber: string): Promise<RegisterAnswer | 'unknown' | 'not asked'> {
  if (!deps.companyRegister) return 'not asked';
  try {
    const company = await deps.companyRegister.findCompany(companyNumber);
    if (!company) return 'unknown';
    const { name, status, type, insolvency, readAt } = company;
    return { name, status, facts: { status, type, is_insolvent: insolvency.isInsolvent, read_at: readAt } };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'Companies House could not be asked; we go on with what is known');
    return 'not asked';
  }
}
