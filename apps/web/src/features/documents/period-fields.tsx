/** The first and last day of a statement, typed or chosen with a button. */
import { addDays, createPlainDate, parsePlainDate, toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';

/** The period as typed. A date is empty while it is being edited. */
export type ChosenPeriod = { readonly from: string; readonly to: string };

type PeriodFieldsProps = {
  period: ChosenPeriod;
  firstOn: PlainDate;
  today: PlainDate;
  onChange: (period: ChosenPeriod) => void;
};

export function PeriodFields({ period, firstOn, today, onChange }: PeriodFieldsProps) {
  const id = useId();
  const error = getPeriodError(period, today);
  const toError = error === undefined || period.from === '' ? undefined : error;
  return (
    <Stack gap={12}>
      <Row align="baseline" gap={16}>
        <FieldFrame id={`${id}-from`} label="First day" error={period.from === '' ? error : undefined}>
          <TextInput
            id={`${id}-from`}
            type="date"
            value={period.from}
            isInvalid={period.from === ''}
            aria-describedby={period.from === '' ? `${id}-from-error` : undefined}
            onChange={({ target }) => onChange({ ...period, from: target.value })}
          />
        </FieldFrame>
        <FieldFrame id={`${id}-to`} label="Last day" error={toError}>
          <TextInput
            id={`${id}-to`}
            type="date"
            value={period.to}
            max={today}
            isInvalid={toError !== undefined}
            aria-describedby={toError === undefined ? undefined : `${id}-to-error`}
            onChange={({ target }) => onChange({ ...period, to: target.value })}
          />
        </FieldFrame>
      </Row>
      <Row gap={16} role="group" aria-label="Usual periods">
        {listPresets(firstOn, today).map(({ label, from, to }) => (
          <Button key={label} variant="text" size="small" fit="flush" onClick={() => onChange({ from, to })}>
            {label}
          </Button>
        ))}
      </Row>
    </Stack>
  );
}

/** Returns the problem with the period, or undefined if it can be downloaded. */
export function getPeriodError({ from, to }: ChosenPeriod, today: PlainDate): string | undefined {
  if (parsePlainDate(from) === undefined) return 'Enter the first day';
  if (parsePlainDate(to) === undefined) return 'Enter the last day';
  if (to < from) return 'Choose a last day on or after the first day';
  return to > today ? 'Choose a last day that isn’t after today' : undefined;
}

/** Lists the preset periods: whole months, the calendar year, and everything so far. */
export function listPresets(firstOn: PlainDate, today: PlainDate): { label: string; from: PlainDate; to: PlainDate }[] {
  const { year, month } = toDateParts(today);
  const thisMonth = createPlainDate(year, month, 1);
  const lastMonthEnd = addDays(thisMonth, -1);
  const { year: lastYear, month: lastMonth } = toDateParts(lastMonthEnd);
  return [
    { label: 'Everything', from: firstOn, to: today },
    { label: 'This month', from: thisMonth, to: today },
    { label: 'Last month', from: createPlainDate(lastYear, lastMonth, 1), to: lastMonthEnd },
    { label: 'This year', from: createPlainDate(year, 1, 1), to: today },
  ];
}
