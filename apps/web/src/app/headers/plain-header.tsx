import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Link } from '../../ui/link.tsx';
import { getIconButtonClass } from '../../ui/button-look.ts';
import { Icon } from '../../ui/icon.tsx';
import { Bar } from './bar.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { WebsiteLogo } from './website-logo.tsx';
import styles from '../shell.module.css';

type PlainHeaderProps = {
  /** Whether the header is hidden on small screens, as on most v2 pages. */
  hiddenWhenSmall: boolean;
  /** The help link and the menu. Undefined if navigation is disabled. */
  navigation?: { readonly helpPath: string; readonly menu: ReactNode } | undefined;
};

/**
 * The header of all other pages: the logo and, if navigation is enabled, help and menu. Small screens show only the logo and the menu
 * (docs/product/specification.md section 2.6).
 */
export function PlainHeader({ hiddenWhenSmall, navigation }: PlainHeaderProps) {
  return (
    <Bar hiddenWhenSmall={hiddenWhenSmall}>
      <WebsiteLogo />
      <MainNavigation />
      {navigation !== undefined && (
        <div className={clsx(styles.end, styles.withGap)}>
          <Link to={navigation.helpPath} aria-label="Help" className={clsx(getIconButtonClass(), styles.onlyWide)}>
            <Icon name="help" />
          </Link>
          {navigation.menu}
        </div>
      )}
    </Bar>
  );
}
