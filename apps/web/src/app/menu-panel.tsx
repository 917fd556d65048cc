/** The open menu, shown in place of the page: slide-out, or full-screen on small screens (docs/product/specification.md section 2.6). */
import { tasksApi } from '@portal/contract/tasks.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { apiQuery } from '../lib/api.ts';
import { getSavedCompanyId } from '../lib/saved-company-id.ts';
import { Divider } from '../ui/divider.tsx';
import { HiddenText } from '../ui/hidden-text.tsx';
import { Icon } from '../ui/icon.tsx';
import { MenuScreen } from '../ui/menu-screen.tsx';
import { Text } from '../ui/text.tsx';
import { VerticalMenu } from '../ui/vertical-menu.tsx';
import { CentredSpinner } from './centred-spinner.tsx';
import { useLogOut } from './log-out.ts';
import { listMobileEntries, listNavigationEntries, listOtherEntries, listSlideOutEntries, type MenuContext } from './menu-entries.ts';
import { useMenu } from './menu-state.tsx';
import { MENU_ID } from './menu-state.tsx';
import { useSession } from '../core/session.tsx';
import styles from './menu-panel.module.css';

export function MenuPanel() {
  const menu = useMenu();
  const { session } = useSession();
  const { pathname, search } = useLocation();
  const logOut = useLogOut();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    panel.current?.focus({ preventScroll: true });
  }, []);
  const close = menu?.close;
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close?.();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [close]);
  // The same tasks as on the dashboard and /pending-tasks: a tick if there are none, otherwise their number.
  const tasks = useQuery({ ...apiQuery(tasksApi.list, {}), enabled: menu?.isSmall === true });
  if (menu === undefined) return null;
  const companyId = new URLSearchParams(search).get('company_id') || getSavedCompanyId();
  const facts: MenuContext = { pathname, search, session, companies: menu.companies, companyId, logOut };
  const entries = menu.isSmall ? listMobileEntries(facts, <TasksBadge count={tasks.data?.tasks.length} />) : listSlideOutEntries(facts);
  const navigationEntries = listNavigationEntries(facts, entries);
  return (
    <main id={MENU_ID} aria-label="Menu" tabIndex={-1} ref={panel} className={styles.panel}>
      {menu.isLoading ? (
        <CentredSpinner label="Loading the menu" />
      ) : (
        <div className={styles.entries}>
          <MenuScreen headingLevel={1} divided entries={entries} />
          {navigationEntries.length > 0 && (
            <div className={styles.navigation}>
              <Divider />
              <VerticalMenu label="Pages" entries={navigationEntries} />
            </div>
          )}
          <div className={styles.account}>
            <Divider />
            <VerticalMenu label="Your account" entries={listOtherEntries(facts)} />
          </div>
        </div>
      )}
    </main>
  );
}

function TasksBadge({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  if (count === 0) return <Icon name="checkCircle" tone="success" size={20} title="All done" />;
  return (
    <Text as="span" weight="bold" tone="primary">
      {count}
      <HiddenText> to do</HiddenText>
    </Text>
  );
}
