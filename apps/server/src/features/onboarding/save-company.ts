import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, hmrcConnections, memberships, vrnClaims, type RegisterFacts } from '@portal/db/schema/schema.ts';
import { compareWithFormerNames, type NameMatch } from '@portal/domain/advances/compare-names.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { and, eq, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { connectGrantedBooks } from '../books-connection/connect-granted-books.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { saveAgent } from '../partners/company-agent.ts';
import { findPersonReferral } from '../identity/person-partner.ts';
import type { VatNumberLookUp } from './look-up-vat-number.ts';
import { findRegisterFacts } from '../company-look-up/get-register-facts.ts';

type CompanyForm = {
  company_id?: string | undefined;
  name: string;
  company_number: string;
  vrn: string;
  organisation_id?: string | null | undefined;
};

/** Adds a trader's company, or corrects it while HMRC is not connected. The VAT number must exist in HMRC's register of VAT numbers. */
export async function saveCompany(
  deps: AppDeps,
  lookUpVatNumber: VatNumberLookUp,
  actor: Actor,
  form: CompanyForm,
  ip: string,
): Promise<{ company_id: string; vrn_registered_name: string | null; name_match: NameMatch }> {
  const companyNumber = parseCompanyNumber(form.company_number);
  if (!companyNumber.ok) throw createInvalidFieldError('company_number', companyNumber.reason);
  const vrn = parseNineDigitVrn(form.vrn);
  if (!vrn.ok) throw createInvalidFieldError('vrn', vrn.reason);
  if (form.company_id !== undefined) await assertChangeable(deps.database.db, actor, form.company_id);
  const register = await findRegisterFacts(deps, String(companyNumber.value));
  const vatRegistration = await lookUpVatNumber(vrn.value.vrn, ip);
  if (!vatRegistration)
    throw createInvalidFieldError('vrn', 'HMRC has no record of a business with this VAT registration number. Check the nine digits.');
  const details = {
    name: form.name,
    companyNumber: String(companyNumber.value),
    vrn: vrn.value.vrn,
    vrnRegisteredName: vatRegistration.name,
    register,
  };
  const companyId = await deps.database.db.transaction(async (tx) => {
    const id = form.company_id ?? (await addCompany(deps, tx, actor, details, ip));
    if (form.company_id === undefined) {
      await connectGrantedBooks(deps, tx, {
        companyId: id,
        userId: actor.userId,
        vrn: details.vrn,
        organisationId: form.organisation_id,
        ip,
      });
    } else {
      // HMRC may have been connected while the registers were read. The VAT number that it was connected for is the one that is claimed.
      await lockCompany(tx, id);
      await assertChangeable(tx, actor, id);
      await tx.update(companies).set(details).where(eq(companies.id, id));
      // Our team may have moved the former number here.
      await tx.delete(vrnClaims).where(and(eq(vrnClaims.companyId, id), ne(vrnClaims.vrn, details.vrn)));
    }
    await recordAudit(tx, {
      companyId: id,
      at: deps.clock.now(),
      actor: actor.userId,
      action: 'company.saved',
      subject: id,
      after: details,
      ip,
    });
    return id;
  });
  const registeredName = register?.name ?? form.name;
  const company = { names: [registeredName], former: register?.previous_names ?? [] };
  const nameMatch = compareWithFormerNames(company, vatRegistration.name, registeredName);
  return { company_id: companyId, vrn_registered_name: vatRegistration.name, name_match: nameMatch };
}

async function addCompany(
  deps: AppDeps,
  tx: Tx,
  actor: Actor,
  details: { name: string; companyNumber: string; vrn: string; vrnRegisteredName: string; register: RegisterFacts | null },
  ip: string,
): Promise<string> {
  const referral = await findPersonReferral(tx, actor.userId);
  const id = randomUUID();
  const createdAt = deps.clock.now();
  await tx.insert(companies).values({ id, kind: 'trader', ...details, ...referral, createdAt });
  await tx.insert(memberships).values({ companyId: id, userId: actor.userId, role: 'trader_owner', createdAt });
  if (referral) await saveAgent(deps, tx, id, referral.partner, { userId: actor.userId, ip });
  return id;
}

async function assertChangeable(db: Db | Tx, actor: Actor, companyId: string): Promise<void> {
  const [membership] = await db
    .select({ role: memberships.role, hmrc: hmrcConnections.status })
    .from(memberships)
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, memberships.companyId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, actor.userId)));
  if (membership?.role !== 'trader_owner') throw createNotFoundError();
  if (membership.hmrc === 'connected' || membership.hmrc === 'lapsed') {
    throw new AppError(
      'conflict',
      'company.connected',
      'This company is connected to HMRC, so you can no longer change its VAT number here.',
    );
  }
}
