import '../../ui/plain-button.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PlainIcon } from '../../ui/plain-icon.tsx';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

type PlainHeaderProps = {
  /** On small screens most v2 pages have no header. */
  hiddenWhenSmall: boolean;
  /** Only where navigation is enabled. */
  navigation?: { readonly helpPath: string; readonly menu: ReactNode } | undefined;
};

/** Every other page: the logo and, where one may move about, help and menu (specification 2.6). On small screens the mobile layout's: logo and menu. */
export function PlainHeader({ hiddenWhenSmall, navigation }: PlainHeaderProps) {
  return (
    <Bar hiddenWhenSmall={hiddenWhenSmall}>
      <WebsiteLogo />
      {navigation !== undefined && (
        <div className="p-bar-end has-gap">
          <Link to={navigation.helpPath} aria-label="Help" className="p-icon-button only-wide">
            <PlainIcon name="help" />
          </Link>
          {navigation.menu}
        </div>
      )}
    </Bar>
  );
}
