import { staffNotificationsApi, type StaffNotificationChoices } from '@portal/contract/staff-notifications.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type Props = { companyId: string; muted: StaffNotificationChoices['muted'] };

/** Clients can be muted only on their own page, so this only unmutes them. */
export function MutedClientsCard({ companyId, muted }: Props) {
  const queryClient = useQueryClient();
  const unmute = useMutation({
    mutationFn: (clientId: string) =>
      apiRequest(staffNotificationsApi.mute, { company_id: companyId, client_id: clientId, is_muted: false }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [staffNotificationsApi.choices.path] }),
  });
  return (
    <SectionCard title="Muted clients">
      <Stack>
        {muted.length === 0 && (
          <Text>No muted clients. To stop notifications about a client, open the client and choose “Mute notifications”.</Text>
        )}
        {muted.length > 0 && (
          <Stack as="ul" gap={8}>
            {muted.map(({ client_id: clientId, name }) => (
              <Row as="li" key={clientId} justify="between">
                <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: clientId })}>{name}</TextLink>
                <Button size="small" variant="outlined" disabled={unmute.isPending} onClick={() => unmute.mutate(clientId)}>
                  Unmute<HiddenText> {name}</HiddenText>
                </Button>
              </Row>
            ))}
          </Stack>
        )}
        {unmute.error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(unmute.error)}
          </Text>
        )}
      </Stack>
    </SectionCard>
  );
}
