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
  if (!deps.companyRegister) return null;
  try {
    const company = await deps.companyRegister.findCompany(companyNumber);
    if (!company) throw invalidField('company_number', 'Companies House knows no company with this number. Check it, or search by name.');
    if (GONE.has(company.status)) {
      throw invalidField(
        'company_number',
        `${company.name} is ${company.status} at Companies House. A company that is closed cannot be added.`,
      );
    }
    return { status: company.status, type: company.type, is_insolvent: company.insolvency.isInsolvent, read_at: company.readAt };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'Companies House could not be asked; the company is taken without it');
    return null;
  }
}
