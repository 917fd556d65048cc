import { clientText } from '../../lib/client-texts/client-texts.ts';
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
    { label: clientText('menu.home'), to: paths.home },
    { label: clientText('menu.profile'), to: paths.profile },
    { label: clientText('menu.notifications'), to: paths.notificationPreferences },
  ];
  return (
    <Bar>
      <WebsiteLogo />
      <div className={styles.end}>
        <DropdownMenu
          label={initials === '' ? clientText('menu.label') : clientText('menu.label_of', { initials })}
          icon={<InitialsAvatar name={fullName} />}
          top={top}
          bottom={[{ label: clientText('menu.log_out'), onChoose: onLogOut }]}
        />
      </div>
    </Bar>
  );
}
