/** The menu with the MUI it is made of: loaded when somebody reaches for its button. */
import { MenuPanel } from './menu-panel.tsx';
import { MuiTheme } from '../core/mui-layout.tsx';

export function MenuOnMui() {
  return (
    <MuiTheme>
      <MenuPanel />
    </MuiTheme>
  );
}
