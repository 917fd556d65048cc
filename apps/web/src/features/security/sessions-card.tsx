import { securityApi } from '@portal/contract/security.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { apiRequest } from '../../lib/api.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { ActionError } from './action-error.tsx';
import { ItemList, ItemRow } from './item-row.tsx';
import { useSecurityAction, type Security } from './use-security.ts';

export function SessionsCard({ security }: { security: Security }) {
  const endOne = useSecurityAction((id: string) => apiRequest(securityApi.endSession, { session_id: id }), 'That device is logged out');
  const endOthers = useSecurityAction(() => apiRequest(securityApi.endSession, {}), 'All other devices are logged out');
  const isBusy = endOne.isPending || endOthers.isPending;
  const others = security.sessions.filter((session) => !session.is_this_one);
  const ordered = [...security.sessions.filter((session) => session.is_this_one), ...others];
  return (
    <SectionCard
      title="Devices that are logged in"
      headingLevel={3}
      aside={
        others.length > 1 && (
          <Button variant="outlined" size="small" disabled={isBusy} onClick={() => endOthers.mutate(undefined)}>
            Log out all others
          </Button>
        )
      }
    >
      <Typography sx={{ color: 'text.secondary', mb: 1 }}>
        Do you see one that is not yours? Log it out and change your password.
      </Typography>
      <ItemList label="Devices">
        {ordered.map((session) => (
          <ItemRow
            key={session.session_id}
            title={
              <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
                {session.device}
                {session.is_this_one && <StateChip label="This device" icon="check" tone="success" />}
              </Box>
            }
            facts={
              <>
                Last seen <InstantText at={session.last_seen_at} />; logged in <InstantText at={session.created_at} />; address {session.ip}
              </>
            }
            action={
              !session.is_this_one && (
                <Button variant="text" size="small" color="error" disabled={isBusy} onClick={() => endOne.mutate(session.session_id)}>
                  Log out<HiddenText> {session.device}</HiddenText>
                </Button>
              )
            }
          />
        ))}
      </ItemList>
      <ActionError error={endOne.error ?? endOthers.error} />
    </SectionCard>
  );
}
