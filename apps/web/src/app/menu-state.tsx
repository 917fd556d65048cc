/** Stores whether the menu is open. Shared by the slide-out menu and the mobile layout's menu (docs/product/specification.md section 4). */
import { identityApi } from '@portal/contract/identity.ts';
import { findPage } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { apiQuery } from '../lib/api.ts';
import { useMediaQuery } from '../lib/use-media-query.ts';
import { getPageGate } from '../core/page-gate.ts';
import { isExternalUser, SMALL_SCREEN_BELOW_PX } from './navigation.ts';
import { useSession } from '../core/session.tsx';

/** The element that the button opens. The skip link points to it while the menu is open. */
export const MENU_ID = 'menu';

type MenuState = {
  /** Whether the header offers the menu: the user is (or may be) signed in and has navigation. */
  readonly isOffered: boolean;
  readonly isOpen: boolean;
  /** Whether the session or the companies are still loading. */
  readonly isLoading: boolean;
  readonly isSmall: boolean;
  /** How many companies the user has. Undefined until loaded, or if the list can't be loaded. */
  readonly companies: number | undefined;
  readonly toggle: () => void;
  readonly close: () => void;
};

const Context = createContext<MenuState | undefined>(undefined);

/** Returns the menu's state, or undefined where the menu isn't available, as in the demo. */
export const useMenu = (): MenuState | undefined => useContext(Context);

export function MenuProvider({ children }: { children: ReactNode }) {
  const { key, pathname, search } = useLocation();
  const { session } = useSession();
  const isSmall = useMediaQuery(`(max-width:${SMALL_SCREEN_BELOW_PX - 0.05}px)`);
  // The location where the menu was opened. It closes as soon as the location changes, in the same render as the new page.
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === key;
  useEffect(() => {
    if (openAt !== undefined && openAt !== key) setOpenAt(undefined);
  }, [openAt, key]);
  const list = useQuery({ ...apiQuery(identityApi.userCompanies, {}), enabled: isOpen && session.status === 'signed_in' });
  const isWaiting = ['hidden', 'waiting'].includes(getPageGate(findPage(pathname), pathname, session));
  const isLoading = isWaiting || (isOpen && list.isLoading);
  const isOffered = !isExternalUser(search) && (session.status === 'signed_in' || session.status === 'unknown');
  const ignoresToggle = isWaiting || (isSmall && isLoading);
  const toggle = useCallback(() => {
    if (!ignoresToggle) setOpenAt((at) => (at === key ? undefined : key));
  }, [ignoresToggle, key]);
  const close = useCallback(() => setOpenAt(undefined), []);
  const companies = list.data?.length;
  const state = useMemo(
    () => ({ isOffered, isOpen, isLoading, isSmall, companies, toggle, close }),
    [isOffered, isOpen, isLoading, isSmall, companies, toggle, close],
  );
  return <Context value={state}>{children}</Context>;
}
