/** The open menu in place of the page: slide-out, or full-screen on small screens (docs/product/specification.md section 2.6). */
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import { keyframes } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { getSavedCompanyId } from '../lib/company-id.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuScreen } from '../ui/menu-screen.tsx';
import { VerticalMenu } from '../ui/vertical-menu.tsx';
import { CentredSpinner } from './centred-spinner.tsx';
import { useLogOut } from './log-out.ts';
import { otherEntries, mobileEntries, slideOutEntries, type MenuContext } from './menu-entries.ts';
import { useMenu } from './menu-state.tsx';
import { MENU_ID } from './menu-state.tsx';
import { useSession } from '../core/session.tsx';

const slideIn = keyframes({ from: { transform: 'translateX(48px)', opacity: 0 }, to: { transform: 'none', opacity: 1 } });

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
  const tick = <Icon name="checkCircle" sx={{ color: 'success.tone', fontSize: 20 }} />;
  return (
    <Box
      component="main"
      id={MENU_ID}
      aria-label="Menu"
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') menu.close();
      }}
      sx={{ flex: 1, display: 'flex', flexDirection: 'column', overflowX: 'clip' }}
    >
      {menu.isLoading ? (
        <CentredSpinner label="Loading the menu" />
      ) : (
        <Box sx={{ py: { xs: 1, sm: 3 }, animation: `${slideIn} 300ms ease-out` }}>
          <MenuScreen headingLevel={1} divided entries={menu.isSmall ? mobileEntries(facts, tick) : slideOutEntries(facts)} />
          <Box sx={{ maxWidth: 300, mx: 'auto' }}>
            <Divider />
            <VerticalMenu label="Your account" entries={otherEntries(facts)} />
          </Box>
        </Box>
      )}
    </Box>
  );
}
