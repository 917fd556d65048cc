/** Creates and edits clients entered in the form, with the same validation as rows of an import file. */
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { createHash, randomUUID } from 'node:crypto';
import type { ClientFacts } from '@portal/contract/client-facts.ts';
import type { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { auditEntries, clients, users } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import { CLIENT_REFERENCES, type ClientReference, type ImportedClient } from '@portal/domain/client-imports/imported-client.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { and, desc, eq, ne, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { rebuildTaxes } from '../positions/rebuild-position.ts';
import { clearReadings } from '../sync/clear-readings.ts';
import { assertVatGroupKept, moveMembers } from '../vat-groups/keep-vat-group.ts';
import { lockClient, lockVatGroups } from '../vat-groups/lock-vat-groups.ts';
import { assertNoReturnUnderWay } from './assert-no-return-under-way.ts';
import { upsertClientRows } from './upsert-client-rows.ts';
import { listTaxes } from './list-clients.ts';

export async function createClient(
  deps: AppDeps,
  {
    input,
    tenant,
    actor,
    caller,
  }: Pick<Call<typeof clientsApi.create>, 'input' | 'tenant' | 'actor'> & { readonly caller: { readonly ip: string } },
): Promise<EndpointOutput<typeof clientsApi.create>> {
  const { practiceId: companyId } = tenant;
  const facts = validateFacts(input);
  const clientId = randomUUID();
  const now = deps.clock.now();
  await withReferenceCheck(deps.database.db, { companyId, clientId, facts }, async (tx) => {
    await tx.insert(clients).values({ companyId, id: clientId, status: 'active', createdAt: now, updatedAt: now, ...toColumns(facts) });
    await rebuildDerivedData(deps, tx, companyId, clientId);
    await recordAudit(tx, {
      companyId,
      at: now,
      actor: actor.userId,
      action: 'client.created',
      subject: clientId,
      after: facts,
      ip: caller.ip,
    });
  });
  return { client_id: clientId };
}

export async function editClient(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof clientsApi.edit>): Promise<{ done: true }> {
  const { practiceId: companyId } = tenant;
  const { client_id: clientId, version, ...fields } = input;
  const facts = validateFacts(fields);
  const now = deps.clock.now();
  await withReferenceCheck(deps.database.db, { companyId, clientId, facts }, async (tx) => {
    await lockVatGroups(tx, companyId, [clientId]);
    const existing = await lockClient(tx, companyId, eq(clients.id, clientId));
    if (!existing) throw createNotFoundError();
    if (version !== undefined && version !== toVersion(existing)) throw await createChangedError(tx, companyId, clientId);
    const columns = toColumns(facts);
    await assertVatGroupKept(tx, existing, columns);
    if (columns.vrn !== existing.vrn) await assertNoReturnUnderWay(tx, companyId, [clientId]);
    const changes = { ...columns, ...getYearEnd(existing, columns), ...getRegister(existing, columns), updatedAt: now };
    await tx
      .update(clients)
      .set(changes)
      .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
    if (columns.vrn !== existing.vrn) await clearReadings(tx, existing, 'vat');
    if (columns.nino !== existing.nino) await clearReadings(tx, existing, 'sa');
    await rebuildDerivedData(deps, tx, companyId, clientId);
    const entry = { action: 'client.edited', subject: clientId, before: toFacts(existing), after: toFacts({ ...existing, ...changes }) };
    const edit = { at: now, actor: actor.userId, ip: caller.ip };
    await moveMembers(tx, existing, columns.vrn, edit);
    await recordAudit(tx, { companyId, ...edit, ...entry });
  });
  return { done: true };
}

type Columns = ReturnType<typeof toColumns>;

/** A year end from Companies House keeps that source until someone enters another one. Another company has another year end. */
function getYearEnd(existing: typeof clients.$inferSelect, { yearEndOn, yearEndSource, companyNumber }: Columns) {
  if (yearEndOn !== existing.yearEndOn) return { yearEndOn, yearEndSource };
  const isOfOtherCompany = existing.yearEndSource === 'companies_house' && companyNumber !== existing.companyNumber;
  return isOfOtherCompany ? { yearEndOn: null, yearEndSource: null } : { yearEndOn, yearEndSource: existing.yearEndSource };
}

const UNREAD_REGISTER = { registerStatus: null, registerReadAt: null, registerPeopleReadAt: null, identityDueOn: null } as const;

/** What Companies House says of another company isn't about this client, which is then looked up again. */
const getRegister = ({ companyNumber }: typeof clients.$inferSelect, columns: Columns) =>
  columns.companyNumber === companyNumber ? {} : UNREAD_REGISTER;

export async function getClientFacts(db: Db, companyId: string, clientId: string): Promise<EndpointOutput<typeof clientsApi.find>> {
  const [row] = await db
    .select()
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!row) throw createNotFoundError();
  return { ...toFacts(row), client_id: row.id, status: row.status, version: toVersion(row) };
}

/** Rebuilds everything derived from the client's details: list row, positions and totals. */
async function rebuildDerivedData(deps: AppDeps, tx: Tx, companyId: string, clientId: string): Promise<void> {
  await upsertClientRows(tx, companyId, clientId);
  const details = { companyId, today: deps.clock.today(), now: deps.clock.now() };
  await rebuildTaxes(tx, details, Object.fromEntries(TAXES.map((tax) => [tax, [clientId]])));
  await enqueueTotals(deps, tx, companyId);
}

