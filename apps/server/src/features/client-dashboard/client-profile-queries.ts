import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, clients } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getFiguresState, hasAmounts, listUnreadTaxes } from '@portal/domain/positions/figures-state.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { and, eq } from '@portal/db/sql.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { findGroupOfClient } from '../client-groups/find-group-of-client.ts';
import { findVatGroup } from '../vat-groups/find-vat-group.ts';

type ProfileScope = { readonly companyId: string; readonly clientId: string; readonly actor: Actor };

/** Returns the client with its list row. Throws notFound for an unknown client. */
export async function getProfile(db: Db, { companyId, clientId, actor }: ProfileScope, today: PlainDate) {
  const [foundProfile] = await db
    .select({ client: clients, row: clientRows })
    .from(clients)
    .innerJoin(clientRows, and(eq(clientRows.companyId, clients.companyId), eq(clientRows.clientId, clients.id)))
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  if (!foundProfile) throw createNotFoundError();
  const { client, row } = foundProfile;
  const hasTax = { vat: client.hasVat, paye: client.hasPaye, ct: client.hasCt, sa: client.hasSa };
  const taxes = TAXES.filter((tax) => hasTax[tax]);
  const state = getFiguresState({ taxes, readTaxes: row.readTaxes, staleOn: row.staleOn }, today);
  const isKnown = hasAmounts(state);
  return {
    client_id: client.id,
    full_name: client.name,
    kind: client.kind,
    status: client.status,
    taxes,
    vrn: client.vrn,
    utr: client.utr,
    nino: client.nino,
    company_number: client.companyNumber,
    paye_reference: client.payeReference,
    accounts_office_reference: client.accountsOfficeReference,
    postcode: client.postcode,
    email: client.email,
    phone: client.phone,
    client_code: client.clientCode,
    year_end_on: client.yearEndOn,
    year_end_source: client.yearEndSource,
    register_status: client.registerStatus,
    register_read_at: client.registerReadAt,
    members: [...row.members],
    tags: [...client.tags],
    group: await findGroupOfClient(db, companyId, clientId),
    vat_group: await findVatGroup(db, client, actor),
    attention: row.attention,
    next_due_on: row.nextDueOn === NEVER_DUE ? null : row.nextDueOn,
    next_due_tax: row.nextDueTax,
    next_due_what: row.nextDueWhat,
    next_due_pence: row.nextDuePence,
    owed_pence: isKnown ? row.owedPence : null,
    overdue_pence: isKnown ? row.overduePence : null,
    refund_pence: isKnown ? row.refundPence : null,
    figures_state: state,
    unread_taxes: listUnreadTaxes(taxes, row.readTaxes),
    refresh_failed: row.refreshFailed,
    as_of: row.asOf,
    today,
  };
}

type Profile = Awaited<ReturnType<typeof getProfile>>;

/** Removes the practice's own assessments of a client and its other clients, which the client's users must not see. */
export function hidePracticeFacts(profile: Profile): Profile {
  return { ...profile, status: 'active', client_code: null, members: [], tags: [], group: null, attention: 'none', vat_group: null };
}
