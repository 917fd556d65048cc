import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { SearchField } from './search-field.tsx';

/** How long the URL takes to change, because the router updates it with low priority. */
const URL_UPDATE_MS = 300;

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
      <SearchField text={q ?? ''} onSearch={(text) => setTimeout(() => setQ(text === '' ? undefined : text), URL_UPDATE_MS)} />
      <output aria-label="Address">{q}</output>
      <button onClick={() => setQ(undefined)}>Clear</button>
    </>
  );
}

const getSearchField = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search clients' });
const type = (text: string): void => void fireEvent.change(getSearchField(), { target: { value: text } });
const advanceTime = (milliseconds: number): Promise<void> =>
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
    await advanceTime(170);
    expect(getSearchField().value).toBe(text);
  }
  await advanceTime(1000);
  expect(getSearchField().value).toBe('birch');
  expect(screen.getByRole('status', { name: 'Address' }).textContent).toBe('birch');
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(getSearchField().value).toBe('');
  type('alder');
  await advanceTime(170);
  await advanceTime(1000);
  expect(screen.getByRole('status', { name: 'Address' }).textContent).toBe('alder');
  expect(getSearchField().value).toBe('alder');
});
