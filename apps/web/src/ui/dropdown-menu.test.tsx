// docs/product/specification.md sections 2.6 ("Dropdown menu") and 9 ("Popover transition: 150 ms").
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DropdownMenu } from './dropdown-menu.tsx';

const chosen = vi.fn<() => void>();

function wait(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}
const opener = () => screen.getByRole('button', { name: 'Account', hidden: true });
const words = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

beforeEach(() => {
  vi.useFakeTimers();
  chosen.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(bottom: readonly { label: string; onChoose: () => void }[] = [{ label: 'Log out', onChoose: chosen }]): void {
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
  opener().focus();
  fireEvent.click(opener());
  wait(150);
}

describe('dropdown menu', () => {
  it('has a top and a bottom list, separated by a divider', () => {
    show();
    expect(words()).toEqual(['Home', 'Data policy (opens in a new tab)', 'Log out']);
    expect(screen.getAllByRole('separator')).toHaveLength(1);
    expect(opener().getAttribute('aria-expanded')).toBe('true');
  });

  it('has no divider without a bottom list', () => {
    show([]);
    expect(screen.queryByRole('separator')).toBeNull();
  });

  it('closes within 150 ms after a choice and returns the focus', () => {
    show();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Log out' }));
    expect(chosen).toHaveBeenCalledTimes(1);
    wait(149);
    expect(screen.queryByRole('menu', { hidden: true })).not.toBeNull();
    wait(2);
    expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
    expect(document.activeElement).toBe(opener());
  });

  it('renders entries with an address as links', () => {
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
    wait(200);
    expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  });
});
