import type { ReactNode } from 'react';
import { AvatarLink } from './avatar-link.tsx';
import { Bar } from './bar.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { WebsiteLogo } from './website-logo.tsx';
import styles from '../shell.module.css';

type DashboardHeaderProps = {
  /** Undefined until loaded, or if it can't be loaded. */
  companyName: string | undefined;
  /** The company's profile. Undefined for external users, who have no navigation. */
  profilePath: string | undefined;
  /** The menu button, if there is a menu. */
  menu?: ReactNode;
};

/**
 * The InstantVAT dashboard's header: a white bar, the logo and the company's initials, which link to the profile
 * (docs/product/specification.md section 2.6).
 */
export function DashboardHeader({ companyName = '', profilePath, menu }: DashboardHeaderProps) {
  return (
    <Bar>
      <WebsiteLogo />
      <MainNavigation />
      <div className={styles.end}>
        {menu}
        {profilePath !== undefined && <AvatarLink name={companyName} to={profilePath} destination="your profile" />}
      </div>
    </Bar>
  );
}
