/** Decides whether a row of an import is an existing client, a new one or ambiguous. */
import type { ClientReference, ImportedClient } from './imported-client.ts';
import { CLIENT_REFERENCES } from './imported-client.ts';

/** The details of an existing client that matching needs. */
export type KnownClient = Readonly<Record<ClientReference, string | null>> & {
  readonly id: string;
  readonly name: string;
  readonly postcode: string | null;
};

/**
 * - `new`, `matched` (with the client found): the row can be imported.
 * - `duplicate`: an earlier row of this file (`row`) is the same taxpayer. `ambiguous`: the references point to different clients
 *   (`candidates`).
 */
export type Match =
  | { readonly outcome: 'new' }
  | { readonly outcome: 'matched'; readonly clientId: string }
  | { readonly outcome: 'duplicate'; readonly row: number; readonly field: string }
  | { readonly outcome: 'ambiguous'; readonly field: string; readonly problem: string; readonly candidates: readonly string[] };

/** Matches the rows of one file in order: by references first, then by name and postcode together (docs/product/decisions.md section 5). */
export function createMatcher(known: readonly KnownClient[]): (client: ImportedClient, row: number) => Match {
  const byReference = new Map<string, KnownClient>();
  const byNamePlace = new Map<string, KnownClient[]>();
  const rowsTaken = new Map<string, number>();
  for (const client of known) {
    for (const key of referenceKeys(client)) byReference.set(key, client);
    const place = namePlaceKey(client);
    if (place !== undefined) byNamePlace.set(place, [...(byNamePlace.get(place) ?? []), client]);
  }
  return (client, row) => {
    const keys = [...referenceKeys(client), ...optional(namePlaceKey(client))];
    const match = judge(client);
    if (match.outcome === 'ambiguous') return match;
    const earlier = keys.find((key) => rowsTaken.has(key));
    if (earlier !== undefined) return { outcome: 'duplicate', row: rowsTaken.get(earlier) ?? 0, field: earlier.split(':')[0] ?? '' };
    for (const key of keys) rowsTaken.set(key, row);
    return match;
  };

  function judge(client: ImportedClient): Match {
    const found = CLIENT_REFERENCES.flatMap((field) =>
      optional(client[field] === null ? undefined : byReference.get(`${field}:${client[field]}`)),
    );
    const several = [...new Set(found)];
    const [first, second] = several;
    if (first && second) {
      return ambiguous('name', `Its references are those of two clients, ${first.name} and ${second.name}. Choose which it is.`, several);
    }
    if (first) return agreeing(client, first);
    const alike = byNamePlace.get(namePlaceKey(client) ?? '') ?? [];
    if (alike.length > 1) return ambiguous('name', `${alike.length} clients have this name and postcode. Choose which it is.`, alike);
    return alike[0] ? agreeing(client, alike[0]) : { outcome: 'new' };
  }
}

/** Rejects a match on one reference if another reference differs, because that would merge two taxpayers. */
function agreeing(client: ImportedClient, found: KnownClient): Match {
  const field = CLIENT_REFERENCES.find((name) => client[name] !== null && found[name] !== null && client[name] !== found[name]);
  if (field === undefined) return { outcome: 'matched', clientId: found.id };
  return ambiguous(field, `This looks like ${found.name}, which has another value here. Choose whether it is the same client.`, [found]);
}

function ambiguous(field: string, problem: string, candidates: readonly KnownClient[]): Match {
  return { outcome: 'ambiguous', field, problem, candidates: candidates.map(({ id }) => id) };
}

function referenceKeys(client: Readonly<Record<ClientReference, string | null>>): string[] {
  return CLIENT_REFERENCES.flatMap((field) => (client[field] === null ? [] : [`${field}:${client[field]}`]));
}

/** Ignores letter case, punctuation and common endings: "Harlow Joinery Limited" equals "HARLOW JOINERY LTD". */
function namePlaceKey({ name, postcode }: { readonly name: string; readonly postcode: string | null }): string | undefined {
  if (postcode === null) return undefined;
  const words = name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/\blimited\b/g, 'ltd')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return `name:${words}@${postcode.toLowerCase().replaceAll(' ', '')}`;
}

function optional<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}
