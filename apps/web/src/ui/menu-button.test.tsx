// Tests that a menu loaded on demand opens like one loaded with the page.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MenuButton } from './menu-button.tsx';

afterEach(cleanup);

function show(onOpen = vi.fn<() => void>()) {
  render(
    <MemoryRouter>
      <MenuButton label="Account" top={[{ label: 'Home', to: '/home' }]} onOpen={onOpen} />
    </MemoryRouter>,
  );
  return { button: screen.getByRole('button', { name: 'Account' }), onOpen };
}

describe('a menu button', () => {
  it('says that it opens a menu, and opens it with the first click', async () => {
    const { button, onOpen } = show();
    expect([button.getAttribute('aria-haspopup'), button.getAttribute('aria-expanded')]).toEqual(['menu', 'false']);
    fireEvent.click(button);
    expect((await screen.findByRole('menuitem', { name: 'Home' })).getAttribute('href')).toBe('/home');
    expect(onOpen).toHaveBeenCalledTimes(1);
  });

  it('opens with the arrow keys, like any menu button', async () => {
    const { button } = show();
    fireEvent.keyDown(button, { key: 'ArrowDown' });
    expect(await screen.findByRole('menu')).toBeTruthy();
  });
});
