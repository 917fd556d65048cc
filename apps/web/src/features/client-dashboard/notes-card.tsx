/** Notes that the practice wrote about the client. Notes can't be edited. */
import { clientDashboardApi, MAX_NOTE_LENGTH } from '@portal/contract/client-dashboard.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { deleteDraft, saveDraft, readDraft } from '../../lib/form-draft.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { describedBy, FieldFrame } from '../../ui/form-field.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';

const HINT = 'Your colleagues who look after the client see it. It cannot be changed afterwards; write a further note to correct one.';

export function NotesCard({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(clientDashboardApi.notes, toClientInput(ids)));
  return (
    <SectionCard title="Notes">
      <NewNote key={ids.clientId} ids={ids} />
      <LoadState query={query} skeleton={<TableSkeleton rows={2} />}>
        {({ notes }) =>
          notes.length === 0 ? (
            <Typography sx={{ color: 'text.secondary' }}>Nothing has been written down yet.</Typography>
          ) : (
            <Box component="ul" aria-label="Notes" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {notes.map((note) => (
                <Box component="li" key={note.note_id} sx={{ py: 1.5, borderTop: 1, borderColor: 'divider' }}>
                  <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{note.text}</Typography>
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {note.author}, <InstantText at={note.written_at} />
                  </Typography>
                </Box>
              ))}
            </Box>
          )
        }
      </LoadState>
    </SectionCard>
  );
}

function NewNote({ ids }: { ids: ClientIds }) {
  const client = useQueryClient();
  const draft = { name: `note ${ids.clientId}`, fields: ['text'] };
  const [text, setText] = useState(() => readDraft(draft)['text'] ?? '');
  const add = useMutation({
    mutationFn: () => apiRequest(clientDashboardApi.addNote, { ...toClientInput(ids), text }),
    onSuccess: async () => {
      setText('');
      deleteDraft(draft);
      const paths = [clientDashboardApi.notes.path, clientDashboardApi.timeline.path];
      await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })));
    },
  });
  const error = add.error === null ? undefined : errorText(add.error);
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !add.isPending) add.mutate();
      }}
      sx={{ maxWidth: 640, mb: 3 }}
    >
      <FieldFrame id="new-note" label="New note" hint={HINT} error={error}>
        <OutlinedInput
          id="new-note"
          value={text}
          onChange={({ target: { value } }) => {
            setText(value);
            saveDraft(draft, { text: value });
          }}
          multiline
          minRows={2}
          fullWidth
          error={error !== undefined}
          slotProps={{ input: { maxLength: MAX_NOTE_LENGTH, 'aria-describedby': describedBy('new-note', HINT, error) } }}
        />
      </FieldFrame>
      <Button type="submit" variant="outlined" disabled={text.trim() === '' || add.isPending} sx={{ mt: -1 }}>
        {add.isPending ? 'Adding …' : 'Add this note'}
      </Button>
    </Box>
  );
}
