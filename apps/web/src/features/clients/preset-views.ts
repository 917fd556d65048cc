/** The views that every practice has, and which view a list's address is. */
import type { clientFilters } from '@portal/contract/client-filters.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { z } from 'zod/mini';
import { FILTER_NAMES } from './list-params.ts';

/** `query`: the filters as in the address of the list. */
type PresetView = { readonly name: string; readonly query: string };

type FilterTexts = Readonly<Partial<Record<keyof z.input<typeof clientFilters>, string>>>;

const toQuery = (filters: FilterTexts): string => new URLSearchParams(filters).toString();

/** The active clients of a member. */
export const toMyWork = (userId: string): string => toQuery({ status: 'in_hand', member: userId });

/** An address without filters is a team member's own work, so their list of all clients has a filter without a value. */
const ALL_OF_MEMBER = 'status=';

/** Only admins see clients without an assigned member. `userId`: undefined until known. */
export function listPresetViews(today: PlainDate, isAdmin: boolean, userId?: string): readonly PresetView[] {
  const myWork = userId === undefined ? [] : [{ name: 'My work', query: toMyWork(userId) }];
  const all = { name: 'All', query: isAdmin ? '' : ALL_OF_MEMBER };
  return [
    ...(isAdmin ? [all, ...myWork] : [...myWork, all]),
    { name: 'Overdue', query: toQuery({ status: 'in_hand', has: 'overdue_any' }) },
    { name: 'Due this week', query: toQuery({ status: 'in_hand', due_before: addDays(today, 7) }) },
    { name: 'Not authorised', query: toQuery({ status: 'in_hand', authorisation: 'missing' }) },
    ...(isAdmin ? [{ name: 'Unassigned', query: toQuery({ status: 'in_hand', member: 'none' }) }] : []),
    { name: 'Refunds', query: toQuery({ status: 'in_hand', has: 'refund' }) },
  ];
}

/** Whether an address says nothing about which clients to list. */
export function hasNoFilter(search: URLSearchParams): boolean {
  return FILTER_NAMES.every((name) => !search.has(name));
}

/** The filters of an address without the search text, which narrows any view, in a form to compare. */
export function toViewKey(search: URLSearchParams): string {
  return FILTER_NAMES.flatMap((name) => (name === 'q' || !search.get(name) ? [] : [`${name}=${search.get(name)}`])).join('&');
}
