/**
 * A link to a page of the app. React Router's own `Link` includes prefetching and server rendering, which we don't use but every page would
 * load.
 */
import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { createPath, useHref, useLocation, useNavigate, useResolvedPath, type To } from 'react-router';

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: To;
  replace?: boolean | undefined;
  state?: unknown;
  /** Keeps the scroll position, for links that change only part of the page. */
  preventScrollReset?: boolean | undefined;
  /** Set for pages that are separate documents. */
  reloadDocument?: boolean | undefined;
  ref?: Ref<HTMLAnchorElement> | undefined;
};

export function Link({ to, replace, state, preventScrollReset, reloadDocument = false, onClick, children, ...anchor }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  // A link to the current URL doesn't add a history entry.
  const isCurrentPage = createPath(useLocation()) === createPath(useResolvedPath(to));
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || reloadDocument || isHandledByBrowser(event, anchor.target)) return;
    event.preventDefault();
    void navigate(to, { replace: replace ?? isCurrentPage, state, preventScrollReset: preventScrollReset ?? false });
  };
  return (
    <a {...anchor} href={href} onClick={follow}>
      {children}
    </a>
  );
}

/** Returns whether to leave the click to the browser, to open a new tab or window or to save the link. */
function isHandledByBrowser({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent, target: string | undefined): boolean {
  return button !== 0 || metaKey || altKey || ctrlKey || shiftKey || (target !== undefined && target !== '_self');
}
