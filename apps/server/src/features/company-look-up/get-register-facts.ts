/** Looks up a company at Companies House before it is added. */
import type { RegisterFacts } from '@portal/db/schema/schema.ts';
import { isClosedStatus } from '@portal/domain/advances/evaluate-eligibility.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { CompanyRegister, CompanyStatus } from '@portal/providers/companies-house/companies-house-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';

/**
 * Returns null if Companies House is unavailable: the company is added and its register rules are not evaluated. Throws for an unknown or
 * closed company.
 */
export async function findRegisterFacts(deps: AppDeps, companyNumber: string): Promise<RegisterFacts | null> {
  const registerResult = await readRegister(deps, companyNumber);
  if (registerResult === 'unavailable') return null;
  if (registerResult === 'unknown')
    throw createInvalidFieldError('company_number', 'No company at Companies House has this number. Check it, or search by name.');
  if (isClosedStatus(registerResult.status)) {
    throw createInvalidFieldError(
      'company_number',
      `${registerResult.name} is ${registerResult.status} at Companies House, so you can’t add it.`,
    );
  }
  return registerResult.facts;
}

export type RegisterResult = { readonly name: string; readonly status: CompanyStatus; readonly facts: RegisterFacts };

/**
 * `unknown` means that no company has this number; `unavailable` means that the register isn't configured or didn't respond, which is
 * logged.
 */
export async function readRegister(deps: AppDeps, companyNumber: string): Promise<RegisterResult | 'unknown' | 'unavailable'> {
  if (!deps.companyRegister) return 'unavailable';
  try {
    const company = await deps.companyRegister.findCompany(companyNumber);
    if (!company) return 'unknown';
    const { name, previousNames, status, statusDetail, type, insolvency, readAt } = company;
    const people = await readPeople(deps, deps.companyRegister, companyNumber);
    const facts = {
      name,
      ...(previousNames.length > 0 ? { previous_names: [...previousNames] } : {}),
      status,
      ...(statusDetail === undefined ? {} : { status_detail: statusDetail }),
      type,
      is_insolvent: insolvency.isInsolvent,
      ...(people ? { people } : {}),
      read_at: readAt,
    };
    return { name, status, facts };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'Companies House could not be read; continuing with the stored data');
    return 'unavailable';
  }
}

/** Returns undefined if the people could not be read: the company's officers and owners are then unknown, not absent. */
async function readPeople(deps: AppDeps, register: CompanyRegister, companyNumber: string): Promise<RegisterFacts['people']> {
  try {
    const officers = await register.listOfficers(companyNumber);
    const controllers = await register.listControllers(companyNumber);
    return {
      officers: officers.map(({ name }) => name),
      controllers: controllers.map(({ name, kind }) => ({ name, kind })),
      births: [...officers, ...controllers].flatMap(({ name, bornIn }) => (bornIn === undefined ? [] : [{ name, born_in: bornIn }])),
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'could not read a company’s officers and owners from Companies House');
    return undefined;
  }
}
