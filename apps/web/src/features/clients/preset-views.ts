/** The views that every practice has, and how to recognise which view a URL shows. */
import type { clientFilters } from '@portal/contract/client-filters.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { z } from 'zod/mini';
import { FILTER_NAMES } from './list-params.ts';

/** `query`: the filters as in the list's URL. */
type PresetView = { readonly name: string; readonly query: string };

type FilterTexts = Readonly<Partial<Record<keyof z.input<typeof clientFilters>, string>>>;

const toQuery = (filters: FilterTexts): string => new URLSearchParams(filters).toString();

/** Returns the query for a member's active clients. */
export const getMyWorkQuery = (userId: string): string => toQuery({ status: 'in_hand', member: userId });

/** A URL without filters shows a team member's own work, so the list of all their clients needs a filter with an empty value. */
const ALL_OF_MEMBER = 'status=';

/** Only admins see clients that aren't assigned to anyone. `userId`: undefined until known. */
export function listPresetViews(today: PlainDate, isAdmin: boolean, userId?: string): readonly PresetView[] {
  const myWorkViews = userId === undefined ? [] : [{ name: 'My work', query: getMyWorkQuery(userId) }];
  const allPreset = { name: 'All', query: isAdmin ? '' : ALL_OF_MEMBER };
  return [
    ...(isAdmin ? [allPreset, ...myWorkViews] : [...myWorkViews, allPreset]),
    { name: 'Overdue', query: toQuery({ status: 'in_hand', has: 'overdue_any' }) },
    { name: 'Due this week', query: toQuery({ status: 'in_hand', due_before: addDays(today, 7) }) },
    { name: 'Not authorised', query: toQuery({ status: 'in_hand', authorisation: 'missing' }) },
    ...(isAdmin ? [{ name: 'Unassigned', query: toQuery({ status: 'in_hand', member: 'none' }) }] : []),
    { name: 'Refunds', query: toQuery({ status: 'in_hand', has: 'refund' }) },
  ];
}

/** Returns whether a URL has no filters. */
export function hasNoFilter(search: URLSearchParams): boolean {
  return FILTER_NAMES.every((name) => !search.has(name));
}

/** Returns a comparable key for a URL's filters, leaving out the search text, which can narrow any view. */
export function toViewKey(search: URLSearchParams): string {
  return FILTER_NAMES.flatMap((name) => (name === 'q' || !search.get(name) ? [] : [`${name}=${search.get(name)}`])).join('&');
}
