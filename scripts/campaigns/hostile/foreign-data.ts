/** Tracks which id belongs to which tenant, learnt from each tenant's own responses, to detect data leaked to another tenant. */
import { pick, type RandomSource } from '../../chaos/random.ts';
import type { ForeignDataSource } from './call.ts';
import type { Tenant } from './campaign-record.ts';

const ID_PATTERN = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
/** `"advance_id":"5b0c..."` */
const NAMED_IDS = /"(\w*_id|id)":"([\da-f]{8}-[\da-f-]{27})"/g;
const MARKER_PATTERN = /mk[a-z]{10}/g;
/** Enough ids to choose from. */
const MAX_IDS = 400;
const REQUEST_ID = /"request_id":"[^"]*"/g;

export type ForeignData = ReturnType<typeof createForeignData>;

export function createMarker(random: RandomSource): string {
  return `mk${Array.from({ length: 10 }, () => pick(random, [...'bcdfghjklmnpqrstvwxz'])).join('')}`;
}

export function createForeignData() {
  const owners = new Map<string, Tenant>();
  const disownedIds = new Set<string>();
  const idsByField = new Map<string, { readonly owner: Tenant; readonly id: string }[]>();
  const sessions: { readonly owner: Tenant; readonly token: string }[] = [];
  return {
    /** Learns the ids in a response to a valid call. An id that two tenants see (a partner's or a default's) belongs to neither. */
    learn(owner: Tenant, text: string): void {
      for (const [, field = '', id = ''] of text.matchAll(NAMED_IDS)) {
        if (owners.has(id) || disownedIds.has(id)) continue;
        owners.set(id, owner);
        const knownOwners = idsByField.get(field) ?? [];
        knownOwners.push({ owner, id });
        if (knownOwners.length > MAX_IDS) knownOwners.shift();
        idsByField.set(field, knownOwners);
      }
    },
    /**
     * Some ids are chosen by the caller (for a note or an adjustment). Once another tenant has also used one, it no longer proves anything.
     */
    disown(request: string): void {
      for (const [id] of request.matchAll(ID_PATTERN)) {
        owners.delete(id);
        disownedIds.add(id);
        for (const [field, knownOwners] of idsByField)
          idsByField.set(
            field,
            knownOwners.filter((item) => item.id !== id),
          );
      }
    },
    learnSession(owner: Tenant, token: string): void {
      sessions.push({ owner, token });
      if (sessions.length > MAX_IDS) sessions.shift();
    },
    /** Returns any text in a response that belongs to another tenant, apart from the content of the request itself. */
    findForeign(owner: Tenant, responseText: string, request: string): string | undefined {
      const replyText = responseText.replaceAll(REQUEST_ID, '');
      for (const [marker] of replyText.matchAll(MARKER_PATTERN))
        if (marker !== owner.marker && !request.includes(marker)) return `marker ${marker}`;
      for (const [id] of replyText.matchAll(ID_PATTERN)) {
        const knownOwner = owners.get(id);
        if (knownOwner !== undefined && knownOwner !== owner && !request.includes(id)) return `id ${id} of ${knownOwner.marker}`;
      }
      return undefined;
    },
    othersOf(owner: Tenant, random: RandomSource): ForeignDataSource {
      const choose = <Item extends { readonly owner: Tenant }>(items: readonly Item[]): Item | undefined => {
        const foreignItems = items.filter((item) => item.owner !== owner);
        return foreignItems.length === 0 ? undefined : pick(random, foreignItems);
      };
      return { id: (field) => choose(idsByField.get(field) ?? [])?.id, session: () => choose(sessions)?.token };
    },
  };
}
