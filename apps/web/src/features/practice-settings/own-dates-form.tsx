/**
 * How many working days before HMRC's deadline the practice wants to finish. Shown in the calendar next to HMRC's date, never instead of
 * it.
 */
import { LEAD_NAMES, practiceApi, type LeadName } from '@portal/contract/practice.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { useTellSaved, type PracticeProfile } from './practice-profile.ts';

const LABELS: Readonly<Record<LeadName, string>> = {
  vat_return: 'VAT return',
  vat_payment: 'VAT payment',
  paye_payment: 'PAYE payment',
  ct_return: 'Corporation tax return',
  ct_payment: 'Corporation tax payment',
  sa_return: 'Self Assessment return',
  sa_payment: 'Self Assessment payment',
};

const textsOf = (profile: PracticeProfile) =>
  Object.fromEntries(LEAD_NAMES.map((name) => [name, profile.lead_days[name]?.toString() ?? ''])) as Record<LeadName, string>;

const isDays = (text: string): boolean => text === '' || (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 60);

export function OwnDatesForm({ profile }: { profile: PracticeProfile }) {
  const tellSaved = useTellSaved();
  const [texts, setTexts] = useState(() => textsOf(profile));
  const save = useMutation({
    mutationFn: async () => {
      const days = LEAD_NAMES.flatMap((name) => (texts[name] === '' ? [] : [[name, Number(texts[name])] as const]));
      await apiRequest(practiceApi.saveAccountantProfile, { company_id: profile.company_id, lead_days: Object.fromEntries(days) });
      await tellSaved('Your own dates are saved');
    },
  });
  const known = textsOf(profile);
  const isChanged = LEAD_NAMES.some((name) => texts[name] !== known[name]);
  const isValid = LEAD_NAMES.every((name) => isDays(texts[name]));
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) save.mutate();
      }}
    >
      {save.error !== null && <ErrorSummary refusals={[{ field: undefined, message: errorText(save.error) }]} />}
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>
        Working days before HMRC’s day, 1 to 60. They stand in the calendar and in your feed beside HMRC’s days. Leave one empty to have
        none.
      </Typography>
      <Box sx={{ display: 'grid', gap: 1, mb: 2 }}>
        {LEAD_NAMES.map((name) => (
          <Box key={name} sx={{ display: 'flex', gap: 2, alignItems: 'center', justifyContent: 'space-between', maxWidth: 420 }}>
            <label htmlFor={`lead-${name}`}>{LABELS[name]}</label>
            <OutlinedInput
              id={`lead-${name}`}
              size="small"
              value={texts[name]}
              error={!isDays(texts[name])}
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value.trim() })}
              inputProps={{ inputMode: 'numeric', maxLength: 2, 'aria-invalid': !isDays(texts[name]), style: { textAlign: 'right' } }}
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
