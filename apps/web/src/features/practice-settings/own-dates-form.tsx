/**
 * How many working days before HMRC's deadline the practice wants to finish. Shown in the calendar next to HMRC's date, never instead of
 * it.
 */
import { LEAD_DAY_KEYS, practiceApi, type LeadDayKey } from '@portal/contract/practice.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { useConfirmSaved, type PracticeProfile } from './practice-profile.ts';

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
      await confirmSaved('Your own dates are saved');
    },
  });
  const known = toTexts(profile);
  const isChanged = LEAD_DAY_KEYS.some((name) => texts[name] !== known[name]);
  const isValid = LEAD_DAY_KEYS.every((name) => isValidDays(texts[name]));
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) save.mutate();
      }}
    >
      {save.error !== null && <ErrorSummary errors={[{ field: undefined, message: errorText(save.error) }]} />}
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>
        Working days before HMRC’s day, 1 to 60. They stand in the calendar and in your feed beside HMRC’s days. Leave one empty to have
        none.
      </Typography>
      <Box sx={{ display: 'grid', gap: 1, mb: 2 }}>
        {LEAD_DAY_KEYS.map((name) => (
          <Box key={name} sx={{ display: 'flex', gap: 2, alignItems: 'center', justifyContent: 'space-between', maxWidth: 420 }}>
            <label htmlFor={`lead-${name}`}>{LABELS[name]}</label>
            <OutlinedInput
              id={`lead-${name}`}
              size="small"
              value={texts[name]}
              error={!isValidDays(texts[name])}
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value.trim() })}
              inputProps={{ inputMode: 'numeric', maxLength: 2, 'aria-invalid': !isValidDays(texts[name]), style: { textAlign: 'right' } }}
              sx={{ width: 80 }}
            />
          </Box>
        ))}
      </Box>
      {!isValid && (
        <Typography role="alert" sx={{ mb: 1, color: 'error.tone' }}>
          Use whole numbers from 1 to 60.
        </Typography>
      )}
      <Button type="submit" disabled={!isChanged || !isValid || save.isPending} sx={{ minWidth: 200 }}>
        {save.isPending ? 'Saving ...' : 'Save'}
      </Button>
    </Box>
  );
}
