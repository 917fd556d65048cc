import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { SearchField } from './search-field.tsx';

/** How long the URL takes to change, because the router updates it with low priority. */
const ADDRESS_MS = 300;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function List() {
  const [q, setQ] = useState<string | undefined>();
  return (
    <>
      <SearchField text={q ?? ''} onSearch={(text) => setTimeout(() => setQ(text === '' ? undefined : text), ADDRESS_MS)} />
      <output aria-label="Address">{q}</output>
      <button onClick={() => setQ(undefined)}>Clear</button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search clients' });
const type = (text: string): void => void fireEvent.change(field(), { target: { value: text } });
const pass = (milliseconds: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  });

it('keeps the typed text while the URL updates late, and empties itself when the filters are cleared', async () => {
  render(
    <AppProviders>
      <List />
    </AppProviders>,
  );
  for (const text of ['b', 'bi', 'bir', 'birc', 'birch']) {
    type(text);
    await pass(170);
    expect(field().value).toBe(text);
  }
  await pass(1000);
  expect(field().value).toBe('birch');
  expect(screen.getByRole('status', { name: 'Address' }).textContent).toBe('birch');
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(field().value).toBe('');
  type('alder');
  await pass(170);
  await pass(1000);
  expect(screen.getByRole('status', { name: 'Address' }).textContent).toBe('alder');
  expect(field().value).toBe('alder');
});
