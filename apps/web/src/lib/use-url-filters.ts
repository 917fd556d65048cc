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
  const show = (next: URLSearchParams): void => setSearch(next, { replace: true, preventScrollReset: true });
  /** Another filter starts at the first page. */
  const change = (changes: Readonly<Partial<Record<Name | 'page', string | undefined>>>): void => {
    const next = new URLSearchParams(search);
    next.delete('page');
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, String(value));
    }
    show(next);
  };
  const clear = (): void => {
    const next = new URLSearchParams(search);
    for (const name of [...names, 'page']) next.delete(name);
    show(next);
  };
  return { filters, change, clear, page: Math.max(1, Number(search.get('page') ?? 1) || 1) };
}
