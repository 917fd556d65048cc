/**
 * A link to a page of the app. React Router's own `Link` has prefetching and server rendering in it, which we don't use and every page would
 * load.
 */
import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { createPath, useHref, useLocation, useNavigate, useResolvedPath, type To } from 'react-router';

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: To;
  replace?: boolean | undefined;
  state?: unknown;
  /** Keeps the scroll position, for links that change a part of the page. */
  preventScrollReset?: boolean | undefined;
  /** For pages that are separate documents. */
  reloadDocument?: boolean | undefined;
  ref?: Ref<HTMLAnchorElement> | undefined;
};

export function Link({ to, replace, state, preventScrollReset, reloadDocument = false, onClick, children, ...anchor }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  // A link to the current address doesn't add an entry to the history.
  const isHere = createPath(useLocation()) === createPath(useResolvedPath(to));
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || reloadDocument || isForBrowser(event, anchor.target)) return;
    event.preventDefault();
    void navigate(to, { replace: replace ?? isHere, state, preventScrollReset: preventScrollReset ?? false });
  };
  return (
    <a {...anchor} href={href} onClick={follow}>
      {children}
    </a>
  );
}

/** Whether the browser should follow the link itself: into a new tab or window, or to save it. */
function isForBrowser({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent, target: string | undefined): boolean {
  return button !== 0 || metaKey || altKey || ctrlKey || shiftKey || (target !== undefined && target !== '_self');
}
