/** A client can be in only one group. If adding clients was rejected for that reason, lets the user move them instead. */
import { Checkbox } from '../../ui/choice.tsx';
import { ApiError } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';

type MoveClientsChoiceProps = { error: unknown; moves: boolean; onChange: (moves: boolean) => void };

export function MoveClientsChoice({ error, moves, onChange }: MoveClientsChoiceProps) {
  if (!error) return null;
  const isInAnother = error instanceof ApiError && error.code === 'client_group.in_another';
  return (
    <Stack gap={8}>
      <Notice tone="error" title="Nothing has changed" role="alert">
        {getErrorText(error)}
      </Notice>
      {isInAnother && (
        <Checkbox
          label="Move clients that are already in another group"
          hint="They’ll leave that group."
          checked={moves}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
    </Stack>
  );
}
