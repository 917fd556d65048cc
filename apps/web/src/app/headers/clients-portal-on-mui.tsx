/** The clients' portal's header with the MUI its menu is made of; no page has it yet. */
import type { ComponentProps } from 'react';
import { MuiTheme } from '../../core/mui-layout.tsx';
import { ClientsPortalHeader } from './clients-portal-header.tsx';

export function ClientsPortalOnMui(props: ComponentProps<typeof ClientsPortalHeader>) {
  return (
    <MuiTheme>
      <ClientsPortalHeader {...props} />
    </MuiTheme>
  );
}
