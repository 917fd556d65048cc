import { getInitials } from '../../lib/initials.ts';
import { DropdownMenu } from '../../ui/dropdown-menu.tsx';
import type { MenuEntry } from '../../ui/menu-entry.tsx';
import { Bar } from './bar.tsx';
import { InitialsAvatar } from './initials-avatar.tsx';
import { WebsiteLogo } from './website-logo.tsx';
import styles from '../shell.module.css';

type ClientsPortalHeaderProps = {
  fullName: string;
  /** Where the menu's entries link to. */
  paths: { readonly home: string; readonly profile: string; readonly notificationPreferences: string };
  onLogOut: () => void;
};

/** The header of the client portal: the logo and the client's initials with a menu (docs/product/specification.md section 2.6). */
export function ClientsPortalHeader({ fullName, paths, onLogOut }: ClientsPortalHeaderProps) {
  const initials = getInitials(fullName);
  const top: readonly MenuEntry[] = [
    { label: 'Home', to: paths.home },
    { label: 'Profile', to: paths.profile },
    { label: 'Notification Preferences', to: paths.notificationPreferences },
  ];
  return (
    <Bar>
      <WebsiteLogo />
      <div className={styles.end}>
        <DropdownMenu
          label={initials === '' ? 'Your menu' : `${initials}: your menu`}
          icon={<InitialsAvatar name={fullName} />}
          top={top}
          bottom={[{ label: 'Log Out', onChoose: onLogOut }]}
        />
      </div>
    </Bar>
  );
}
