import type { ReactNode } from 'react';
import { AvatarLink } from './avatar-link.tsx';
import { Bar } from './bar.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { WebsiteLogo } from './website-logo.tsx';
import styles from '../shell.module.css';

type PractitionerHeaderBarProps = {
  fullName: string;
  /** The role in the account profile: `admin` has a dark avatar, other roles a lighter one. */
  role: string;
  /** OpenTax's settings. Undefined for external users, who have no navigation. */
  settingsPath: string | undefined;
  menu?: ReactNode;
  /** The user's notifications. */
  bell?: ReactNode;
};

/** OpenTax's header for practitioners (docs/product/specification.md section 2.6). The avatar links to the settings. */
export function PractitionerHeaderBar({ fullName, role, settingsPath, menu, bell }: PractitionerHeaderBarProps) {
  return (
    <Bar>
      <WebsiteLogo />
      <MainNavigation />
      <div className={styles.end}>
        {bell}
        {menu}
        {settingsPath !== undefined && (
          <AvatarLink name={fullName} to={settingsPath} destination="your settings" tone={role === 'admin' ? 'dark' : 'light'} />
        )}
      </div>
    </Bar>
  );
}
