/** Decides whether an import row is an existing client, a new one or ambiguous. */
import type { ClientReference, ImportedClient } from './imported-client.ts';
import { CLIENT_REFERENCES } from './imported-client.ts';
import { toRowOfMember } from './stated-groups.ts';
import { hasDifferentReference, hasSameName, isShareable, toNameKey, type SharedReference } from './shared-references.ts';

/** The details of an existing client that are needed for matching. */
export type KnownClient = Readonly<Record<ClientReference, string | null>> & {
  readonly id: string;
  readonly name: string;
  readonly postcode: string | null;
  /** The VAT number of the group that a member belongs to. */
  readonly vat_group_vrn: string | null;
  /** True if it's a member of a VAT group but not the representative member, so it holds no VAT number. */
  readonly isMember?: boolean;
  /** True if it's known to be the representative member of a VAT group. */
  readonly isRepresentative: boolean;
  /** True if this import created the client, so that a row with another name is a different client. */
  readonly isFromThisFile?: boolean;
};

/** What a match is based on: references, or the name together with the postcode or the number of the client's VAT group. */
export const MATCHED_BY = [...CLIENT_REFERENCES, 'name_and_postcode', 'name_and_vat_group'] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/**
 * - `new`, `matched` (with the matching client and all matching details): the row can be imported, without the references that another
 * client holds (`shared`).
 * - `duplicate`: an earlier row of this file (`row`) is the same taxpayer. `ambiguous`: the references belong to different clients
 * (`candidates`).
 */
export type Match =
  | { readonly outcome: 'new'; readonly shared?: readonly SharedReference[] }
  | {
      readonly outcome: 'matched';
      readonly clientId: string;
      readonly by: readonly MatchedBy[];
      readonly shared?: readonly SharedReference[];
    }
  | { readonly outcome: 'duplicate'; readonly row: number; readonly field: string; readonly problem: string }
  | { readonly outcome: 'ambiguous'; readonly field: string; readonly problem: string; readonly candidates: readonly string[] };

