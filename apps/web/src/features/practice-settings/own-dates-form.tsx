/**
 * Sets how many working days before HMRC's deadline the practice wants to finish. Shown in the calendar next to HMRC's date, never instead
 * of it.
 */
import { LEAD_DAY_KEYS, practiceApi, type LeadDayKey } from '@portal/contract/practice.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { useConfirmSaved } from './use-confirm-saved.ts';
import styles from './own-dates-form.module.css';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

const LABELS: Readonly<Record<LeadDayKey, string>> = {
  vat_return: 'VAT return',
  vat_payment: 'VAT payment',
  paye_payment: 'PAYE payment',
  ct_return: 'Corporation tax return',
  ct_payment: 'Corporation tax payment',
  sa_return: 'Self Assessment return',
  sa_payment: 'Self Assessment payment',
};

const toTexts = (profile: PracticeProfile) =>
  Object.fromEntries(LEAD_DAY_KEYS.map((name) => [name, profile.lead_days[name]?.toString() ?? ''])) as Record<LeadDayKey, string>;

const isValidDays = (text: string): boolean => text === '' || (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 60);

export function OwnDatesForm({ profile }: { profile: PracticeProfile }) {
  const confirmSaved = useConfirmSaved();
  const [texts, setTexts] = useState(() => toTexts(profile));
  const save = useMutation({
    mutationFn: async () => {
      const days = LEAD_DAY_KEYS.flatMap((name) => (texts[name] === '' ? [] : [[name, Number(texts[name])] as const]));
      await apiRequest(practiceApi.saveAccountantProfile, { company_id: profile.company_id, lead_days: Object.fromEntries(days) });
      await confirmSaved('Internal deadlines saved');
    },
  });
  const savedTexts = toTexts(profile);
  const isChanged = LEAD_DAY_KEYS.some((name) => texts[name] !== savedTexts[name]);
  const isValid = LEAD_DAY_KEYS.every((name) => isValidDays(texts[name]));
  const missing = getMissingText([isValid ? undefined : 'Use whole numbers from 1 to 60.'], isChanged);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === undefined) save.mutate();
      }}
    >
      {save.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(save.error) }]} />}
      <Stack gap={16}>
        <Text tone="quiet">
          How many working days before HMRC’s deadline you want to finish, from 1 to 60. Your internal deadlines appear next to HMRC’s in
          the calendar and your calendar link. Leave a field blank if you don’t need one.
        </Text>
        <Stack gap={8}>
          {LEAD_DAY_KEYS.map((name) => (
            <Row key={name} gap={16} justify="between" wrap={false} className={styles.deadline}>
              <label htmlFor={`lead-${name}`}>{LABELS[name]}</label>
              <TextInput
                id={`lead-${name}`}
                small
                value={texts[name]}
                isInvalid={!isValidDays(texts[name])}
                onChange={(event) => setTexts({ ...texts, [name]: event.target.value.trim() })}
                inputMode="numeric"
                maxLength={2}
                className={styles.days}
              />
            </Row>
          ))}
        </Stack>
        <Row>
          <SubmitButton missing={missing} isBusy={save.isPending} className={styles.save}>
            {save.isPending ? 'Saving…' : 'Save'}
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}
