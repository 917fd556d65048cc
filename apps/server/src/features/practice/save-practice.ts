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
import type { ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { parsePostcode } from '@portal/domain/client-imports/parse-import-row.ts';
import { getTrialEnd } from '@portal/domain/pricing/plan-coverage.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findRegisterFacts } from '../company-look-up/get-register-facts.ts';
import { endConnection } from '../hmrc-connection/end-connection.ts';
import { findPersonReferral } from '../identity/person-partner.ts';

type PracticeForm = { readonly name: string; readonly company_number?: string | undefined };

/** Repeating the request (after a second click or a lost response) returns the existing practice. */
export async function createPractice(deps: AppDeps, actor: Actor, form: PracticeForm, ip: string): Promise<{ company_id: string }> {
  const number = toCompanyNumber(form.company_number);
  const register = number === null ? null : await findRegisterFacts(deps, number);
  const details = { name: form.name, companyNumber: number, register };
  return deps.database.db.transaction(async (tx) => {
    // Locks the user, so that two concurrent requests create one practice.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.userId)).for('update');
    const existingId = await findOwnPractice(tx, actor.userId, details);
    if (existingId !== undefined) return { company_id: existingId };
    return { company_id: await addPractice(deps, tx, actor, details, ip) };
  });
}

type PracticeDetails = { readonly name: string; readonly companyNumber: string | null; readonly register: RegisterFacts | null };

async function findOwnPractice(db: Db | Tx, userId: string, { name, companyNumber }: PracticeDetails): Promise<string | undefined> {
  const ownPractices = await db
    .select({ id: companies.id, name: companies.name, companyNumber: companies.companyNumber })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'practice_admin')));
  const isSamePractice = (company: (typeof ownPractices)[number]): boolean =>
    companyNumber === null || company.companyNumber === null
      ? company.name.toLowerCase() === name.toLowerCase()
      : company.companyNumber === companyNumber;
  return ownPractices.find(isSamePractice)?.id;
}

async function addPractice(deps: AppDeps, tx: Tx, actor: Actor, details: PracticeDetails, ip: string): Promise<string> {
  const referral = await findPersonReferral(tx, actor.userId);
  const id = randomUUID();
  const at = deps.clock.now();
  await tx.insert(companies).values({ id, kind: 'practice', ...details, ...referral, createdAt: at });
  const trialEndsOn = getTrialEnd(deps.clock.today());
  await tx.insert(practices).values({ companyId: id, ownerId: actor.userId, taxes: [], trialEndsOn, updatedAt: at });
  await tx.insert(memberships).values({ companyId: id, userId: actor.userId, role: 'practice_admin', createdAt: at });
  await recordAudit(tx, { companyId: id, at, actor: actor.userId, action: 'practice.created', subject: id, after: details, ip });
  return id;
}

type ProfileForm = Omit<ParsedEndpointInput<typeof practiceApi.saveAccountantProfile>, 'company_id'>;

/**
 * Changes only the fields that are sent. A new ARN ends the HMRC connection, which was verified for the old ARN and would give access to
 * another agency's clients.
 */
export async function savePractice(deps: AppDeps, companyId: string, actor: Actor, form: ProfileForm, ip: string): Promise<void> {
  const number = form.company_number === undefined ? undefined : toCompanyNumber(form.company_number);
  const arn = form.arn === undefined ? undefined : toArn(form.arn);
  const address = form.address_lines === undefined ? undefined : toPostalAddress(form.address_lines, form.address_postcode ?? '');
  const register = typeof number === 'string' ? await findRegisterFacts(deps, number) : null;
  await deps.database.db.transaction(async (tx) => {
    const existing = await lockPractice(tx, companyId);
    const companyChanges = {
      ...(form.name === undefined ? {} : { name: form.name }),
      ...(number === undefined ? {} : { companyNumber: number, register }),
    };
    const practiceChanges = {
      ...(arn === undefined ? {} : { arn }),
      ...(form.agent_code_ct === undefined ? {} : { agentCodeCt: form.agent_code_ct }),
      ...(form.agent_code_paye === undefined ? {} : { agentCodePaye: form.agent_code_paye }),
      ...(form.agent_code_sa === undefined ? {} : { agentCodeSa: form.agent_code_sa }),
      ...(form.taxes === undefined ? {} : { taxes: [...new Set(form.taxes)] }),
      ...(address === undefined ? {} : { address }),
      ...(form.lead_days === undefined ? {} : { leadDays: form.lead_days }),
    };
    const at = deps.clock.now();
    if (Object.keys(companyChanges).length > 0) await tx.update(companies).set(companyChanges).where(eq(companies.id, companyId));
    await tx
      .update(practices)
      .set({ ...practiceChanges, updatedAt: at })
      .where(eq(practices.companyId, companyId));
    if (arn !== undefined && existing.arn !== null && arn !== existing.arn) await endPracticeConnection(deps, tx, actor, companyId);
    const after = { ...companyChanges, ...practiceChanges };
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'practice.saved',
      subject: companyId,
      before: existing,
      after,
      ip,
    });
  });
}

async function lockPractice(tx: Tx, companyId: string): Promise<typeof practices.$inferSelect> {
  const [practice] = await tx.select().from(practices).where(eq(practices.companyId, companyId)).for('update');
  if (!practice) throw new AppError('conflict', 'practice.not_set_up', 'This practice hasn’t been set up yet. Finish signing up first.');
  return practice;
}

async function endPracticeConnection(deps: AppDeps, tx: Tx, actor: Actor, companyId: string): Promise<void> {
  const { connectedAt } = hmrcConnections;
  const [connection] = await tx
    .select({ companyId: hmrcConnections.companyId, connectedAt })
    .from(hmrcConnections)
    .where(eq(hmrcConnections.companyId, companyId));
  if (connection) await endConnection(deps, tx, connection, 'arn_changed', actor.userId);
}

/** Sole practitioners don't have a company number. */
function toCompanyNumber(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const number = parseCompanyNumber(text);
  if (!number.ok) throw createInvalidFieldError('company_number', number.reason);
  return String(number.value);
}

function toPostalAddress(text: string, postcode: string): PostalAddress | null {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 && postcode === '') return null;
  if (lines.length === 0) throw createInvalidFieldError('address_lines', 'Enter the street and town.');
  if (lines.length > 6) throw createInvalidFieldError('address_lines', 'Enter no more than 6 lines.');
  const parsed = parsePostcode(postcode);
  if (!parsed.ok) throw createInvalidFieldError('address_postcode', parsed.reason);
  return { lines, postcode: parsed.value };
}

function toArn(text: string): string | null {
  if (text === '') return null;
  const arn = parseArn(text);
  if (!arn.ok) throw createInvalidFieldError('arn', arn.reason);
  return arn.value;
}
