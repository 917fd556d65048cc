/** Connects a new company's books with the permission that its owner gave when signing up (decision 70). */
import type { Tx } from '@portal/db/database.ts';
import { booksConnections, type GrantedOrganisation } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import { consumeBooksGrant } from '../identity/sign-up-books.ts';
import { createConnection, recordConnection } from './connect-books.ts';

type NewCompany = {
  readonly companyId: string;
  readonly userId: string;
  readonly vrn: string;
  /** The organisation that the user chose; null for none. */
  readonly organisationId: string | null | undefined;
  readonly ip: string;
};

/**
 * Always uses up the permission. Without a choice, connects the organisation with the company's VAT number, or a single organisation
 * without a VAT number; otherwise the user chooses later.
 */
export async function connectGrantedBooks(deps: AppDeps, tx: Tx, company: NewCompany): Promise<void> {
  const { companyId, userId, vrn, organisationId, ip } = company;
  const grant = await consumeBooksGrant(deps, tx, userId);
  if (!grant || organisationId === null || !deps.books[grant.provider]) return;
  const { provider, accessToken, refreshToken, accessExpiresAt: expiresAt } = grant;
  const matchingOrganisations = grant.organisations.filter(({ vatNumber }) => vatNumber === vrn);
  const matchingOrganisation =
    grant.organisations.find(({ id }) => id === organisationId) ??
    (matchingOrganisations.length === 1
      ? matchingOrganisations[0]
      : grant.organisations.length === 1
        ? omitAnotherBusiness(grant.organisations[0], vrn)
        : undefined);
  const organisations = grant.organisations.map(({ id, name, connection_id }) => ({ id, name, connection_id }));
  const chosenOrganisation = organisations.find(({ id }) => id === matchingOrganisation?.id);
  const tokens = { accessToken, refreshToken, expiresAt };
  const taxpayer = { companyId, practiceId: null };
  const connection = createConnection(deps, taxpayer, { userId, provider, tokens, organisations, chosen: chosenOrganisation });
  await tx.insert(booksConnections).values({ companyId, ...connection, connectedAt: deps.clock.now() });
  await recordConnection(deps, tx, taxpayer, { userId, provider, chosen: chosenOrganisation, ip });
}

/** Unless the user chose them, another business's books must not be read. */
function omitAnotherBusiness(organisation: GrantedOrganisation | undefined, vrn: string): GrantedOrganisation | undefined {
  return organisation?.vatNumber === null || organisation?.vatNumber === vrn ? organisation : undefined;
}
