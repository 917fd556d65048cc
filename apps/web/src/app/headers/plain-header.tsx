import '../../ui/plain-button.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PlainIcon } from '../../ui/plain-icon.tsx';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

type PlainHeaderProps = {
  /** On small screens most v2 pages have no header. */
  hiddenWhenSmall: boolean;
  /** Only if navigation is enabled. */
  navigation?: { readonly helpPath: string; readonly menu: ReactNode } | undefined;
};

/**
 * The header of all other pages: the logo and, if navigation is enabled, help and menu (docs/product/specification.md section 2.6). On
 * small screens logo and menu only.
 */
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
