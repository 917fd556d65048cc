import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { getPageTitle } from '../lib/page-title.ts';
import { HiddenText } from '../ui/hidden-text.tsx';

/**
 * Announces the title of a new page to screen readers, while the page's heading takes the focus. The browser announces the first page
 * itself.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const [first] = useState(pathname);
  const [moves, setMoves] = useState(0);
  useEffect(() => {
    setMoves((moveCount) => (moveCount > 0 || pathname !== first ? moveCount + 1 : 0));
  }, [pathname, first]);
  // Use a new element each time: most pages share a title, and unchanged text isn't announced again.
  return <HiddenText role="status">{moves > 0 && <span key={moves}>{getPageTitle(pathname)}</span>}</HiddenText>;
}
