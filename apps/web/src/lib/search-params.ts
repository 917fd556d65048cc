import { useMemo } from 'react';
import { useLocation, useNavigate, type NavigateOptions } from 'react-router';

type Next = URLSearchParams | Readonly<Record<string, string>>;
type SetSearchParams = (next: Next | ((current: URLSearchParams) => Next), options?: NavigateOptions) => void;

/** The query of the current address, and a function that replaces it. React Router's own comes with its `Link` (ui/link.tsx). */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set: SetSearchParams = (next, options) => {
    const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(search)) : next);
    void navigate(`?${query}`, options);
  };
  return [params, set];
}
