import type { ReactNode } from 'react';
import { AvatarLink } from './avatar-link.tsx';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

type DashboardHeaderProps = {
  /** Undefined while or where it could not be read. */
  companyName: string | undefined;
  /** The profile of the company; none for a guest, who moves nowhere. */
  profilePath: string | undefined;
  /** The menu button, where there is a menu. */
  menu?: ReactNode;
};

/** InstantVAT's dashboard: a white bar, the logo, the company's initials, which lead to the profile (specification 2.6). */
export function DashboardHeader({ companyName = '', profilePath, menu }: DashboardHeaderProps) {
  return (
    <Bar>
      <WebsiteLogo />
      <div className="p-bar-end">
        {menu}
        {profilePath !== undefined && <AvatarLink name={companyName} to={profilePath} destination="your profile" />}
      </div>
    </Bar>
  );
}
