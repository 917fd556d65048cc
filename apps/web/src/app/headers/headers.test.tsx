// Tests the headers of OpenTax (docs/product/specification.md section 2.6).
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { ClientsPortalHeader } from './clients-portal-header.tsx';
import { PractitionerHeaderBar } from './practitioner-header-bar.tsx';

afterEach(cleanup);

const priya = { fullName: 'Priya Oakes', role: 'admin' };

const getAvatarColour = (role: string): string => {
  render(
    <AppProviders>
      <MemoryRouter>
        <PractitionerHeaderBar fullName="Priya Oakes" role={role} settingsPath="/v2/open-tax/settings" />
      </MemoryRouter>
    </AppProviders>,
  );
  const avatar = screen.getByRole('link', { name: 'PO: your settings' });
  const circle = avatar.querySelector<HTMLElement>('div');
  if (circle === null) throw new Error('no avatar');
  const colour = circle.style.backgroundColor;
  cleanup();
  return colour;
};

describe('the practitioner header', () => {
  it('links the avatar to the settings', () => {
    render(
      <MemoryRouter>
        <PractitionerHeaderBar {...priya} settingsPath="/v2/open-tax/settings" />
      </MemoryRouter>,
    );
    expect(screen.getByRole('link', { name: 'PO: your settings' }).getAttribute('href')).toBe('/v2/open-tax/settings');
  });

  it('has a dark avatar for admins and a lighter one for other roles', () => {
    expect(getAvatarColour('admin')).not.toBe(getAvatarColour('team_member'));
    expect(getAvatarColour('')).toBe(getAvatarColour('team_member'));
  });

  it('has no link for external users', () => {
    render(
      <MemoryRouter>
        <PractitionerHeaderBar {...priya} settingsPath={undefined} />
      </MemoryRouter>,
    );
    expect(screen.queryByRole('link', { name: /settings/ })).toBeNull();
  });
});

describe('the client portal’s header', () => {
  it('opens a menu with Home, Profile, Notification Preferences and Log Out', () => {
    let loggedOut = 0;
    render(
      <MemoryRouter>
        <ClientsPortalHeader
          fullName="carl jon harlow"
          paths={{ home: '/home-of-clients', profile: '/settings', notificationPreferences: '/settings?tab=1' }}
          onLogOut={() => (loggedOut += 1)}
        />
      </MemoryRouter>,
    );
    const opener = screen.getByRole('button', { name: 'CJ: your menu' });
    expect(opener.textContent).toBe('CJ');
    fireEvent.click(opener);
    const items = screen.getAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['Home', 'Profile', 'Notification Preferences', 'Log Out']);
    expect(items.slice(0, 3).map((item) => item.getAttribute('href'))).toEqual(['/home-of-clients', '/settings', '/settings?tab=1']);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Log Out' }));
    expect(loggedOut).toBe(1);
  });
});
