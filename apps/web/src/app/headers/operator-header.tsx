import { useLogOut } from '../log-out.ts';
import { OPERATOR_NAVIGATION } from '../navigation-links.ts';
import { Button } from '../../ui/button.tsx';
import { PaletteButton } from '../command-palette/palette-button.tsx';
import { Bar } from './bar.tsx';
import { NavigationBar } from './navigation-bar.tsx';
import { WebsiteLogo } from './website-logo.tsx';

/** The operators' header: links to their pages, and logging out. */
export function OperatorHeader() {
  const logOut = useLogOut();
  return (
    <Bar>
      <WebsiteLogo />
      <NavigationBar {...OPERATOR_NAVIGATION} alwaysShown />
      <PaletteButton />
      <Button variant="text" size="small" onClick={logOut}>
        Log out
      </Button>
    </Bar>
  );
}