/** Matches a file's rows in order: by references first, then by name and postcode together (docs/product/decisions.md section 5). */
export function createMatcher(knownClients: readonly KnownClient[]): (client: ImportedClient, row: number) => Match {
  const byReference = new Map<string, KnownClient>();
  const clientsByNamePostcode = new Map<string, KnownClient[]>();
  const membersByGroup = Map.groupBy(
    knownClients.filter(({ vat_group_vrn: vrn }) => vrn !== null),
    ({ vat_group_vrn: vrn }) => vrn,
  );
  const rowByKey = new Map<string, { readonly row: number; readonly client: ImportedClient; readonly clientId: string | undefined }>();
  for (const client of knownClients) {
    for (const key of listReferenceKeys(client)) byReference.set(key, client);
    const namePostcodeKey = getNamePostcodeKey(client);
    if (namePostcodeKey !== undefined)
      clientsByNamePostcode.set(namePostcodeKey, [...(clientsByNamePostcode.get(namePostcodeKey) ?? []), client]);
  }
  const memberIds = new Set(knownClients.flatMap(({ id, isMember }) => (isMember === true ? [id] : [])));
  return (read, row) => {
    const match = findMatch(read);
    if (match.outcome === 'ambiguous') return match;
    const clientId = match.outcome === 'matched' ? match.clientId : undefined;
    const client = clientId !== undefined && memberIds.has(clientId) ? toRowOfMember(read) : read;
    const keys = [...listReferenceKeys(client), ...toList(getNamePostcodeKey(client)), ...toList(getNameGroupKey(client))];
    const earlierRows = keys.flatMap((key) => toList(rowByKey.get(key)).map((found) => ({ ...found, key })));
    const sharedReferences: SharedReference[] = [];
    for (const { key, ...earlierClient } of earlierRows) {
      const field = key.slice(0, key.indexOf(':'));
      const isOther =
        isShareable(field) && (!hasSameName(client, earlierClient.client) || hasDifferentReference(client, earlierClient.client));
      // Two rows can't both be the same existing client.
      if (!isOther || (clientId !== undefined && clientId === earlierClient.clientId)) return createDuplicateMatch(earlierClient.row, key);
      const isRepresentative = field === 'vrn' && earlierClient.client.vat_group_role === 'representative';
      sharedReferences.push({ field, holder: `${earlierClient.client.name} (line ${earlierClient.row})`, isRepresentative });
    }
    for (const key of keys) if (!rowByKey.has(key)) rowByKey.set(key, { row, client, clientId });
    return addSharedReferences(match, sharedReferences);
  };

  function findMatch(client: ImportedClient): FoundMatch {
    const holders = CLIENT_REFERENCES.flatMap((field) =>
      toList(client[field] === null ? undefined : byReference.get(`${field}:${client[field]}`)).map((holder) => ({ field, holder })),
    );
    const ownHolders = holders.filter(({ field }) => !isShareable(field)).map(({ holder }) => holder);
    const namesakes = clientsByNamePostcode.get(getNamePostcodeKey(client) ?? '') ?? [];
    const groupVrn = client.vrn ?? client.vat_group_vrn;
    const groupMembers = (membersByGroup.get(groupVrn) ?? []).filter((found) => hasSameName(client, found));
    const namesake = [...ownHolders, ...namesakes, ...groupMembers].find((found) => hasSameName(client, found));
    const isShared = (field: ClientReference, holder: KnownClient): boolean =>
      isShareable(field) && !ownHolders.includes(holder) && isDifferentTaxpayer(client, holder, namesake);
    const sharedReferences = holders.flatMap(({ field, holder }) =>
      isShareable(field) && isShared(field, holder)
        ? [{ field, holder: holder.name, isRepresentative: field === 'vrn' && holder.isRepresentative }]
        : [],
    );
    const distinctClients = [...new Set(holders.filter(({ field, holder }) => !isShared(field, holder)).map(({ holder }) => holder))];
    const [first, second] = distinctClients;
    if (first && second) {
      return createAmbiguousMatch(
        'name',
        `${describeMatch(client, first)} matches ${first.name}, but ${lowerCaseFirst(describeMatch(client, second))} matches ${second.name}. Choose the right client.`,
        distinctClients,
      );
    }
    if (first) return addSharedReferences(confirmMatch(client, first), sharedReferences);
    if (namesakes.length > 1)
      return createAmbiguousMatch('name', `${namesakes.length} clients have this name and postcode. Choose the right one.`, namesakes);
    const namedClient = namesakes[0] ?? groupMembers[0];
    return addSharedReferences(namedClient ? confirmMatch(client, namedClient) : { outcome: 'new' }, sharedReferences);
  }
}

/**
 * Decides whether the client that holds a row's VAT number or PAYE reference is a different one: its name and another reference differ, the
 * name differs within the same file, or the row's name matches an existing client (`ownClient`).
 */
function isDifferentTaxpayer(client: ImportedClient, holder: KnownClient, ownClient: KnownClient | undefined): boolean {
  if (hasSameName(client, holder)) return false;
  return hasDifferentReference(client, holder) || holder.isFromThisFile === true || (ownClient !== undefined && ownClient !== holder);
}

type FoundMatch = Exclude<Match, { outcome: 'duplicate' }>;

/** Returns the references that another client holds. */
export function listSharedReferences(match: Match): readonly SharedReference[] {
  return match.outcome === 'new' || match.outcome === 'matched' ? (match.shared ?? []) : [];
}

/** Adds references that another client holds, without duplicates. */
function addSharedReferences(match: FoundMatch, sharedReferences: readonly SharedReference[]): FoundMatch {
  if (match.outcome === 'ambiguous') return match;
  const sharedMatches = match.shared ?? [];
  const allMatches = [...sharedMatches, ...sharedReferences.filter(({ field }) => !sharedMatches.some((one) => one.field === field))];
  return allMatches.length === 0 ? match : { ...match, shared: allMatches };
}

/**
 * Rejects a match if another reference differs, because that would merge two taxpayers. A VAT number or PAYE reference alone isn't enough
 * either if the name differs and the row has a reference that the client lacks: it may be another member of a VAT group.
 */
