import type { ReactNode } from 'react';
import { AvatarLink } from './avatar-link.tsx';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

type PractitionerHeaderProps = {
  fullName: string;
  /** The account profile's role: `admin` has the dark avatar, every other role a lighter one. */
  role: string;
  /** OpenTax's settings; none for a guest, who moves nowhere. */
  settingsPath: string | undefined;
  menu?: ReactNode;
};

/** OpenTax's header for practitioners (specification 2.6): the avatar leads to the settings. */
export function PractitionerHeader({ fullName, role, settingsPath, menu }: PractitionerHeaderProps) {
  return (
    <Bar>
      <WebsiteLogo />
      <div className="p-bar-end">
        {menu}
        {settingsPath !== undefined && (
          <AvatarLink name={fullName} to={settingsPath} destination="your settings" tone={role === 'admin' ? 'dark' : 'light'} />
        )}
      </div>
    </Bar>
  );
}
