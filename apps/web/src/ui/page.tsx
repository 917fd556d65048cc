import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { PageBody, type PageBodyProps } from './page-body.tsx';

/**
 * One screen: main landmark and heading. On a route change, the heading receives the focus, so that screen readers announce the new page.
 */
export function Page(props: PageBodyProps) {
  const { pathname } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnRouteChange(heading, pathname);
  return <PageBody {...props} heading={heading} />;
}

let lastPath: string | undefined;

function useFocusOnRouteChange(heading: { readonly current: HTMLElement | null }, pathname: string): void {
  const navigationType = useNavigationType();
  useEffect(() => {
    // Don't move the focus on the first page: it should start at the top of the document.
    if (lastPath !== undefined && lastPath !== pathname) {
      // When going back, the shell restores the scroll position.
      if (navigationType !== 'POP') window.scrollTo(0, 0);
      if (!isInDialog(document.activeElement)) heading.current?.focus({ preventScroll: true });
    }
    lastPath = pathname;
  }, [heading, pathname, navigationType]);
}

/** A dialog that was opened while the page was loading, such as the command palette, keeps the focus. */
const isInDialog = (element: Element | null): boolean => element !== null && element.closest('[role=dialog], [role=alertdialog]') !== null;