function confirmMatch(client: ImportedClient, foundClient: KnownClient): FoundMatch {
  const field = CLIENT_REFERENCES.find((name) => client[name] !== null && foundClient[name] !== null && client[name] !== foundClient[name]);
  if (field === undefined) {
    const by = listMatchedFields(client, foundClient);
    const addedReference = CLIENT_REFERENCES.find((name) => !isShareable(name) && client[name] !== null && foundClient[name] === null);
    // The representative member of a VAT group may have a new name, but another name can also be another member's.
    const isOtherMember = foundClient.isRepresentative && by.includes('vrn');
    if (!by.every(isShareable) || (addedReference === undefined && !isOtherMember) || hasSameName(client, foundClient)) {
      return { outcome: 'matched', clientId: foundClient.id, by };
    }
    if (addedReference === undefined) {
      const question = `${describeMatch(client, foundClient)} matches ${foundClient.name}, the representative member of a VAT group, but the name differs. Is it the same client, or another member (a new client)?`;
      return createAmbiguousMatch('name', question, [foundClient]);
    }
    const question = `${describeMatch(client, foundClient)} matches ${foundClient.name}, but the name differs, and that client has no ${REFERENCE_NAMES[addedReference]}. Is it the same client?`;
    return createAmbiguousMatch('name', question, [foundClient]);
  }
  const problem = `${describeMatch(client, foundClient)} matches ${foundClient.name}, but that client’s ${REFERENCE_NAMES[field]} is ${foundClient[field]}, not ${client[field]}. Is it the same client?`;
  return createAmbiguousMatch(field, problem, [foundClient]);
}

function listMatchedFields(client: ImportedClient, foundClient: KnownClient): readonly MatchedBy[] {
  const references = CLIENT_REFERENCES.filter((field) => client[field] !== null && client[field] === foundClient[field]);
  if (references.length > 0) return references;
  const key = getNamePostcodeKey(client);
  return [key !== undefined && key === getNamePostcodeKey(foundClient) ? 'name_and_postcode' : 'name_and_vat_group'];
}

/** How sentences refer to each reference. */
export const REFERENCE_NAMES: Readonly<Record<MatchedBy, string>> = {
  vrn: 'VAT number',
  utr: 'UTR',
  nino: 'National Insurance number',
  company_number: 'company number',
  paye_reference: 'PAYE reference',
  name_and_postcode: 'name and postcode',
  name_and_vat_group: 'name and VAT group',
};

/** Describes the match, for example "The company number 00445790". */
function describeMatch(client: ImportedClient, foundClient: KnownClient): string {
  const [first = 'name_and_postcode'] = listMatchedFields(client, foundClient);
  if (first === 'name_and_postcode' || first === 'name_and_vat_group') return `The ${REFERENCE_NAMES[first]}`;
  return `The ${REFERENCE_NAMES[first]} ${client[first]}`;
}

function lowerCaseFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function createDuplicateMatch(row: number, key: string): Extract<Match, { outcome: 'duplicate' }> {
  const field = CLIENT_REFERENCES.find((reference) => key.startsWith(`${reference}:`)) ?? 'name';
  const sharedName =
    field === 'name' ? REFERENCE_NAMES[key.startsWith('group:') ? 'name_and_vat_group' : 'name_and_postcode'] : REFERENCE_NAMES[field];
  return { outcome: 'duplicate', row, field, problem: `Line ${row} has the same ${sharedName}.` };
}

function createAmbiguousMatch(
  field: string,
  problem: string,
  candidates: readonly KnownClient[],
): Extract<Match, { outcome: 'ambiguous' }> {
  return { outcome: 'ambiguous', field, problem, candidates: candidates.map(({ id }) => id) };
}

function listReferenceKeys(client: Readonly<Record<ClientReference, string | null>>): string[] {
  return CLIENT_REFERENCES.flatMap((field) => (client[field] === null ? [] : [`${field}:${client[field]}`]));
}

/** Ignores letter case, punctuation and common endings: "Harlow Joinery Limited" equals "HARLOW JOINERY LTD". */
function getNamePostcodeKey({ name, postcode }: { readonly name: string; readonly postcode: string | null }): string | undefined {
  if (postcode === null) return undefined;
  const words = name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/\blimited\b/g, 'ltd')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return `name:${words}@${postcode.toLowerCase().replaceAll(' ', '')}`;
}

/** A member of a VAT group has its group's number, which it shares with the others. */
function getNameGroupKey({ name, vat_group_vrn: vrn }: ImportedClient): string | undefined {
  return vrn === null ? undefined : `group:${toNameKey(name)}@${vrn}`;
}

function toList<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}