/** The import validator takes a file's columns as text, so pass the form's values in the same way. */
function validateFacts({ taxes, ...fields }: ClientFacts): ImportedClient {
  const fieldTexts = Object.fromEntries(
    IMPORT_COLUMNS.flatMap((column) => {
      // The status and the VAT group have their own actions, because they change which figures count. Turnover has its own dates.
      if (column === 'status' || column === 'vat_group' || column === 'taxable_turnover' || column === 'turnover_to') return [];
      const fieldValue = column === 'taxes' ? taxes.join(', ') : fields[column];
      return fieldValue === '' && column !== 'taxes' ? [] : [[column, fieldValue]];
    }),
  );
  const { client, problems } = validateImportRow(fieldTexts);
  const [problem] = problems;
  if (problem) throw createInvalidFieldError(problem.field, problem.problem);
  if (!client) throw new Error('a valid import row must produce a client');
  return client;
}

function toColumns({ taxes, name, kind, ...facts }: ImportedClient) {
  return {
    name,
    kind,
    hasVat: taxes.includes('vat'),
    hasPaye: taxes.includes('paye'),
    hasCt: taxes.includes('ct'),
    hasSa: taxes.includes('sa'),
    vrn: facts.vrn,
    utr: facts.utr,
    nino: facts.nino,
    companyNumber: facts.company_number,
    payeReference: facts.paye_reference,
    accountsOfficeReference: facts.accounts_office_reference,
    postcode: facts.postcode,
    vatRegisteredOn: facts.vat_registered_on,
    yearEndOn: facts.year_end_on,
    yearEndSource: facts.year_end_on === null ? null : ('practice' as const),
    email: facts.email,
    phone: facts.phone,
    clientCode: facts.client_code,
  };
}

function toFacts(row: typeof clients.$inferSelect): ClientFacts {
  return {
    name: row.name,
    kind: row.kind,
    taxes: listTaxes(row),
    vrn: row.vrn ?? '',
    utr: row.utr ?? '',
    nino: row.nino ?? '',
    company_number: row.companyNumber ?? '',
    paye_reference: row.payeReference ?? '',
    accounts_office_reference: row.accountsOfficeReference ?? '',
    postcode: row.postcode ?? '',
    vat_registered_on: row.vatRegisteredOn ?? '',
    year_end: row.yearEndOn ?? '',
    email: row.email ?? '',
    phone: row.phone ?? '',
    client_code: row.clientCode ?? '',
  };
}

/** Hashes only the form's fields. A new status or assignment must not cause an edit of the phone number to be rejected. */
function toVersion(row: typeof clients.$inferSelect): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(toFacts(row))))
    .digest('base64url');
}

async function createChangedError(tx: Tx, companyId: string, clientId: string): Promise<AppError> {
  const [last] = await tx
    .select({ name: users.fullName })
    .from(auditEntries)
    .innerJoin(users, sql`${users.id}::text = ${auditEntries.actor}`)
    .where(and(eq(auditEntries.companyId, companyId), eq(auditEntries.subject, clientId), eq(auditEntries.action, 'client.edited')))
    .orderBy(desc(auditEntries.sequence))
    .limit(1);
  return new AppError(
    'conflict',
    'client.changed_since',
    `${last?.name ?? 'Someone'} changed this client after you opened it, so your changes weren’t saved. Reload the client to see the current details.`,
  );
}

type ClientWrite = { readonly companyId: string; readonly clientId: string; readonly facts: ImportedClient };

/** Runs the change. If another client already has a reference, the error names the field and that client. */
async function withReferenceCheck(db: Db, write: ClientWrite, change: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await db.transaction(change);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw await createReferenceTakenError(db, write, error);
  }
}

const REFERENCES = {
  vrn: { column: clients.vrn, label: 'VAT number' },
  utr: { column: clients.utr, label: 'UTR' },
  nino: { column: clients.nino, label: 'National Insurance number' },
  company_number: { column: clients.companyNumber, label: 'company number' },
  paye_reference: { column: clients.payeReference, label: 'PAYE reference' },
} as const satisfies Record<ClientReference, unknown>;

const SHARED_HINTS: Readonly<Partial<Record<ClientReference, string>>> = {
  vrn: ' If they’re in a VAT group, leave the VAT number and VAT out here. Then set the VAT group on the client’s page.',
  paye_reference: ' If they share a payroll, keep the PAYE reference and PAYE on the employer only.',
};

async function createReferenceTakenError(db: Db, { companyId, clientId, facts }: ClientWrite, cause: unknown): Promise<AppError> {
  const references = CLIENT_REFERENCES.flatMap((name) => {
    const value = facts[name];
    return value === null ? [] : [{ name, value, ...REFERENCES[name] }];
  });
  const [otherClient] = await db
    .select()
    .from(clients)
    .where(and(eq(clients.companyId, companyId), ne(clients.id, clientId), or(...references.map(({ column, value }) => eq(column, value)))))
    .limit(1);
  const details = {
    vrn: otherClient?.vrn,
    utr: otherClient?.utr,
    nino: otherClient?.nino,
    company_number: otherClient?.companyNumber,
    paye_reference: otherClient?.payeReference,
  };
  const conflict = references.find(({ name, value }) => details[name] === value);
  const message = conflict
    ? `${otherClient?.name ?? 'Another client'} already has this ${conflict.label}. Each taxpayer can appear only once, so that its tax isn’t counted twice.${SHARED_HINTS[conflict.name] ?? ''}`
    : 'Another client has one of these references. Each taxpayer can appear only once.';
  return new AppError('conflict', 'client.reference_taken', message, conflict ? { field: conflict.name } : undefined, cause);
}
