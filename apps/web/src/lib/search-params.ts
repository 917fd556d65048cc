import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, type NavigateOptions } from 'react-router';

type Next = URLSearchParams | Readonly<Record<string, string>>;
type SetSearchParams = (next: Next | ((current: URLSearchParams) => Next), options?: NavigateOptions) => void;

/**
 * The query of the current address, and a function that replaces it. React Router's own comes with its `Link` (ui/link.tsx).
 * A function as `next` starts from the query last set, also while the page with it is still being rendered: two filters chosen in quick
 * succession both count.
 */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set: SetSearchParams = (next, options) => {
    const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(latest.current)) : next);
    latest.current = `?${query}`;
    void navigate(`?${query}`, options);
  };
  return [params, set];
}

/** A copy of the search parameters with some of them changed. Undefined removes one. */
export function changeSearchParams(search: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
