import type { Db, Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { CLIENT_REFERENCES, type ClientReference, type ImportedClient } from '@portal/domain/client-imports/imported-client.ts';
import type { KnownClient } from '@portal/domain/client-imports/match-clients.ts';
import { isShareable, type SharedReference } from '@portal/domain/client-imports/shared-references.ts';
import { toRowOfMember } from '@portal/domain/client-imports/stated-groups.ts';
import { eq, sql } from '@portal/db/sql.ts';

/** Loads all clients of a practice, with the fields that matching needs. `importId` is the import whose rows are matched. */
export async function loadKnownClients(db: Db | Tx, companyId: string, importId?: string): Promise<KnownClient[]> {
  const rows = await db
    .select({
      id: clients.id,
      name: clients.name,
      postcode: clients.postcode,
      vrn: clients.vrn,
      vat_group_vrn: clients.vatGroupVrn,
      role: clients.vatGroupRole,
      utr: clients.utr,
      nino: clients.nino,
      company_number: clients.companyNumber,
      paye_reference: clients.payeReference,
      isFromThisFile:
        importId === undefined ? sql<boolean>`false` : sql<boolean>`${clients.importId} is not distinct from ${importId}::uuid`,
    })
    .from(clients)
    .where(eq(clients.companyId, companyId));
  const groupNumbers = new Set(rows.flatMap(({ vat_group_vrn: vrn }) => vrn ?? []));
  return rows.map(({ role, ...row }) => ({
    ...row,
    isMember: role === 'member',
    isRepresentative: role === 'representative' || (row.vrn !== null && groupNumbers.has(row.vrn)),
  }));
}

type References = Readonly<Record<ClientReference, string | null>>;
type Holder = { readonly id: string; readonly name: string; readonly isRepresentative: boolean };

/** Finds the client that holds each reference. A reference is unique within a practice. */
export class ReferenceHolders {
  readonly #holders = new Map<string, Holder>();
  readonly #memberIds: ReadonlySet<string>;

  constructor(knownClients: readonly KnownClient[]) {
    for (const client of knownClients) this.claim(client, client);
    this.#memberIds = new Set(knownClients.flatMap(({ id, isMember }) => (isMember === true ? [id] : [])));
  }

  /** The details as this client's. A member of a VAT group can't hold the group's number, which another row may bring. */
  toDetailsOf(id: string | undefined, client: ImportedClient): ImportedClient {
    return id !== undefined && this.#memberIds.has(id) ? toRowOfMember(client) : client;
  }

  findHolder(field: ClientReference, value: string | null): Holder | undefined {
    return value === null ? undefined : this.#holders.get(`${field}:${value}`);
  }

  /** Returns the fields whose reference belongs to a client other than the one with `ownId`. */
  findOtherHolders(client: References, ownId?: string): readonly { readonly field: ClientReference; readonly holder: Holder }[] {
    return CLIENT_REFERENCES.flatMap((field) => {
      const holder = this.findHolder(field, client[field]);
      return holder === undefined || holder.id === ownId ? [] : [{ field, holder }];
    });
  }

  /** Returns which of these references two clients can share. */
  listShared(client: References, ownId?: string): readonly SharedReference[] {
    return this.findOtherHolders(client, ownId).flatMap(({ field, holder }) =>
      isShareable(field) ? [{ field, holder: holder.name, isRepresentative: field === 'vrn' && holder.isRepresentative }] : [],
    );
  }

  claim(client: References, { id, name, isRepresentative }: Holder): void {
    const holder = { id, name, isRepresentative };
    for (const field of CLIENT_REFERENCES) if (client[field] !== null) this.#holders.set(`${field}:${client[field]}`, holder);
  }
}
