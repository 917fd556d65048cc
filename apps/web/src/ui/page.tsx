import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { pageTitle } from '../lib/page-title.ts';
import { PageBody, type PageBodyProps } from './page-body.tsx';

/** One screen: window title, main landmark, heading. The heading takes the focus when the route changes, so that a screen reader says where one is. */
export function Page(props: PageBodyProps) {
  const { pathname } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = pageTitle(pathname);
  }, [pathname]);
  useFocusOnRouteChange(heading, pathname);
  return <PageBody {...props} heading={heading} />;
}

let lastPath: string | undefined;

function useFocusOnRouteChange(heading: { readonly current: HTMLElement | null }, pathname: string): void {
  const navigationType = useNavigationType();
  useEffect(() => {
    // Not on the first page: there the browser's own start of the document is right.
    if (lastPath !== undefined && lastPath !== pathname) {
      // Going back leads to where one had scrolled: the shell restores it.
      if (navigationType !== 'POP') window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    lastPath = pathname;
  }, [heading, pathname, navigationType]);
}
