import { useLocation } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { useCompanyId } from '../../lib/company-id.ts';
import { Button } from '../../ui/button.tsx';
import { useLogOut } from '../log-out.ts';
import { isExternalUser } from '../navigation.ts';
import { getNavigation } from '../navigation-links.ts';
import { PaletteButton } from '../command-palette/palette-button.tsx';
import { CompanySwitcher } from './company-switcher.tsx';
import { NavigationBar } from './navigation-bar.tsx';
import styles from './navigation-bar.module.css';

/** The signed-in user's navigation, with logging out as a separate entry. Empty for visitors and external users. */
export function MainNavigation() {
  const { pathname, search } = useLocation();
  const { session } = useSession();
  const { companyId } = useCompanyId();
  const logOut = useLogOut();
  const navigation = isExternalUser(search) ? undefined : getNavigation(session, pathname, search, companyId);
  if (navigation === undefined) return null;
  return (
    <>
      <NavigationBar {...navigation} />
      {navigation.label === 'InstantVAT' && <CompanySwitcher companyId={companyId} />}
      <PaletteButton />
      <Button variant="text" size="small" onClick={logOut} className={styles.logOut}>
        Log out
      </Button>
    </>
  );
}
