/** Removes a secret from the page's URL at once, so that no history, screenshot or third-party script that reads URLs gets it. */
import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** The secret from the URL, later from the history entry's state, so that it survives a reload. "" if there is none. */
export function useSecretInAddress(name: string): string {
  const [search] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const inAddress = search.get(name);
  useEffect(() => {
    if (inAddress === null) return;
    const rest = new URLSearchParams(search);
    rest.delete(name);
    void navigate({ pathname, search: rest.toString() }, { replace: true, state: { [name]: inAddress } });
  }, [inAddress, name, navigate, pathname, search]);
  return inAddress ?? keptIn(state, name);
}

function keptIn(state: unknown, name: string): string {
  if (state === null || typeof state !== 'object' || !Object.hasOwn(state, name)) return '';
  const kept: unknown = (state as Record<string, unknown>)[name];
  return typeof kept === 'string' ? kept : '';
}
