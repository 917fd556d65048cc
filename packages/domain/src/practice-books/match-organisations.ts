/** Matches an organisation in a practice's bookkeeping software with one of its clients. See docs/decisions/0071-practice-books.md. */
import { parseCompanyNumber } from '../uk-tax/references/company-number.ts';

/** An organisation covered by the practice's authorisation. Numbers are as in the bookkeeping software; null if missing there. */
export type MatchableOrganisation = {
  readonly key: string;
  readonly name: string;
  readonly vatNumber: string | null;
  readonly companyNumber: string | null;
};

/** A client that isn't linked to an organisation yet. */
export type MatchableClient = {
  readonly id: string;
  readonly name: string;
  readonly vrn: string | null;
  readonly companyNumber: string | null;
};

export const MATCH_REASONS = ['vat_number', 'name_and_number', 'number', 'name'] as const;
/** A detail shared by an organisation and a client. `number`: the company number. */
export type MatchReason = (typeof MATCH_REASONS)[number];

export type MatchCandidate = {
  readonly clientId: string;
  readonly reason: MatchReason;
  /** Set if both have a VAT number, or both a company number, and they differ. */
  readonly conflict: 'vat_number' | 'company_number' | null;
};

/**
 * `sure`: a single client that doesn't match any other organisation. `review`: the user chooses between the candidates. `none`: nothing in
 * common.
 */
export type OrganisationMatch = { readonly kind: 'sure' | 'review' | 'none'; readonly candidates: readonly MatchCandidate[] };

const MATCH_STRENGTH: Readonly<Record<MatchReason, number>> = { vat_number: 3, name_and_number: 2, number: 1, name: 0 };
/** Reasons certain enough that no one has to check the details. */
const SURE_REASONS: ReadonlySet<MatchReason> = new Set(['vat_number', 'name_and_number']);

/** Matches by VAT number first, then by name and company number together. The user decides everything else. */
export function matchOrganisations(
  organisations: readonly MatchableOrganisation[],
  clients: readonly MatchableClient[],
): ReadonlyMap<string, OrganisationMatch> {
  const index = indexClients(clients);
  const candidates = new Map(organisations.map((organisation) => [organisation.key, findCandidates(organisation, index)]));
  const bestClientIds = [...candidates].flatMap(([, [first]]) => (first && SURE_REASONS.has(first.reason) ? [first.clientId] : []));
  const claims = Map.groupBy(bestClientIds, (clientId) => clientId);
  return new Map(
    [...candidates].map(([key, found]) => [key, { kind: decideMatch(found, (id) => claims.get(id)?.length ?? 0), candidates: found }]),
  );
}

/** Sure only if neither side has a second, equally good match. */
function decideMatch(found: readonly MatchCandidate[], countClaims: (clientId: string) => number): OrganisationMatch['kind'] {
  const [first, second] = found;
  if (first === undefined) return 'none';
  if (!SURE_REASONS.has(first.reason) || first.conflict !== null) return 'review';
  if (second && MATCH_STRENGTH[second.reason] === MATCH_STRENGTH[first.reason]) return 'review';
  return countClaims(first.clientId) > 1 ? 'review' : 'sure';
}

type ClientIndex = {
  readonly byVrn: ReadonlyMap<string, readonly MatchableClient[]>;
  readonly byNumber: ReadonlyMap<string, readonly MatchableClient[]>;
  readonly byName: ReadonlyMap<string, readonly MatchableClient[]>;
};

function indexClients(clients: readonly MatchableClient[]): ClientIndex {
  return {
    byVrn: groupClientsBy(clients, ({ vrn }) => toVatNumber(vrn)),
    byNumber: groupClientsBy(clients, ({ companyNumber }) => toCompanyNumber(companyNumber)),
    byName: groupClientsBy(clients, ({ name }) => toComparableName(name)),
  };
}

function groupClientsBy(clients: readonly MatchableClient[], toKey: (client: MatchableClient) => string | null) {
  const groups = new Map<string, MatchableClient[]>();
  for (const client of clients) {
    const key = toKey(client);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), client]);
  }
  return groups;
}

/** Returns the candidates, best first. */
function findCandidates(organisation: MatchableOrganisation, { byVrn, byNumber, byName }: ClientIndex): MatchCandidate[] {
  const vatNumber = toVatNumber(organisation.vatNumber);
  const companyNumber = toCompanyNumber(organisation.companyNumber);
  const name = toComparableName(organisation.name);
  const candidatesById = new Map<string, MatchCandidate>();
  const add = (client: MatchableClient, reason: MatchReason): void => {
    if (candidatesById.has(client.id)) return;
    const hasVatConflict = areBothKnownAndDifferent(vatNumber, toVatNumber(client.vrn));
    const hasNumberConflict = areBothKnownAndDifferent(companyNumber, toCompanyNumber(client.companyNumber));
    candidatesById.set(client.id, {
      clientId: client.id,
      reason,
      conflict: hasVatConflict ? 'vat_number' : hasNumberConflict ? 'company_number' : null,
    });
  };
  const numberMatches = companyNumber === null ? [] : (byNumber.get(companyNumber) ?? []);
  const nameMatches = name === null ? [] : (byName.get(name) ?? []);
  for (const client of vatNumber === null ? [] : (byVrn.get(vatNumber) ?? [])) add(client, 'vat_number');
  for (const client of numberMatches) if (nameMatches.includes(client)) add(client, 'name_and_number');
  for (const client of numberMatches) add(client, 'number');
  for (const client of nameMatches) add(client, 'name');
  return [...candidatesById.values()];
}

function areBothKnownAndDifferent(item: string | null, other: string | null): boolean {
  return item !== null && other !== null && item !== other;
}

/** Returns nine digits, without "GB" and spaces; null if it isn't a VAT number. */
function toVatNumber(text: string | null): string | null {
  const digits = (text ?? '').replaceAll(/\D/g, '');
  // Branches of one registration have three extra digits at the end.
  return digits.length === 9 || digits.length === 12 ? digits.slice(0, 9) : null;
}

function toCompanyNumber(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const parsed = parseCompanyNumber(text);
  return parsed.ok ? parsed.value : null;
}

const LEGAL_FORMS = /\b(limited|ltd|plc|public limited company|llp|limited liability partnership|lp|cic|cyf|cyfyngedig)\b/g;

/**
 * Converts a name to lower case and removes accents, punctuation, legal form and "the": "The Café & Sons Ltd." becomes "cafe and sons".
 * Null if nothing is left.
 */
export function toComparableName(name: string): string | null {
  const plainName = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\bt a\b.*$/g, ' ')
    .replaceAll(LEGAL_FORMS, ' ')
    .replace(/^\s*the /, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plainName === '' ? null : plainName;
}
