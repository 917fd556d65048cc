/** The open menu in place of the page: slide-out, or full-screen on small screens (docs/product/specification.md section 2.6). */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { getSavedCompanyId } from '../lib/saved-company-id.ts';
import { Divider } from '../ui/divider.tsx';
import { Icon } from '../ui/icon.tsx';
import { MenuScreen } from '../ui/menu-screen.tsx';
import { VerticalMenu } from '../ui/vertical-menu.tsx';
import { CentredSpinner } from './centred-spinner.tsx';
import { useLogOut } from './log-out.ts';
import { otherEntries, mobileEntries, slideOutEntries, type MenuContext } from './menu-entries.ts';
import styles from './menu-panel.module.css';
import { useMenu } from './menu-state.tsx';
import { MENU_ID } from './menu-state.tsx';
import { useSession } from '../core/session.tsx';

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
  if (menu === undefined) return null;
  const companyId = new URLSearchParams(search).get('company_id') || getSavedCompanyId();
  const facts: MenuContext = { pathname, search, session, companies: menu.companies, companyId, logOut };
  const tick = <Icon name="checkCircle" tone="success" size={20} />;
  return (
    <main
      id={MENU_ID}
      aria-label="Menu"
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') menu.close();
      }}
      className={styles.panel}
    >
      {menu.isLoading ? (
        <CentredSpinner label="Loading the menu" />
      ) : (
        <div className={styles.entries}>
          <MenuScreen headingLevel={1} divided entries={menu.isSmall ? mobileEntries(facts, tick) : slideOutEntries(facts)} />
          <div className={styles.account}>
            <Divider />
            <VerticalMenu label="Your account" entries={otherEntries(facts)} />
          </div>
        </div>
      )}
    </main>
  );
}
