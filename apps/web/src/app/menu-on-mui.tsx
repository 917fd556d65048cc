/** The menu with MUI, loaded on hover or focus of its button. */
import { MenuPanel } from './menu-panel.tsx';
import { MuiTheme } from '../core/mui-layout.tsx';

export function MenuOnMui() {
  return (
    <MuiTheme>
      <MenuPanel />
    </MuiTheme>
  );
}
