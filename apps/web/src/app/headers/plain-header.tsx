import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '../../ui/icons.tsx';
import { Bar } from './bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';
import { SMALL_SCREEN_BELOW_PX } from '../navigation.ts';

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
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          <IconButton
            component={Link}
            to={navigation.helpPath}
            aria-label="Help"
            sx={{ display: 'none', [`@media (min-width:${SMALL_SCREEN_BELOW_PX}px)`]: { display: 'inline-flex' } }}
          >
            <Icon name="help" sx={{ color: 'text.primary' }} />
          </IconButton>
          {navigation.menu}
        </Box>
      )}
    </Bar>
  );
}
