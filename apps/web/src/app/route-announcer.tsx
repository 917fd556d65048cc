import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { pageTitle } from '../lib/page-title.ts';
import { HiddenText } from '../ui/hidden-text.tsx';

/** Says the title of the page that a person came to; the page's heading, which takes the focus, says which one it is. Nothing at the first page: the browser says that. */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const [first] = useState(pathname);
  const [moves, setMoves] = useState(0);
  useEffect(() => {
    setMoves((before) => (before > 0 || pathname !== first ? before + 1 : 0));
  }, [pathname, first]);
  // A new element each time, because most pages share one title and the same words twice are said once.
  return <HiddenText role="status">{moves > 0 && <span key={moves}>{pageTitle(pathname)}</span>}</HiddenText>;
}
