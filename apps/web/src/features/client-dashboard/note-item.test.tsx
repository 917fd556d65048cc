import type { ClientNote } from '@portal/contract/client-notes.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { createQueryClient } from '../../lib/query-client.ts';
import { NoteItem } from './note-item.tsx';

afterEach(cleanup);

const SAMPLE_NOTE: ClientNote = {
  note_id: '01890000-0000-7000-8000-000000000001',
  text: 'Year end moves to March',
  is_pinned: false,
  may_edit: true,
  author: 'Priya Oakes',
  written_at: toInstant(0),
  edited_at: null,
};

it('saves a note only when its text has changed', async () => {
  render(
    <AppProviders>
      <QueryClientProvider client={createQueryClient()}>
        <NoteItem ids={{ companyId: 'c', clientId: 'k' }} note={SAMPLE_NOTE} />
      </QueryClientProvider>
    </AppProviders>,
  );
  fireEvent.click(screen.getByRole('button', { name: /^Edit/u }));
  const getSaveButton = (description: string) => screen.getByRole<HTMLButtonElement>('button', { name: 'Save note', description });
  expect(getSaveButton('You haven’t changed anything yet.').disabled).toBe(true);

  fireEvent.change(screen.getByRole('textbox', { name: 'Edit note' }), { target: { value: '  ' } });
  expect(getSaveButton('Enter a note.').disabled).toBe(true);

  fireEvent.change(screen.getByRole('textbox', { name: 'Edit note' }), { target: { value: 'Year end moves to April' } });
  expect(getSaveButton('').disabled).toBe(false);
});
