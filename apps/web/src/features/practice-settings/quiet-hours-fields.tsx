import type { QuietHours } from '@portal/domain/staff-notifications/decide-delivery.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';

const DEFAULT_QUIET: QuietHours = { from: 19, to: 7 };
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export const formatHour = (hour: number): string =>
  hour === 0 ? 'midnight' : hour === 12 ? 'noon' : hour < 12 ? `${hour}am` : `${hour - 12}pm`;

type Props = { quiet: QuietHours | null; onChange: (quiet: QuietHours | null) => void };

/** Quiet hours, in UK time. Emails are delayed until they end, except those that can't be switched off. */
export function QuietHoursFields({ quiet, onChange }: Props) {
  return (
    <Stack gap={12}>
      <Checkbox
        label="No emails at night"
        hint="UK time. Emails wait until quiet hours end, except those that can’t be switched off."
        checked={quiet !== null}
        onChange={({ target }) => onChange(target.checked ? DEFAULT_QUIET : null)}
      />
      {quiet !== null && (
        <Row>
          <HourField id="quiet-from" label="From" hour={quiet.from} onChange={(from) => onChange({ ...quiet, from })} />
          <HourField id="quiet-to" label="To" hour={quiet.to} onChange={(to) => onChange({ ...quiet, to })} />
        </Row>
      )}
    </Stack>
  );
}

function HourField({ id, label, hour, onChange }: { id: string; label: string; hour: number; onChange: (hour: number) => void }) {
  return (
    <FieldFrame id={id} label={label}>
      <Select id={id} small widthInCharacters={9} value={hour} onChange={({ target }) => onChange(Number(target.value))}>
        {HOURS.map((item) => (
          <option key={item} value={item}>
            {formatHour(item)}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}
