/** Confirms the person's mobile number. Optional in this step. */
import { securityApi } from '@portal/contract/security.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { PhoneVerification } from '../../ui/phone-verification.tsx';
import { StateChip } from '../../ui/state-chip.tsx';

export function ConfirmPhone() {
  const queries = useQueryClient();
  // Show nothing if there is nothing to confirm or loading fails: the number can be confirmed in the profile too.
  const { data } = useQuery(apiQuery(securityApi.get, {}));
  const phone = data?.phone ?? null;
  if (data === undefined || phone === null) return null;
  const invalidatePhone = async () => {
    await Promise.all([securityApi.get.path, onboardingApi.progress.path].map((path) => queries.invalidateQueries({ queryKey: [path] })));
  };
  return (
    <Box sx={{ mt: 4, pt: 3, borderTop: 1, borderColor: 'divider' }}>
      <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
        Your mobile number
      </Typography>
      {data.phone_verified ? (
        <Typography sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
          {phone} <StateChip label="Confirmed" icon="check" tone="success" />
        </Typography>
      ) : (
        <>
          <Typography sx={{ mb: 2, color: 'text.secondary' }}>
            Confirm it now or later: we then know that a text message reaches you.
          </Typography>
          <PhoneVerification phone={phone} onConfirmed={invalidatePhone} />
        </>
      )}
    </Box>
  );
}
