/** Confirms the user's mobile number. Optional in this step. */
import { securityApi } from '@portal/contract/security.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { PhoneVerification } from '../../components/companies/phone-verification.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './confirm-phone.module.css';

export function ConfirmPhone() {
  const queryClient = useQueryClient();
  // Show nothing if there is nothing to confirm or loading fails, because users can also confirm the number in their profile.
  const { data } = useQuery(apiQuery(securityApi.get, {}));
  const phone = data?.phone ?? null;
  if (data === undefined || phone === null) return null;
  const invalidatePhone = async () => {
    await Promise.all(
      [securityApi.get.path, onboardingApi.progress.path].map((path) => queryClient.invalidateQueries({ queryKey: [path] })),
    );
  };
  return (
    <Stack gap={12} className={styles.phone}>
      <Heading level={2} size="part">
        Your mobile number
      </Heading>
      {data.phone_verified ? (
        <Row gap={8}>
          {phone} <StateChip label="Confirmed" icon="check" tone="success" />
        </Row>
      ) : (
        <>
          <Text tone="quiet">You can confirm it now or later, so that we know our text messages reach you.</Text>
          <PhoneVerification phone={phone} onConfirmed={invalidatePhone} />
        </>
      )}
    </Stack>
  );
}
