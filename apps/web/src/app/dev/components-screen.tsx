/** Every component in every state, for development; not available in production. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { Page } from '../../ui/page.tsx';
import { ButtonSamples } from './button-samples.tsx';
import { DateSamples } from './date-samples.tsx';
import { DialogSamples } from './dialog-samples.tsx';
import { FormSamples } from './form-samples.tsx';
import { HeaderSamples } from './header-samples.tsx';
import { MenuSamples } from './menu-samples.tsx';
import { MessageSamples } from './message-samples.tsx';
import { StatusSamples } from './status-samples.tsx';
import { ThemeSamples } from './theme-samples.tsx';

const SECTIONS = [
  ['theme', 'Theme'],
  ['buttons', 'Buttons'],
  ['sign-in-buttons', 'Sign-in buttons'],
  ['headers', 'Headers'],
  ['dropdown-menu', 'Dropdown menu'],
  ['menu-screen', 'Menu screen'],
  ['vertical-menu', 'Vertical menu'],
  ['progress-bar', 'Progress bar'],
  ['status-panel', 'Status panel'],
  ['modal-dialog', 'Modal dialog'],
  ['notification-dialog', 'Notification dialog'],
  ['alerts', 'Alerts'],
  ['toast', 'Toast and snackbar'],
  ['money-input', 'Money input'],
  ['integer-input', 'Integer input'],
  ['debounce', 'Debounce'],
  ['dates', 'Dates'],
] as const;

export function ComponentsScreen() {
  const { hash } = useLocation();
  useEffect(() => {
    // The section is rendered after the browser has looked for the fragment.
    if (hash.length > 1) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <Page title="Components" lead="Every piece of the portal in each of its states. This page is not there in production.">
      <Box component="nav" aria-label="Sections" sx={{ mb: { xs: 5, md: 6 } }}>
        <Box
          component="ul"
          role="list"
          sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', flexWrap: 'wrap', columnGap: 2.5, rowGap: 0.5 }}
        >
          {SECTIONS.map(([id, title]) => (
            <li key={id}>
              <Link href={`#${id}`} sx={{ display: 'inline-block', py: 0.75 }}>
                {title}
              </Link>
            </li>
          ))}
        </Box>
      </Box>
      <ThemeSamples />
      <ButtonSamples />
      <HeaderSamples />
      <MenuSamples />
      <StatusSamples />
      <DialogSamples />
      <MessageSamples />
      <FormSamples />
      <DateSamples />
    </Page>
  );
}
