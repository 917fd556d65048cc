import { useEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** Expands the rows and scrolls to them when a link to them is followed, even repeatedly. Going back keeps the scroll position. */
export function useOpenedByHash<RowsElement extends HTMLElement>(id: string, isLoaded: boolean): RefObject<RowsElement | null> {
  const rows = useRef<RowsElement>(null);
  const { hash, key } = useLocation();
  const isBackNavigation = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (hash !== `#${id}` || !rows.current) return;
    if (rows.current instanceof HTMLDetailsElement) rows.current.open = true;
    if (!isBackNavigation) rows.current.scrollIntoView();
  }, [hash, key, id, isLoaded, isBackNavigation]);
  return rows;
}
