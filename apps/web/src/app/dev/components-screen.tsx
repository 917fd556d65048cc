/** Shows every component in every state, for development; not available in production. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { Page } from '../../ui/page.tsx';
import { Row } from '../../ui/layout.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ButtonSamples } from './button-samples.tsx';
import { DateSamples } from './date-samples.tsx';
import { DialogSamples } from './dialog-samples.tsx';
import { FormSamples } from './form-samples.tsx';
import { HeaderSamples } from './header-samples.tsx';
import { IllustrationSamples } from './illustration-samples.tsx';
import { ListSamples } from './list-samples.tsx';
import { MenuSamples } from './menu-samples.tsx';
import { MessageSamples } from './message-samples.tsx';
import { StatusSamples } from './status-samples.tsx';
import { TableImportSamples } from './table-import-samples.tsx';
import { ThemeSamples } from './theme-samples.tsx';
import styles from './components-screen.module.css';

const SECTIONS = [
  ['theme', 'Theme'],
  ['buttons', 'Buttons'],
  ['sign-in-buttons', 'Sign-in buttons'],
  ['headers', 'Headers'],
  ['dropdown-menu', 'Dropdown menu'],
  ['menu-screen', 'Menu screen'],
  ['vertical-menu', 'Vertical menu'],
  ['progress-bar', 'Progress bar'],
  ['illustrations', 'Illustrations'],
  ['status-panel', 'Status panel'],
  ['modal-dialog', 'Modal dialog'],
  ['notification-dialog', 'Notification dialog'],
  ['alerts', 'Alerts'],
  ['toast', 'Toast and snackbar'],
  ['money-input', 'Money input'],
  ['integer-input', 'Integer input'],
  ['debounce', 'Debounce'],
  ['dates', 'Dates'],
  ['table-import', 'Table import'],
] as const;

export function ComponentsScreen() {
  const { hash } = useLocation();
  useEffect(() => {
    // The section is rendered only after the browser has looked for the fragment, so scroll to it here.
    if (hash.length > 1) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <Page title="Components" lead="Each component in all of its states. This page isn’t available in production.">
      <nav aria-label="Sections">
        <Row as="ul" gap={16} className={styles.sections}>
          {SECTIONS.map(([id, title]) => (
            <li key={id}>
              <TextLink href={`#${id}`}>{title}</TextLink>
            </li>
          ))}
        </Row>
      </nav>
      <ThemeSamples />
      <ButtonSamples />
      <HeaderSamples />
      <MenuSamples />
      <IllustrationSamples />
      <StatusSamples />
      <ListSamples />
      <DialogSamples />
      <MessageSamples />
      <FormSamples />
      <DateSamples />
      <TableImportSamples />
    </Page>
  );
}
