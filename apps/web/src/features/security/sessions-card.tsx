import { securityApi } from '@portal/contract/security.ts';
import { apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { ActionError } from './action-error.tsx';
import { ItemList, ItemRow } from './item-row.tsx';
import { useSecurityAction, type Security } from './use-security.ts';

export function SessionsCard({ security }: { security: Security }) {
  const endSessionMutation = useSecurityAction((id: string) => apiRequest(securityApi.endSession, { session_id: id }), 'Device logged out');
  const endOthersMutation = useSecurityAction(() => apiRequest(securityApi.endSession, {}), 'Other devices logged out');
  const isBusy = endSessionMutation.isPending || endOthersMutation.isPending;
  const otherSessions = security.sessions.filter((session) => !session.is_this_one);
  const orderedSessions = [...security.sessions.filter((session) => session.is_this_one), ...otherSessions];
  return (
    <SectionCard
      title="Logged-in devices"
      aside={
        otherSessions.length > 1 && (
          <Button variant="outlined" size="small" disabled={isBusy} onClick={() => endOthersMutation.mutate(undefined)}>
            Log out other devices
          </Button>
        )
      }
    >
      <Stack gap={8}>
        <Text tone="quiet">If you don’t recognise a device, log it out and change your password.</Text>
        <ItemList label="Devices">
          {orderedSessions.map((session) => (
            <ItemRow
              key={session.session_id}
              title={
                <Row as="span" gap={8}>
                  {session.device}
                  {session.is_this_one && <StateChip label="This device" icon="check" tone="success" />}
                </Row>
              }
              facts={
                <>
                  Last active <InstantText at={session.last_seen_at} /> · Logged in <InstantText at={session.created_at} /> · IP address{' '}
                  {session.ip}
                </>
              }
              action={
                !session.is_this_one && (
                  <Button
                    variant="text"
                    size="small"
                    tone="error"
                    disabled={isBusy}
                    onClick={() => endSessionMutation.mutate(session.session_id)}
                  >
                    Log out<HiddenText> {session.device}</HiddenText>
                  </Button>
                )
              }
            />
          ))}
        </ItemList>
        <ActionError error={endSessionMutation.error ?? endOthersMutation.error} />
      </Stack>
    </SectionCard>
  );
}
