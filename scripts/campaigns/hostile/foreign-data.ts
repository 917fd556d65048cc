/** Tracks which id belongs to which tenant, learnt from each tenant's own responses, to detect data leaked to another tenant. */
import { pick, type RandomSource } from '../../chaos/random.ts';
import type { Foreign } from './call.ts';
import type { Tenant } from './campaign-record.ts';

const IDS = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
/** `"advance_id":"5b0c..."` */
const NAMED_IDS = /"(\w*_id|id)":"([\da-f]{8}-[\da-f-]{27})"/g;
const MARKERS = /mk[a-z]{10}/g;
/** Enough ids to choose from. */
const MAX_IDS = 400;
const REQUEST_ID = /"request_id":"[^"]*"/g;

export type ForeignData = ReturnType<typeof createForeignData>;

export function createMarker(random: RandomSource): string {
  return `mk${Array.from({ length: 10 }, () => pick(random, [...'bcdfghjklmnpqrstvwxz'])).join('')}`;
}

export function createForeignData() {
  const owners = new Map<string, Tenant>();
  const byField = new Map<string, { readonly owner: Tenant; readonly id: string }[]>();
  const sessions: { readonly owner: Tenant; readonly token: string }[] = [];
  return {
    /** Learns the ids in a response to a valid call. An id that two tenants see (a partner's or a default's) belongs to neither. */
    learn(owner: Tenant, text: string): void {
      for (const [, field = '', id = ''] of text.matchAll(NAMED_IDS)) {
        if (owners.has(id)) continue;
        owners.set(id, owner);
        const known = byField.get(field) ?? [];
        known.push({ owner, id });
        if (known.length > MAX_IDS) known.shift();
        byField.set(field, known);
      }
    },
    /**
     * Some ids are chosen by the caller (for a note or an adjustment). Once another tenant has also used one, it no longer proves anything.
     */
    disown(request: string): void {
      for (const [id] of request.matchAll(IDS)) {
        owners.delete(id);
        for (const [field, known] of byField)
          byField.set(
            field,
            known.filter((item) => item.id !== id),
          );
      }
    },
    learnSession(owner: Tenant, token: string): void {
      sessions.push({ owner, token });
      if (sessions.length > MAX_IDS) sessions.shift();
    },
    /** Returns any text in a response that belongs to another tenant, apart from the content of the request itself. */
    findForeign(owner: Tenant, answer: string, request: string): string | undefined {
      const text = answer.replaceAll(REQUEST_ID, '');
      for (const [marker] of text.matchAll(MARKERS)) if (marker !== owner.marker && !request.includes(marker)) return `marker ${marker}`;
      for (const [id] of text.matchAll(IDS)) {
        const known = owners.get(id);
        if (known !== undefined && known !== owner && !request.includes(id)) return `id ${id} of ${known.marker}`;
      }
      return undefined;
    },
    othersOf(owner: Tenant, random: RandomSource): Foreign {
      const choose = <Item extends { readonly owner: Tenant }>(items: readonly Item[]): Item | undefined => {
        const others = items.filter((item) => item.owner !== owner);
        return others.length === 0 ? undefined : pick(random, others);
      };
      return { id: (field) => choose(byField.get(field) ?? [])?.id, session: () => choose(sessions)?.token };
    },
  };
}
