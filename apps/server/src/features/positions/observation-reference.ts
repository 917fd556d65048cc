/**
 * The client's reference that a source was read under. Figures read under another reference are another taxpayer's, so they count nowhere
 * once the client's own reference is corrected, or its VAT number moves within a VAT group.
 */
import { clients, type ObservationKind } from '@portal/db/schema/schema.ts';
import { sql, type SQL } from '@portal/db/sql.ts';

const REFERENCES = {
  vat_obligations: 'vrn',
  vat_liabilities: 'vrn',
  vat_payments: 'vrn',
  vat_penalties: 'vrn',
  vat_information: 'vrn',
  vat_returns: 'vrn',
  sa_balance: 'nino',
  sa_payments: 'nino',
  sa_obligations: 'nino',
  paye_statement: 'payeReference',
  ct_statement: 'utr',
  companies_house_profile: 'companyNumber',
  companies_house_people: 'companyNumber',
} as const satisfies Record<ObservationKind, keyof typeof clients.$inferSelect>;

export type References = Pick<typeof clients.$inferSelect, (typeof REFERENCES)[ObservationKind]>;

/** Returns the reference that a source of this kind is read under. */
export const getReference = (kind: ObservationKind, references: References): string | null => references[REFERENCES[kind]];

/** The columns of `References`, for a select. */
export const REFERENCE_COLUMNS = {
  vrn: clients.vrn,
  nino: clients.nino,
  utr: clients.utr,
  payeReference: clients.payeReference,
  companyNumber: clients.companyNumber,
} as const;

/** Returns the column of `clients` with the reference that a source of this kind is read under. */
export const getReferenceColumn = (kind: ObservationKind) => REFERENCE_COLUMNS[REFERENCES[kind]];

/**
 * Returns the condition that the observation was read under the client's present reference. One without a reference dates from when the
 * client had none. `client` and `observation` are the aliases of the two tables.
 */
export function isOfPresentReference(client: string, observation: string, kinds: readonly ObservationKind[]): SQL {
  const [c, o] = [sql.raw(client), sql.raw(observation)];
  const cases = kinds.map((kind) => sql`when ${kind} then ${c}.${sql.identifier(getReferenceColumn(kind).name)}`);
  return sql`(${o}.reference is null or ${o}.reference = case ${o}.kind ${sql.join(cases, sql` `)} end)`;
}
