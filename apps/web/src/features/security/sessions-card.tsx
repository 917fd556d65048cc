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
  const endOne = useSecurityAction((id: string) => apiRequest(securityApi.endSession, { session_id: id }), 'Device logged out');
  const endOthers = useSecurityAction(() => apiRequest(securityApi.endSession, {}), 'Other devices logged out');
  const isBusy = endOne.isPending || endOthers.isPending;
  const others = security.sessions.filter((session) => !session.is_this_one);
  const ordered = [...security.sessions.filter((session) => session.is_this_one), ...others];
  return (
    <SectionCard
      title="Logged-in devices"
      aside={
        others.length > 1 && (
          <Button variant="outlined" size="small" disabled={isBusy} onClick={() => endOthers.mutate(undefined)}>
            Log out other devices
          </Button>
        )
      }
    >
      <Stack gap={8}>
        <Text tone="quiet">If you don’t recognise a device, log it out and change your password.</Text>
        <ItemList label="Devices">
          {ordered.map((session) => (
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
                  <Button variant="text" size="small" tone="error" disabled={isBusy} onClick={() => endOne.mutate(session.session_id)}>
                    Log out<HiddenText> {session.device}</HiddenText>
                  </Button>
                )
              }
            />
          ))}
        </ItemList>
        <ActionError error={endOne.error ?? endOthers.error} />
      </Stack>
    </SectionCard>
  );
}
