/** Filters of a list in the URL, so that a filtered list can be shared. */
import { useSearchParams } from './search-params.ts';

export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  ) as Partial<Record<Name, string>>;
  /** Another filter starts at the first page. */
  const change = (changes: Readonly<Partial<Record<Name | 'page', string | undefined>>>): void => {
    const next = new URLSearchParams(search);
    next.delete('page');
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, String(value));
    }
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return { filters, change, page: Math.max(1, Number(search.get('page') ?? 1) || 1) };
}
