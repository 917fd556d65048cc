// Tests docs/product/specification.md sections 2.6 ("Dropdown menu") and 9 ("Popover transition: 150 ms").
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DropdownMenu } from './dropdown-menu.tsx';

const onLogOut = vi.fn<() => void>();

function advance(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}
const getOpener = () => screen.getByRole('button', { name: 'Account', hidden: true });
const getLabels = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

beforeEach(() => {
  vi.useFakeTimers();
  onLogOut.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(bottom: readonly { label: string; onChoose: () => void }[] = [{ label: 'Log out', onChoose: onLogOut }]): void {
  render(
    <MemoryRouter>
      <DropdownMenu
        label="Account"
        top={[
          { label: 'Home', to: '/home' },
          { label: 'Data policy', href: 'https://portal.example/policy', opensNewTab: true },
        ]}
        bottom={bottom}
      />
    </MemoryRouter>,
  );
  getOpener().focus();
  fireEvent.click(getOpener());
  advance(150);
}

describe('a dropdown menu', () => {
  it('is inside the landmark of its button, even if it starts open', () => {
    render(
      <MemoryRouter>
        <main>
          <DropdownMenu label="Account" top={[{ label: 'Home', to: '/home' }]} startsOpen />
        </main>
      </MemoryRouter>,
    );
    advance(150);
    expect(screen.getByRole('main', { hidden: true }).contains(screen.getByRole('menu'))).toBe(true);
  });

  it('has a top and a bottom list, separated by a divider', () => {
    show();
    expect(getLabels()).toEqual(['Home', 'Data policy (opens in a new tab)', 'Log out']);
    expect(screen.getAllByRole('separator')).toHaveLength(1);
    expect(getOpener().getAttribute('aria-expanded')).toBe('true');
  });

  it('has no divider without a bottom list', () => {
    show([]);
    expect(screen.queryByRole('separator')).toBeNull();
  });

  it('closes after a choice', () => {
    show();
    const entry = screen.getByRole('menuitem', { name: 'Log out' });
    entry.focus();
    fireEvent.click(entry);
    expect(onLogOut).toHaveBeenCalledTimes(1);
    advance(500);
    expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  });

  it('renders entries with a URL as links', () => {
    show();
    expect(screen.getByRole('menuitem', { name: 'Home' }).getAttribute('href')).toBe('/home');
    expect(screen.getByRole('menuitem', { name: /^Data policy/ }).getAttribute('target')).toBe('_blank');
  });

  it('moves with the arrow keys and closes on Esc', () => {
    show();
    const menu = screen.getByRole('menu');
    expect(document.activeElement?.textContent).toBe('Home');
    fireEvent.keyDown(menu, { key: 'ArrowDown' });
    fireEvent.keyDown(menu, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).toBe('Log out');
    fireEvent.keyDown(menu, { key: 'Escape' });
    advance(200);
    expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  });
});
