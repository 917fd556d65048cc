/** The clients' portal header with MUI, which its menu needs. No page uses it yet. */
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
