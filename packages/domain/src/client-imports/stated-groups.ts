import type { ImportedClient } from './imported-client.ts';
import { hasSameName } from './shared-references.ts';

type FileRow = { readonly row: number; readonly client: ImportedClient | null };
type Holder = Pick<ImportedClient, 'vrn' | 'utr' | 'nino' | 'company_number' | 'paye_reference' | 'name'>;

/**
 * Makes a file's row a member if another row says that its client represents the VAT group with this number, wherever in the file that row
 * is. A number that another client of the practice holds stays a question.
 */
export function createGroupReader(
  rows: readonly FileRow[],
  knownClients: readonly Holder[],
): (client: ImportedClient, row: number) => ImportedClient {
  const representatives = new Map<string, { readonly row: number; readonly client: ImportedClient }>();
  for (const { row, client } of rows) {
    const isStated = client?.vat_group_role === 'representative' && client.vrn !== null;
    if (isStated && !representatives.has(client.vrn)) representatives.set(client.vrn, { row, client });
  }
  const holders = new Map(knownClients.flatMap((known) => (known.vrn === null ? [] : [[known.vrn, known] as const])));
  return (client, row) => {
    const representative = client.vrn === null ? undefined : representatives.get(client.vrn);
    if (client.vrn === null || client.vat_group_role !== null || representative === undefined) return client;
    const holder = holders.get(client.vrn);
    const isOther = representative.row !== row && !hasSameName(client, representative.client);
    if (!isOther || (holder && !hasSameName(holder, representative.client))) return client;
    return toMember(client, client.vrn);
  };
}

/** The row as one of a member of the group with this number, which has no VAT or number of its own. */
const toMember = (client: ImportedClient, vrn: string | null): ImportedClient => ({
  ...client,
  vrn: null,
  vat_group_role: 'member',
  vat_group_vrn: vrn,
  taxes: client.taxes.filter((tax) => tax !== 'vat'),
});

/** The row of a client that is known as a member: the number in it is its group's, so that the member holds no number. */
export function toRowOfMember(client: ImportedClient): ImportedClient {
  return client.vrn === null || client.vat_group_role === 'representative' ? client : toMember(client, client.vrn);
}
