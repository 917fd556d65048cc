/** Creates practices and updates their details. */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import {
  companies,
  hmrcConnections,
  memberships,
  practices,
  users,
  type PostalAddress,
  type RegisterFacts,
} from '@portal/db/schema/schema.ts';
import type { practiceApi } from '@portal/contract/practice.ts';
import type { ParsedInputOf } from '@portal/contract/endpoint.ts';
import { AppError, invalidField } from '@portal/domain/app-error.ts';
import { parsePostcode } from '@portal/domain/practice/client-import/parse-import-row.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { askRegister } from '../company-look-up/ask-register.ts';
import { endGrant } from '../hmrc-connection/end-grant.ts';
import { referralOfPerson } from '../identity/partner-of-person.ts';

type PracticeForm = { readonly name: string; readonly company_number?: string | undefined };

/** Repeating the request (a second click, a lost response) returns the existing practice. */
export async function createPractice(deps: AppDeps, actor: Actor, form: PracticeForm, ip: string): Promise<{ company_id: string }> {
  const number = readCompanyNumber(form.company_number);
  const register = number === null ? null : await askRegister(deps, number);
  const details = { name: form.name, companyNumber: number, register };
  return deps.database.db.transaction(async (tx) => {
    // Locks the user, so that two concurrent requests create one practice.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.userId)).for('update');
    const known = await findOwnPractice(tx, actor.userId, details);
    if (known !== undefined) return { company_id: known };
    return { company_id: await addPractice(deps, tx, actor, details, ip) };
  });
}

type Details = { readonly name: string; readonly companyNumber: string | null; readonly register: RegisterFacts | null };

async function findOwnPractice(db: Db | Tx, userId: string, { name, companyNumber }: Details): Promise<string | undefined> {
  const own = await db
    .select({ id: companies.id, name: companies.name, companyNumber: companies.companyNumber })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'practice_admin')));
  const isSame = (one: (typeof own)[number]): boolean =>
    companyNumber === null || one.companyNumber === null
      ? one.name.toLowerCase() === name.toLowerCase()
      : one.companyNumber === companyNumber;
  return own.find(isSame)?.id;
}

async function addPractice(deps: AppDeps, tx: Tx, actor: Actor, details: Details, ip: string): Promise<string> {
  const referral = await referralOfPerson(tx, actor.userId);
  const id = randomUUID();
  const at = deps.clock.now();
  await tx.insert(companies).values({ id, kind: 'practice', ...details, ...referral, createdAt: at });
  await tx.insert(practices).values({ companyId: id, taxes: [], updatedAt: at });
  await tx.insert(memberships).values({ companyId: id, userId: actor.userId, role: 'practice_admin', createdAt: at });
  await recordAudit(tx, { companyId: id, at, actor: actor.userId, action: 'practice.created', subject: id, after: details, ip });
  return id;
}

type ProfileForm = Omit<ParsedInputOf<typeof practiceApi.saveAccountantProfile>, 'company_id'>;

/**
 * Changes only the fields that are sent. A new ARN ends the HMRC connection, which was verified for the old one and would reach another
 * agency's clients.
 */
export async function savePractice(deps: AppDeps, companyId: string, actor: Actor, form: ProfileForm, ip: string): Promise<void> {
  const number = form.company_number === undefined ? undefined : readCompanyNumber(form.company_number);
  const arn = form.arn === undefined ? undefined : readArn(form.arn);
  const address = form.address_lines === undefined ? undefined : readAddress(form.address_lines, form.address_postcode ?? '');
  const register = typeof number === 'string' ? await askRegister(deps, number) : null;
  await deps.database.db.transaction(async (tx) => {
    const before = await lockPractice(tx, companyId);
    const ofCompany = {
      ...(form.name === undefined ? {} : { name: form.name }),
      ...(number === undefined ? {} : { companyNumber: number, register }),
    };
    const ofPractice = {
      ...(arn === undefined ? {} : { arn }),
      ...(form.agent_code_ct === undefined ? {} : { agentCodeCt: form.agent_code_ct }),
      ...(form.agent_code_paye === undefined ? {} : { agentCodePaye: form.agent_code_paye }),
      ...(form.agent_code_sa === undefined ? {} : { agentCodeSa: form.agent_code_sa }),
      ...(form.taxes === undefined ? {} : { taxes: [...new Set(form.taxes)] }),
      ...(address === undefined ? {} : { address }),
      ...(form.lead_days === undefined ? {} : { leadDays: form.lead_days }),
    };
    const at = deps.clock.now();
    if (Object.keys(ofCompany).length > 0) await tx.update(companies).set(ofCompany).where(eq(companies.id, companyId));
    await tx
      .update(practices)
      .set({ ...ofPractice, updatedAt: at })
      .where(eq(practices.companyId, companyId));
    if (arn !== undefined && before.arn !== null && arn !== before.arn) await endPracticeGrant(deps, tx, actor, companyId);
    const after = { ...ofCompany, ...ofPractice };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'practice.saved', subject: companyId, before, after, ip });
  });
}

async function lockPractice(tx: Tx, companyId: string): Promise<typeof practices.$inferSelect> {
  const [practice] = await tx.select().from(practices).where(eq(practices.companyId, companyId)).for('update');
  if (!practice) throw new AppError('conflict', 'practice.not_set_up', 'This practice was not set up yet. Finish the sign-up first.');
  return practice;
}

async function endPracticeGrant(deps: AppDeps, tx: Tx, actor: Actor, companyId: string): Promise<void> {
  const { connectedAt } = hmrcConnections;
  const [grant] = await tx
    .select({ companyId: hmrcConnections.companyId, connectedAt })
    .from(hmrcConnections)
    .where(eq(hmrcConnections.companyId, companyId));
  if (grant) await endGrant(deps, tx, grant, 'arn_changed', actor.userId);
}

/** Sole practitioners have no company number. */
function readCompanyNumber(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const number = parseCompanyNumber(text);
  if (!number.ok) throw invalidField('company_number', number.reason);
  return String(number.value);
}

function readAddress(text: string, postcode: string): PostalAddress | null {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 && postcode === '') return null;
  if (lines.length === 0) throw invalidField('address_lines', 'Enter the street and the town.');
  if (lines.length > 6) throw invalidField('address_lines', 'Use at most 6 lines.');
  const read = parsePostcode(postcode);
  if (!read.ok) throw invalidField('address_postcode', read.reason);
  return { lines, postcode: read.value };
}

function readArn(text: string): string | null {
  if (text === '') return null;
  const arn = parseArn(text);
  if (!arn.ok) throw invalidField('arn', arn.reason);
  return arn.value;
}
